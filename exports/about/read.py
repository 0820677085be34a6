"""Reading what an edition says of itself: every model once, whole and in the order of its key, into one record."""

from __future__ import annotations

import csv
import importlib.metadata
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from exports.about import record
from exports.about.record import About, Made, Row
from exports.warehouse import ExportError, columns, rows
from runtime.checkout import project_root, project_variables
from score import COVERAGE
from score.core.edition import fingerprint

if TYPE_CHECKING:
    import duckdb

LIBRARIES = (
    "sphragis",
    "datasketch",
    "dbt-core",
    "dbt-duckdb",
    "duckdb",
    "numpy",
    "pyarrow",
    "scikit-learn",
    "scipy",
    "udtools",
)
"""Libraries whose version the bytes or the decisions depend on."""

BENCHMARK_TABLES = (
    "tracks",
    "authors",
    "tracks_not_built",
    "authors_absent",
    "held_out_works",
    "held_out_candidates",
    "shared_words",
    "split_remainders",
)
"""Tables of the schema `benchmark` that the reports repeat row by row."""

AnyRow = TypeVar("AnyRow", bound=Row)


def read(con: duckdb.DuckDBPyConnection, made: Made, url: str | None = None) -> About:
    """Return everything that the edition says of itself.

    Args:
        con: the warehouse.
        made: what the export made.
        url: where the edition is published, None where nobody has said.

    Raises:
        ExportError: the warehouse has not all models.
    """
    libraries = library_versions()
    benchmark = {name: _dump(con, f"benchmark.{name}") for name in BENCHMARK_TABLES}
    (totals,) = table(con, record.Totals)
    return About(
        version=libraries["sphragis"],
        fingerprint=fingerprint(made.checksums),
        libraries=libraries,
        variables=rule_variables(con),
        input=_dump(con, "raw.source")[0]["kind"],
        creators=creators(),
        url=url,
        made=made,
        totals=totals,
        projects=table(con, record.Project),
        files=table(con, record.SourceFile),
        configurations=table(con, record.Configuration),
        tracks=typed(record.Track, benchmark["tracks"]),
        authors=table(con, record.TrackAuthor),
        authors_apart=table(con, record.AuthorApart),
        doublets=table(con, record.Doublet),
        passage_notes=table(con, record.PassageNote),
        absent_authors=typed(record.AbsentAuthor, benchmark["authors_absent"]),
        author_labels=table(con, record.AuthorLabel),
        fates=table(con, record.FateCount),
        fate_examples=table(con, record.FateExample),
        deduplication=table(con, record.Deduplication),
        pairs=table(con, record.PairCount),
        repetitions=table(con, record.Repetition),
        conflicts=table(con, record.ConflictCount),
        minhash=table(con, record.MinhashSetting),
        annotation=table(con, record.ProjectAnnotation),
        file_annotation=table(con, record.FileAnnotation),
        flags=table(con, record.FlagCount),
        rejects=table(con, record.RejectCount),
        labels=table(con, record.Label),
        layer_inventories=table(con, record.LayerInventory),
        agreement=table(con, record.Agreement),
        feature_agreement=table(con, record.FeatureAgreement),
        fold_sentences=table(con, record.FoldSentences),
        licences=table(con, record.LicenceCount),
        benchmark=benchmark,
        coverage=coverage(),
    )


def creators() -> tuple[str, ...]:
    """Return who made the dataset, from the file that says how to cite it.

    Raises:
        ExportError: there is no checkout here.
    """
    import yaml

    text = (project_root(ExportError) / "CITATION.cff").read_text(encoding="utf-8")
    return tuple(str(one["name"]) for one in yaml.safe_load(text)["authors"])


def coverage() -> tuple[record.Coverage, ...]:
    """Return what the intervals over works are worth, as `sphragis bench score --table` has measured it."""
    with COVERAGE.open(encoding="utf-8", newline="") as file:
        return tuple(
            record.Coverage(int(row["works"]), float(row["mean"]), float(row["spread"]), float(row["coverage"]))
            for row in csv.DictReader(file)
        )


def rule_variables(con: duckdb.DuckDBPyConnection | None = None) -> dict[str, Any]:
    """Thresholds of the rules, from the project file in which they are set, and from the run that was told others."""
    variables = project_variables(project_root(ExportError))
    if con is not None and columns(con, "raw.whole_run"):
        for row in rows(con, "select variables from raw.whole_run"):
            variables |= json.loads(row["variables"] or "{}")
    return variables


def table(con: duckdb.DuckDBPyConnection, row: type[AnyRow]) -> tuple[AnyRow, ...]:
    """Return all rows of the model of a class, in the order of its key.

    Raises:
        ExportError: the warehouse does not have the model, or not all of its columns.
    """
    return typed(row, _rows(con, row.source, row.key))


def typed(row: type[AnyRow], found: Iterable[Mapping[str, Any]]) -> tuple[AnyRow, ...]:
    """Return rows of a model as objects of its class; columns that the class does not have are left out.

    Raises:
        ExportError: a column is missing.
    """
    names = [field.name for field in fields(row)]
    try:
        return tuple(row(*(values[name] for name in names)) for values in found)
    except KeyError as error:
        raise ExportError(f"{row.source} has no column {error.args[0]}: run `dbt build`") from None


def library_versions() -> dict[str, str]:
    """Versions of the libraries; not of Python, on which no byte of an edition depends."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def _dump(con: duckdb.DuckDBPyConnection, relation: str) -> list[dict[str, Any]]:
    """Return all rows of a table in a total order, with values that JSON knows."""
    known = (str, int, float, bool, list, dict)
    return [
        {name: value if value is None or isinstance(value, known) else str(value) for name, value in row.items()}
        for row in _rows(con, relation, "all")
    ]


def _rows(con: duckdb.DuckDBPyConnection, relation: str, key: str) -> list[dict[str, Any]]:
    """Return all rows of a table in the order of a key.

    Raises:
        ExportError: the warehouse does not have the table.
    """
    import duckdb

    try:
        cursor = con.execute(f"select * from {relation} order by {key}")
    except duckdb.CatalogException as error:
        raise ExportError(f"the warehouse has no {relation}: run `dbt build`, it has not finished") from error
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]
