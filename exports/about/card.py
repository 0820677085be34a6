"""The dataset card: YAML that the Hub and `datasets` read, and the text that people read.

The text is `card.md.jinja`: prose stands there, every number, name and list in it comes from the record or from the
schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import yaml

from exports.about import figures
from exports.about.baselines import FLOOR
from exports.about.record import DEFAULT, DESCRIPTION, KEYWORDS, NAME, About
from exports.about.tables import (
    agreement,
    balance,
    baseline_tables,
    commercial,
    example,
    order,
    per_cent,
    percent,
    sides,
    trust,
)
from exports.about.template import render_template
from exports.dataset import schema
from exports.dataset.files import NON_COMMERCIAL
from exports.dataset.parse import TREES_CHECKSUM
from score.core.edition import HELD_OUT, MAIN_TRACK
from score.core.predictions import FORMAT, INPUTS

LABEL = "author"
"""Column of the label."""

INFORMATION = 3
"""Categories that tell most of the project, which the card names first."""


class Front(yaml.SafeDumper):
    """The front matter: mappings and lists without others inside stand in one line."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **{**named, "default_flow_style": None})


WHERE = {"all": "all", "chunk": "chunks", "held_out": "held-out tracks"}
"""Configurations that have a column, by its family."""


def feature(arrow: pa.DataType) -> Any:
    """Return a type as the YAML of a dataset card writes it.

    >>> feature(pa.list_(pa.list_(pa.int32())))
    {'list': {'list': 'int32'}}
    """
    if pa.types.is_list(arrow):
        inner = feature(arrow.value_type)
        return (
            {"list": inner["struct"] if set(inner) == {"struct"} else inner}
            if isinstance(inner, dict)
            else {"list": inner}
        )
    if pa.types.is_struct(arrow):
        return {"struct": [named_feature(member.name, member.type) for member in arrow]}
    return str(arrow)


def named_feature(name: str, arrow: pa.DataType) -> dict[str, Any]:
    """Return a column or member with its name."""
    made = feature(arrow)
    return {"name": name, **made} if isinstance(made, dict) else {"name": name, "dtype": made}


def front_matter(about: About) -> dict[str, Any]:
    """Return the YAML of the card.

    Every configuration names the edition: `datasets` keeps the rows of a local folder under a name made from this YAML
    alone, not from the files, and would otherwise show the rows of an edition of equal size. Columns that several
    configurations share are one object, which YAML writes once and refers to.
    """
    configs, infos = [], []
    kept: dict[str, Any] = {}

    def once(value: Any) -> Any:
        return kept.setdefault(repr(value), value)

    for name in sorted(about.shapes, key=order):
        mine = [split for split in about.made.written if split.configuration == name]
        chunked, held_out = about.shapes[name]
        configs.append(
            {
                "config_name": name,
                "data_files": [{"split": split.split, "path": split.path} for split in mine],
                **({"default": True} if name == DEFAULT else {}),
            }
        )
        columns = schema.columns_of(chunked=chunked, held_out=held_out)
        features = [
            once(label_feature(column.name, about.labels_of(name)) if column.name == LABEL else column_feature(column))
            for column in columns
        ]
        infos.append(
            {
                "config_name": name,
                "description": f"{NAME}, edition {about.fingerprint}",
                "features": once(features),
            }
        )
    rows_of_default = sum(split.rows for split in about.made.written if split.configuration == DEFAULT)
    return {
        "pretty_name": about.title,
        "language": ["grc"],
        "license": "other",
        "license_name": "cc-by-sa-and-cc-by-nc-sa-by-row",
        "license_link": "LICENSES.md",
        "task_categories": ["text-classification"],
        "multilinguality": ["monolingual"],
        "annotations_creators": ["expert-generated"],
        "source_datasets": ["original"],
        "size_categories": [size_category(rows_of_default)],
        "tags": sorted([*KEYWORDS, *(["sample"] if about.is_sample else [])]),
        "configs": configs,
        "dataset_info": infos,
    }


def column_feature(column: schema.Column) -> dict[str, Any]:
    """Return a column of the schema as the YAML of a dataset card writes it."""
    return named_feature(column.name, column.type)


def label_feature(name: str, labels: Sequence[str]) -> dict[str, Any]:
    """Return the label: text in the files, which `datasets` loads as a number with its name.

    >>> label_feature("author", ["Lysias"])
    {'name': 'author', 'dtype': {'class_label': {'names': {'0': 'Lysias'}}}}
    """
    names = {str(place): label for place, label in enumerate(labels)}
    return {"name": name, "dtype": {"class_label": {"names": names}}}


def size_category(count: int) -> str:
    """Return the Hub's name for a number of rows.

    >>> size_category(48_000)
    '10K<n<100K'
    """
    for bound, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")):
        if count < bound:
            return name
    return "1M<n<10M"


def type_name(arrow: pa.DataType) -> str:
    """Return a type as people write it.

    >>> type_name(pa.list_(pa.struct([("id", pa.int32())])))
    'list<struct<id int32>>'
    """
    if pa.types.is_list(arrow):
        return f"list<{type_name(arrow.value_type)}>"
    if pa.types.is_struct(arrow):
        return f"struct<{', '.join(f'{member.name} {type_name(member.type)}' for member in arrow)}>"
    return str(arrow)


def _leakage(about: About, part: str) -> list[dict[str, Any]]:
    """Return a part of the leakage report of the human layer; nothing where the audit was not made."""
    found: list[dict[str, Any]] = about.made.leakage[0].get(part, []) if about.made.leakage else []
    return found


def render(about: About) -> str:
    """Return the whole card as text."""
    front = yaml.dump(front_matter(about), Dumper=Front, sort_keys=False, allow_unicode=True, width=1000)
    names = sorted(about.shapes, key=order)
    inventories = {row.kind: row for row in about.layer_inventories}
    kinds = ("classes", "relations", "features")
    parse = about.made.parse or {}
    candidates = (f"{HELD_OUT}_{figures.SIZE}", f"{MAIN_TRACK}_{figures.SIZE}", DEFAULT)
    meanings = {column.name: column.description for column in schema.COLUMNS}
    drawn = figures.paths(about)
    text = render_template(
        "card.md.jinja",
        filters={
            "percent": percent,
            "per_cent": per_cent,
            "thousandths": lambda bits: f"{1000 * bits:.1f}",
            "two_digits": lambda value: "" if value is None else f"{value:.2f}",
        },
        about=about,
        made=about.made,
        rules=about.variables,
        default=DEFAULT,
        main_track=MAIN_TRACK,
        held_out=HELD_OUT,
        description=DESCRIPTION,
        shown=next((name for name in candidates if name in about.shapes), DEFAULT),
        sizes=sorted({int(name.rpartition("_")[2]) for name in names}),
        predictions_format=FORMAT,
        allowed=[(name, meanings[name]) for name in INPUTS],
        analyses=[row for row in _leakage(about, "tells") if row["reason"]],
        information=_leakage(about, "information")[:INFORMATION],
        sides=sides(about),
        baselines=baseline_tables(about),
        floor=FLOOR,
        trust=trust(about),
        figures=drawn,
        example=example(about),
        balance=balance(about),
        commercial=commercial(about),
        non_commercial=NON_COMMERCIAL,
        spreads=figures.spreads(about),
        configurations=names,
        rows={(split.configuration, split.split): split.rows for split in about.made.written},
        tracks={track.track: track for track in about.tracks},
        built_tracks=list(dict.fromkeys(name.rpartition("_")[0] for name in names)),
        held_out_tracks=list(dict.fromkeys(row.track for row in about.authors if row.held_out_work is not None)),
        columns=[
            (column.name, type_name(column.type), WHERE[column.family], column.description) for column in schema.COLUMNS
        ],
        parse_names=[name for name in ("provider", "model", "revision") if parse.get(name)],
        trees_checksum=TREES_CHECKSUM,
        beyond=[inventories[kind] for kind in kinds if kind in inventories and inventories[kind].only_machine],
        agreement=agreement(about),
        corpora=[row.author for row in about.author_labels if row.kind == "corpus"],
        **{kind: inventories.get(kind) for kind in kinds},
    )
    return f"---\n{front}---\n\n{text.rstrip()}\n"
