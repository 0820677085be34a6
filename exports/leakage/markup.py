"""What the fits read: counts of markup per sentence, and which sentences a row, a block or a pair consists of.

The warehouse counts (`audit.markup_rates`); here the counts become arrays, in a fixed order of features and sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from exports.warehouse import ExportError, relations, rows
from score.baselines.markup import length_figures

if TYPE_CHECKING:
    import duckdb

NEEDED = ("audit.markup_rates", "intermediate.int_leakage__sentences", "hub.rows")

LAYERS = ("human", "machine")
"""The layers of trees, as `audit.markup_rates` names them."""

GROUPS = {
    "upos": ("upos",),
    "feats": ("feats",),
    "classes and features": ("upos", "feats"),
    "deprel": ("deprel",),
    "geometry": ("direction", "distance", "depth", "heading"),
}
"""Parts of the markup that are also fitted alone, as groups of features of the warehouse."""


@dataclass(frozen=True)
class Markup:
    """Counts of one layer.

    Attributes:
        layer: human or machine.
        features: group and name of every feature, sorted; a column of `counts` each.
        numbers: numbers of the sentences, sorted; a row of `counts` each.
        counts: how many words of a sentence have a feature.
        words: words of every sentence.
    """

    layer: str
    features: Sequence[tuple[str, str]]
    numbers: np.ndarray
    counts: np.ndarray
    words: np.ndarray

    def rates(self, members: np.ndarray) -> np.ndarray:
        """Return the rates of rows that consist of several sentences: words with a feature by all words.

        Args:
            members: positions of the sentences of each row, one row of the array per row.
        """
        rates: np.ndarray = self.counts[members].sum(axis=1) / self.words[members].sum(axis=1)[:, None]
        return rates

    def lengths(self, members: np.ndarray) -> np.ndarray:
        """Return what the length of sentences alone says of such rows: mean, mean logarithm, spread, both ends."""
        return length_figures(self.words[members])

    def parts(self) -> dict[str, np.ndarray]:
        """Return the columns of every part of the markup that the layer has any feature of."""
        kinds = np.array([kind for kind, _ in self.features])
        found = {name: np.flatnonzero(np.isin(kinds, groups)) for name, groups in GROUPS.items()}
        return {name: columns for name, columns in found.items() if len(columns)}


@dataclass(frozen=True)
class Rows:
    """The rows of one split of a configuration, in the order of their ids."""

    ids: Sequence[str]
    authors: np.ndarray
    members: np.ndarray


@dataclass(frozen=True)
class Part:
    """The published sentences of one author in one project, in the order of the text, as positions in the counts."""

    author: str
    project: str
    members: np.ndarray


@dataclass(frozen=True)
class Pair:
    """Sentences with the same words in two projects, one row per text, as positions in the counts."""

    project: str
    other_project: str
    members: np.ndarray


def load_markup(con: duckdb.DuckDBPyConnection, layer: str) -> Markup | None:
    """Read the counts of a layer; None when the warehouse does not have the layer.

    Raises:
        ExportError: the warehouse has no leakage models.
    """
    missing = [name for name in NEEDED if name not in relations(con)]
    if missing:
        raise ExportError(f"the warehouse has no {', '.join(missing)}: run `dbt build` with this version")
    query = """
        select feature_group, feature from audit.markup_rates where layer = ? group by 1, 2 order by 1, 2
    """
    features = [(str(row["feature_group"]), str(row["feature"])) for row in rows(con, query, layer)]
    if not features:
        return None
    con.execute(
        """
        with features as (
            select feature_group, feature, (row_number() over (order by feature_group, feature) - 1)::integer as place
            from audit.markup_rates where layer = $1 group by feature_group, feature
        )
        select sentence_number, place, occurrences, words
        from audit.markup_rates inner join features using (feature_group, feature)
        where layer = $1
        """,
        [layer],
    )
    found = con.fetchnumpy()
    numbers, place = np.unique(_plain(found["sentence_number"]), return_inverse=True)
    counts = np.zeros((len(numbers), len(features)))
    counts[place, _plain(found["place"])] = _plain(found["occurrences"])
    words = np.zeros(len(numbers))
    words[place] = _plain(found["words"])
    return Markup(layer, features, numbers, counts, words)


def _plain(column: Any) -> np.ndarray:
    """Return a column of numbers without a mask; the columns have no nulls."""
    return np.asarray(column).astype(np.int64)


def _places(markup: Markup, numbers: Sequence[Any]) -> np.ndarray:
    """Return the positions of sentences in the counts.

    Raises:
        ExportError: a sentence has no markup in this layer.
    """
    wanted = np.asarray(numbers, dtype=np.int64)
    found = np.searchsorted(markup.numbers, wanted)
    found[found == len(markup.numbers)] = 0
    if len(wanted) and not np.array_equal(markup.numbers[found], wanted):
        number = wanted[markup.numbers[found] != wanted].flat[0]
        raise ExportError(f"sentence {number} of the {markup.layer} layer: expected its markup, found none")
    return found


def load_rows(con: duckdb.DuckDBPyConnection, markup: Markup, configuration: str) -> dict[str, Rows]:
    """Read the rows of a configuration by split."""
    query = """
        with members as (
            select id, split, author, unnest(constituent_ids) as member,
                generate_subscripts(constituent_ids, 1) as place
            from hub.rows
            where configuration = ?
        )
        select members.split, members.id, any_value(members.author) as author,
            list(sentences.sentence_number order by members.place) as numbers
        from members
        inner join intermediate.int_leakage__sentences as sentences on members.member = sentences.id
        group by members.split, members.id
        order by members.split, members.id
    """
    found = rows(con, query, configuration)
    return {
        split: Rows(
            [str(row["id"]) for row in mine],
            np.array([str(row["author"]) for row in mine]),
            _places(markup, [row["numbers"] for row in mine]),
        )
        for split in ("train", "validation", "test")
        if (mine := [row for row in found if row["split"] == split])
    }


def load_parts(con: duckdb.DuckDBPyConnection, markup: Markup) -> list[Part]:
    """Read the published sentences of every author whom several projects have annotated, by project."""
    query = """
        select author, project, list(sentence_number order by path_rank, position, sentence_number) as numbers
        from intermediate.int_leakage__sentences
        where is_published
        group by author, project
        qualify count(*) over (partition by author) > 1
        order by author, project
    """
    return [Part(str(row["author"]), str(row["project"]), _places(markup, row["numbers"])) for row in rows(con, query)]


def load_pairs(con: duckdb.DuckDBPyConnection, markup: Markup) -> list[Pair]:
    """Read the sentences that two projects have annotated, by pair of projects, in the order of the first's text."""
    query = """
        select project, other_project,
            list([sentence_number, other_sentence_number] order by sentence_number, other_sentence_number) as numbers
        from intermediate.int_syntax__doubly_annotated
        group by project, other_project
        order by project, other_project
    """
    return [
        Pair(str(row["project"]), str(row["other_project"]), _places(markup, row["numbers"]))
        for row in rows(con, query)
    ]
