"""Ids of every kind: that of a sentence, of a published one, of a chunk, and the key of a text; one look-up for all.

No id is taken apart: what one looks like is the matter of the models that make it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exports.warehouse import ExportError
from runtime.command import short, visible

if TYPE_CHECKING:
    import duckdb

KINDS = {
    "published": "select sentence_id, id from hub.sentences where id = $wanted",
    "chunk": """
        with members as (
            select unnest(constituent_ids) as id, generate_subscripts(constituent_ids, 1) as place
            from (select constituent_ids from hub.rows where id = $wanted limit 1)
        )
        select sentences.sentence_id, sentences.id
        from members
        inner join hub.sentences as sentences on members.id = sentences.id
        order by members.place
    """,
    "sentence": "select sentence_id, sentence_id from corpus.sentences where sentence_id = $wanted",
    "text": """
        select sentence_id, sentence_id
        from corpus.sentences
        where dedup_key = $wanted
        order by fate <> 'published', fate in ('exact_duplicate', 'excluded_work', 'skipped_document'), sentence_number
        limit 1
    """,
}
"""The statement of each kind of id, in the order in which they are tried: the sentences that it stands for,
each with the id by which it is told."""


@dataclass(frozen=True)
class Found:
    """What an id stands for.

    Attributes:
        wanted: the id.
        kind: sentence, published, chunk or text.
        sentences: ids of the sentences, in their order; one, unless it is a chunk.
        names: the ids by which they are told: of rows of the dataset the published ones.
    """

    wanted: str
    kind: str
    sentences: tuple[str, ...]
    names: tuple[str, ...]

    def named(self) -> list[tuple[str, str]]:
        """Return every sentence with the id by which it is told."""
        return list(zip(self.sentences, self.names, strict=True))

    def sentence(self) -> str:
        """Return the one sentence.

        Raises:
            ExportError: the id is that of a chunk of several.
        """
        if len(self.sentences) > 1:
            raise ExportError(
                f"no sentence '{short(self.wanted)}' in the warehouse: that is a chunk, ask for one of its sentences: "
                + ", ".join(map(visible, self.names))
            )
        return self.sentences[0]


def find(con: duckdb.DuckDBPyConnection, wanted: str) -> Found:
    """Return what an id stands for.

    Args:
        con: a warehouse.
        wanted: id of a sentence (`project/path#position`), of a published sentence or of a chunk, or a dedup key.

    Raises:
        ExportError: there is no such id, with what may have been meant; or the warehouse is of another version.
    """
    import duckdb as engine

    try:
        for kind, statement in KINDS.items():
            rows = con.execute(statement, {"wanted": wanted}).fetchall()
            if rows:
                return Found(wanted, kind, *zip(*rows, strict=True))
        hint = what_was_meant(con, wanted)
    except (engine.CatalogException, engine.BinderException) as error:
        raise ExportError(
            f"this warehouse has no sentences to look up ({str(error).splitlines()[0]}): run `make build`, or build it "
            "anew"
        ) from error
    raise ExportError(f"no sentence '{short(wanted)}' in the warehouse{hint}")


def what_was_meant(con: duckdb.DuckDBPyConnection, wanted: str) -> str:
    """Return what may have been meant, as the end of a message."""
    file, _, _ = wanted.rpartition("#")
    last = con.execute(
        "select max(position) from corpus.sentences where project || '/' || path = ?", [file]
    ).fetchall()[0][0]
    if last is not None:
        return f": that file has the sentences 1 to {last}"
    near = con.execute(
        "select distinct project || '/' || path as file from corpus.sentences where contains(path, ?)"
        " order by file limit 3",
        [file.rpartition("/")[2] or wanted],
    ).fetchall()
    if near:
        return "; files that look like it: " + ", ".join(f"'{visible(name)}'" for (name,) in near)
    return "; an id is <project>/<path>#<position>, or that of a row of the dataset: of a sentence or of a chunk"
