"""One row for the parse: who made it, and all that is known of it; no row without a machine layer."""

from machine.tables import manifest_table


def model(dbt, session):
    """Return the manifest that lies beside the parse on the disk."""
    dbt.config(materialized="table")
    artefacts = dbt.ref("int_machine__parse_provider").project("artefact").distinct().order("artefact")
    return manifest_table([name for (name,) in artefacts.fetchall()])
