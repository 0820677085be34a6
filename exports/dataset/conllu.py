"""From the nested columns back to CoNLL-U text: a row by its id, and many sentences at once.

A unit of `conllu_human` or `conllu_machine` is a list of sentences, a sentence a list of tokens, a token
a dictionary with id, form, lemma, upos, feats, head and deprel. XPOS, DEPS and MISC are not published:
they are `_` in the text, and enhanced dependencies have to be looked for in the UD releases themselves.
The text is that of `render_conllu` in `runtime.conllu`; here it is made from whole columns, for speed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runtime.conllu import EMPTY

if TYPE_CHECKING:
    import pyarrow as pa

AT_A_TIME = 5000
"""Sentences that are held as text at a time."""


def render_sentences(sentences: pa.Array) -> list[str]:
    """Every sentence of a list<token> array as CoNLL-U text without comments, in one pass over the columns.

    The same text as `render_conllu` gives for each, some twenty times faster.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    offsets = np.asarray(sentences.offsets)
    tokens = sentences.values.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))

    def column(name: str) -> pa.Array:
        return pc.fill_null(tokens.field(name).cast(pa.string()), EMPTY)

    lines = pc.binary_join_element_wise(
        column("id"),
        column("form"),
        column("lemma"),
        column("upos"),
        EMPTY,
        column("feats"),
        column("head"),
        column("deprel"),
        EMPTY,
        pa.scalar("_\n"),
        "\t",
    )
    nested = pa.ListArray.from_arrays(pa.array((offsets - offsets[0]).astype(np.int32)), lines)
    joined = pc.binary_join_element_wise(pc.binary_join(nested, ""), pa.scalar(""), "\n")
    return [str(text) for text in joined.to_pylist()]


def trees_sha256(sentences: pa.Array) -> str:
    """Return the checksum of sentences of a list<token> array: of their texts without comments, one after the other."""
    digest = hashlib.sha256()
    for start in range(0, len(sentences), AT_A_TIME):
        for text in render_sentences(sentences.slice(start, AT_A_TIME)):
            digest.update(text.encode())
    return digest.hexdigest()


def find_rows(folder: Path, wanted: str, layer: str = "conllu_human") -> dict[str, Any] | None:
    """Return the first row of the dataset folder with this id: its id, author, split and the chosen layer.

    Args:
        folder: the published dataset.
        wanted: a sentence id (`s-...`) or a chunk id (`c-...`); a chunk that several tracks have is the same in all.
        layer: `conllu_human` or `conllu_machine`.
    """
    import pyarrow.parquet as pq

    for path in sorted((folder / "data").glob("*/*.parquet")):
        if wanted.startswith("s-") != path.parent.name.endswith("_1"):
            continue
        known = pq.read_schema(path).names
        names = [
            name
            for name in ("id", "author", "work", "passage", "split", "text", "constituent_ids", layer)
            if name in known
        ]
        table = pq.read_table(path, columns=names, filters=[("id", "=", wanted)])
        if table.num_rows:
            row: dict[str, Any] = table.to_pylist()[0]
            return row
    return None
