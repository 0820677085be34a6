"""The dataset card: YAML that the Hub and `datasets` read, and the text that people read.

The text is `card.md.jinja`: prose stands there, every number, name and list in it comes from the record or from the
schema.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pyarrow as pa
import yaml

from exports.about.machine_report import DIGITS
from exports.about.record import DEFAULT, DESCRIPTION, KEYWORDS, NAME, About
from exports.about.template import render_template
from exports.dataset import schema
from exports.dataset.parse import TREES_CHECKSUM
from score.core.edition import HELD_OUT, MAIN_TRACK

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
    alone, not from the files, and would otherwise show the rows of an edition of equal size.
    """
    configs, infos = [], []
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
        infos.append(
            {
                "config_name": name,
                "description": f"{NAME}, edition {about.fingerprint}",
                "features": [
                    named_feature(column.name, column.type)
                    for column in schema.columns_of(chunked=chunked, held_out=held_out)
                ],
                "splits": [
                    {"name": split.split, "num_bytes": split.memory, "num_examples": split.rows} for split in mine
                ],
                "download_size": sum(split.bytes for split in mine),
                "dataset_size": sum(split.memory for split in mine),
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


def size_category(count: int) -> str:
    """Return the Hub's name for a number of rows.

    >>> size_category(48_000)
    '10K<n<100K'
    """
    for bound, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")):
        if count < bound:
            return name
    return "1M<n<10M"


def order(configuration: str) -> tuple[bool, bool, str, int]:
    """Order of configurations for readers: the main track, the main held-out track, the others; by size."""
    track, _, size = configuration.rpartition("_")
    return (track != MAIN_TRACK, track != HELD_OUT, track, int(size))


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


def percent(share: Any) -> str:
    """Return a share as a percentage without needless digits.

    >>> percent("1/20"), percent(0.5)
    ('5 %', '50 %')
    """
    return f"{float(Fraction(str(share))) * 100:g} %"


def per_cent(share: float | None) -> str | None:
    """Return a share in per cent with one digit after the point; None stays.

    >>> per_cent(0.8333), per_cent(None)
    ('83.3', None)
    """
    return None if share is None else f"{100 * share:.1f}"


def agreement(about: About) -> list[tuple[str, dict[str, Any]]]:
    """Return words and agreement in each measure: over all projects, then by project."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in about.agreement:
        if row.scope in ("all", "project"):
            place = found.setdefault((row.scope, row.scope_value), {"tokens": row.tokens})
            place[row.measure] = round(row.share, DIGITS)
    return [(name if scope == "all" else f"`{name}`", figures) for (scope, name), figures in sorted(found.items())]


def render(about: About) -> str:
    """Return the whole card as text."""
    front = yaml.safe_dump(front_matter(about), sort_keys=False, allow_unicode=True, width=1000)
    names = sorted(about.shapes, key=order)
    inventories = {row.kind: row for row in about.layer_inventories}
    kinds = ("classes", "relations", "features")
    parse = about.made.parse or {}
    text = render_template(
        "card.md.jinja",
        filters={"percent": percent, "per_cent": per_cent},
        about=about,
        made=about.made,
        rules=about.variables,
        default=DEFAULT,
        main_track=MAIN_TRACK,
        description=DESCRIPTION,
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
    return f"---\n{front}---\n\n{text}"
