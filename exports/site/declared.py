"""What no SQL tells of the way of a column: the models in Python, and the step from the warehouse into Parquet.

Both are tested against the code: the models by their columns and by what they read, the step by changing a column of
the warehouse and looking which published fields change (`tests/python/test_lineage.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from exports.dataset import schema
from exports.site.lineage import CONSTANT, Kind

Link = tuple[str, str, Kind]
"""What is read, its column, and the part that this has."""

SENTENCES, TOKENS, NATIVE, ROWS = "hub.sentences", "hub.tokens", "hub.native_tokens", "hub.rows"

PARSED_FROM: tuple[Link, ...] = (
    ("int_splits__published_tokens", "form", "value"),
    *(("int_machine__training_words", name, "condition") for name in ("form", "upos", "feats", "head", "relation")),
    ("int_machine__training", "canonical_work", "condition"),
    ("int_machine__sentences", "fold", "condition"),
    ("int_machine__withheld", "id", "condition"),
)
"""A parse is made from the forms; classes, features and trees of other works have taught the parser."""

SIGNED_FROM: tuple[Link, ...] = (
    *(("int_dedup__ngrams", f"word_{place}", "value") for place in range(1, 5)),
    ("int_dedup__words", "folded", "value"),
)

PYTHON_MODELS: Mapping[str, Mapping[str, Sequence[Link]]] = {
    "int_machine__parse_provider": {
        "id": [("int_splits__published_tokens", "id", "value")],
        "token": [("int_splits__published_tokens", "token", "value")],
        **{name: PARSED_FROM for name in ("upos", "feats", "head", "deprel")},
        "fold": [("int_machine__sentences", "fold", "value")],
        "artefact": [*PARSED_FROM, ("source", "kind", "condition")],
    },
    "int_machine__manifest_provider": {
        name: [("int_machine__parse_provider", "artefact", "look-up")]
        for name in ("provider", "model", "revision", "manifest")
    },
    "int_dedup__signatures_datasketch": {
        "sentence_number": [("int_dedup__ngrams", "sentence_number", "value")],
        "set_size": [("int_dedup__ngrams", "sentence_number", "condition")],
        "signature": SIGNED_FROM,
    },
    "int_dedup__lsh_runs_datasketch": {
        **{
            name: [(CONSTANT, f"setting {name} of dbt_project.yml", "constant")]
            for name in ("setting", "bands", "rows_per_band", "containment_threshold")
        },
        **{
            name: [
                ("int_dedup__signatures", "sentence_number", "value"),
                ("int_dedup__signatures", "signature", "condition"),
            ]
            for name in ("left_numbers", "right_numbers")
        },
        "seconds": [("int_dedup__signatures", "signature", "condition")],
    },
}
"""Columns of the models in Python: model -> column -> what it is made of."""


def _members(of: str) -> list[Link]:
    """Return a column of the sentences of a row, which the row is made of by their ids."""
    return [(SENTENCES, of, "value"), (ROWS, "constituent_ids", "condition")]


def _tree(prefix: str) -> dict[str, list[Link]]:
    """Return the fields of a token of a layer."""
    columns = {name: name for name in ("form", "lemma")}
    columns |= {name: prefix + name for name in ("upos", "feats", "head", "deprel")}
    found: dict[str, list[Link]] = {"id": [(TOKENS, "token", "value")]}
    for name, column in columns.items():
        found[name] = [(TOKENS, column, "value")]
    return found


NATIVE_COLUMNS = {"head": "native_head"}
"""Fields of `native_syntax` that have another name in the warehouse."""

STEP: Mapping[str, Sequence[Link]] = {
    "id": [(ROWS, "id", "value")],
    "author": [(ROWS, "author", "value")],
    "text[]": _members("text"),
    "text_distorted[]": _members("text_distorted"),
    "split": [(ROWS, "split", "value")],
    **{name: _members(name) for name in (*schema.PROVENANCE, "passage_note")},
    "chunk_size": [(ROWS, "constituent_ids", "value")],
    "chunk_target_size": [("hub.configurations", "size", "value")],
    "chunk_is_mixed_work": [(ROWS, "chunk_is_mixed_work", "value")],
    **{name: [(ROWS, name, "value")] for name in schema.HELD_OUT},
    "licenses[]": _members("licenses"),
    "constituent_ids[]": [(ROWS, "constituent_ids", "value")],
    "chunk_work_ids[]": _members("work_id"),
    "chunk_works[]": _members("work"),
    "constituent_provenance[].id": [(ROWS, "constituent_ids", "value")],
    **{f"constituent_provenance[].{name}": _members(name) for name in ("treebank_source", "cts_urn", "passage")},
    **{f"source_records[].{child.name}": _members(f"source_records[].{child.name}") for child in schema.RECORD},
    "native_syntax[].sentence": [(CONSTANT, "1", "constant")],
    **{
        f"native_syntax[].{child.name}": [(NATIVE, NATIVE_COLUMNS.get(child.name, child.name), "value")]
        for child in list(schema.NATIVE)[1:]
    },
    **{f"conllu_human[].{name}": links for name, links in _tree("").items()},
    **{f"conllu_machine[].{name}": links for name, links in _tree("machine_").items()},
}
"""Published columns and fields, and the columns of the warehouse that `exports/dataset` writes them from."""


NAMED_CONSTANTS: Mapping[str, str] = {
    "chunk_target_size": "a size that the benchmark is published in, a row of seeds/benchmark/chunk_sizes.csv",
    "native_syntax[].sentence": "1: a unit holds one sentence",
}
"""Published fields that no file of a treebank has a part in, each with what it is instead."""


def published_fields() -> Iterator[tuple[str, str]]:
    """Yield the fields of all published columns, as `conllu_human[].upos`, each with its column."""
    for column in schema.COLUMNS:
        for name in _fields(column.name, column.type):
            yield name, column.name


def _fields(name: str, of: Any) -> list[str]:
    """Return the names of the fields of a type; lists in lists are told once."""
    is_list = pa.types.is_list(of)
    while pa.types.is_list(of):
        of = of.value_type
    name += "[]" if is_list else ""
    return [f"{name}.{child.name}" for child in of] if pa.types.is_struct(of) else [name]
