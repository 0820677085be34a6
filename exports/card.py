"""The dataset card: YAML that the Hub and `datasets` read, and the text that people read.

Every number, name and list in it comes from the warehouse or from the schema; nothing is typed by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import yaml

from exports import schema
from exports.warehouse import input_kind, relations, rows

if TYPE_CHECKING:
    import duckdb

    from exports.hub import Units, Written
    from exports.manifests import Fates

NAME = "Sphragis"
DEFAULT = "sentence_1"
"""The configuration that `load_dataset` takes when none is named."""

KEYWORDS = ("authorship-attribution", "ancient-greek", "treebank", "universal-dependencies", "stylometry")

DESCRIPTION = (
    "A benchmark for authorship attribution of Ancient Greek prose and verse, built from the human-annotated "
    "dependency treebanks of the language: normalised text, trees in one shared inventory, full provenance."
)

CITATION = (
    "Sphragis: authorship attribution of Ancient Greek from seven treebanks (version {version}, "
    "edition {fingerprint}). Cite the treebanks of the rows you use as well: see LICENSES.md."
)


def feature(arrow: pa.DataType) -> Any:
    """A type as the YAML of a dataset card writes it.

    >>> feature(pa.list_(pa.list_(pa.int32())))
    {'list': {'list': 'int32'}}
    """
    if pa.types.is_list(arrow):
        inner = feature(arrow.value_type)
        return {"list": inner["struct"] if set(inner) == {"struct"} else inner} if isinstance(inner, dict) else {"list": inner}
    if pa.types.is_struct(arrow):
        return {"struct": [named_feature(member.name, member.type) for member in arrow]}
    return str(arrow)


def named_feature(name: str, arrow: pa.DataType) -> dict[str, Any]:
    """A column or member with its name."""
    made = feature(arrow)
    return {"name": name, **made} if isinstance(made, dict) else {"name": name, "dtype": made}


def front_matter(
    shapes: Mapping[str, tuple[bool, bool]], written: Sequence[Written], is_sample: bool
) -> dict[str, Any]:
    """The YAML of the card.

    Args:
        shapes: for each configuration, whether it is chunked and whether its track is held out.
        written: what was written, per split.
        is_sample: whether the input was the bundled sample.
    """
    configs, infos = [], []
    for name in sorted(shapes, key=order):
        mine = [split for split in written if split.configuration == name]
        chunked, held_out = shapes[name]
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
    rows_of_default = sum(split.rows for split in written if split.configuration == DEFAULT)
    return {
        "pretty_name": f"{NAME} (sample)" if is_sample else NAME,
        "language": ["grc"],
        "license": "other",
        "license_name": "cc-by-sa-and-cc-by-nc-sa-by-row",
        "license_link": "LICENSES.md",
        "task_categories": ["text-classification"],
        "multilinguality": ["monolingual"],
        "annotations_creators": ["expert-generated"],
        "source_datasets": ["original"],
        "size_categories": [size_category(rows_of_default)],
        "tags": sorted([*KEYWORDS, *(["sample"] if is_sample else [])]),
        "configs": configs,
        "dataset_info": infos,
    }


def size_category(count: int) -> str:
    """The Hub's name for a number of rows.

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
    return (track != "sentence", track != "work_held_out", track, int(size))


def table(heads: Sequence[str], body: Iterable[Sequence[Any]]) -> list[str]:
    """A Markdown table; numbers with separators, missing values empty."""

    def cell(value: Any) -> str:
        if value is None:
            return ""
        return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value).replace("|", "\\|")

    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return [*lines, *(f"| {' | '.join(cell(value) for value in row)} |" for row in body), ""]


@dataclass
class Page:
    """The text of the card, section by section."""

    lines: list[str] = field(default_factory=list)

    def section(self, title: str, *paragraphs: str) -> None:
        """Begin a section with its paragraphs."""
        self.lines += [f"## {title}", ""]
        for paragraph in paragraphs:
            self.lines += [paragraph, ""]
