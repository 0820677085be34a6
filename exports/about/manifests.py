"""The manifests: what came in, and which rows every configuration has."""

from __future__ import annotations

from typing import Any

from exports.about.record import About


def source_revisions(about: About) -> dict[str, Any]:
    """Return repository, revision and licence of every project, its files with sha256, and the absent ones."""
    result = {}
    for project in about.projects:
        mine = [file for file in about.files if file.project == project.project]
        result[project.project] = {
            "repository": project.repository,
            "revision": project.revision,
            "revision_date": str(project.revision_date),
            "format": project.format,
            "syntax_scheme": project.syntax_scheme,
            "license": project.licence,
            "license_url": project.licence_url,
            "attribution": project.attribution,
            "files": {
                file.path: {"sha256": file.sha256, "bytes": file.bytes, "status": file.status}
                for file in mine
                if file.status != "absent"
            },
            "absent": [file.path for file in mine if file.status == "absent"],
            "differs_from_pin": [file.path for file in mine if file.differs_from_pin],
        }
    return {"input": about.input, "projects": result}


def dataset_variants(about: About) -> dict[str, Any]:
    """Return the complete manifest: every configuration, its rows with their constituents, and the excluded rows."""
    ids = about.made.sentence_ids
    configurations: dict[str, Any] = {
        row.configuration: {
            "track": row.track,
            "size": row.size,
            "is_built": row.is_built,
            "reason": row.reason,
            "splits": {},
        }
        for row in about.configurations
    }
    for plan in about.made.plans:
        names = plan.ids.to_pylist()
        members = plan.members.tolist()
        offsets = plan.offsets.tolist()
        split: dict[str, Any] = {"rows": plan.rows}
        if plan.size == 1:
            split["ids"] = names
        else:
            split["chunks"] = {
                name: [ids[number] for number in members[offsets[place] : offsets[place + 1]]]
                for place, name in enumerate(names)
            }
        configurations[plan.configuration]["splits"][plan.split] = split
    return {"configurations": configurations, "excluded": about.benchmark["split_remainders"]}


def machine_folds(about: About) -> dict[str, list[str]]:
    """Return the ids of the sentences that each fold parsed; nothing when the parse was not made in folds."""
    return {str(row.fold): row.ids for row in about.fold_sentences}
