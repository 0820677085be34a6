"""The record of a sentence put into sections: names with values, and tables. What is written is the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from exports.ask.account.record import REPAIRS, Account, Change, Word
from exports.ask.explain import Finding, numbers


@dataclass(frozen=True)
class Cell:
    """A value.

    Attributes:
        text: as it is shown; it comes from files and is not to be trusted.
        kind: what it is, so that a page can link it: sentence, row, author, fate, track, project, decision, address,
            greek, or plain for the rest.
        target: what a link leads to, where it is not the text.
    """

    text: str
    kind: str = "plain"
    target: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of values under their names.

    Attributes:
        names: of the columns.
        lines: the rows that are shown.
        left_out: how many are not.
    """

    names: tuple[str, ...]
    lines: list[list[Cell]]
    left_out: int = 0


@dataclass(frozen=True)
class Section:
    """A part of the record.

    Attributes:
        key: its name for links within a page.
        title: for readers.
        facts: names with their values, several of one name where there are several.
        table: more of the same kind.
        remark: what a reader has to know of it.
    """

    key: str
    title: str
    facts: list[tuple[str, list[Cell]]] = field(default_factory=list)
    table: Table | None = None
    remark: str = ""


def sections(account: Account, most: int | None = None) -> list[Section]:
    """Return the record for readers, the same sections for every sentence.

    Args:
        account: the record.
        most: rows of a table that are shown; all where there is none.
    """
    return [
        sentence(account),
        source(account),
        fate(account, most),
        copies(account, most),
        rows(account, most),
        tracks(account),
        words(account, most),
        tree(account, most),
        parse(account, most),
    ]


def cut(names: Sequence[str], lines: Sequence[list[Cell]], most: int | None) -> Table | None:
    """Return a table of at most so many rows; None without any."""
    if not lines:
        return None
    shown = list(lines) if most is None else list(lines[:most])
    return Table(tuple(names), shown, len(lines) - len(shown))


def given(pairs: Sequence[tuple[str, Cell | None]]) -> list[tuple[str, list[Cell]]]:
    """Return the facts that have a value."""
    return [(name, [cell]) for name, cell in pairs if cell is not None and cell.text]


def cell(value: object, kind: str = "plain", target: str = "") -> Cell:
    """Return a value as it is shown.

    >>> cell(None).text, cell(True).text, cell(12345).text
    ('', 'yes', '12345')
    """
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    return Cell("" if value is None else str(value), kind, target)


def sentence(account: Account) -> Section:
    """Return what sentence it is."""
    facts = given([
        ("citation", cell(account.citation)),
        ("author", cell(account.author, "author") if account.author else cell("none")),
        ("work", cell(" ".join(one for one in (account.work, account.canonical_work) if one))),
        ("genre", cell(account.genre)),
        ("passage", cell(account.passage)),
        ("note", cell(account.passage_note)),
        ("text", cell(account.text or "(no words)", "greek")),
        ("as printed", cell(account.native_text if account.native_text != account.text else None, "greek")),
        ("words", cell(account.word_count)),
        ("sentence", cell(account.sentence_id, "sentence")),
        ("published as", cell(account.published_id, "row") if account.published_id else cell("not published")),
        ("urn", cell(account.cts_urn)),
        ("letters", cell(account.dedup_key)),
    ])  # fmt: skip
    untold = "This warehouse was made by another version and cannot tell: " + ", ".join(account.untold) + "."
    return Section("sentence", "The sentence", facts, remark=untold if account.untold else "")


def source(account: Account) -> Section:
    """Return where it was read."""
    one = account.source
    place = f", sentence {one.position}" if one.position else ""
    line = f", line {one.line}" if one.line else ""
    facts = given([
        ("project", cell(one.project, "project")),
        ("file", cell(f"{one.path}{place}{line}")),
        ("address", cell(one.address, "address")),
        ("revision", cell(one.revision)),
        ("its id there", cell(one.source_sentence_id)),
        ("document", cell(one.document_id)),
        ("licence", cell(one.licence, "address" if one.licence_url else "plain", one.licence_url or "")),
        ("attribution", cell(one.attribution)),
        ("annotators", cell(", ".join(one.annotators) or "the file names none")),
        ("licences of the row", cell(", ".join(account.licences) if len(account.licences) > 1 else None)),
    ])  # fmt: skip
    return Section("source", "Where it was read", facts)


def fate(account: Account, most: int | None) -> Section:
    """Return what became of it, with the pairs of sentences that were compared."""
    facts = given([
        ("fate", cell(account.fate, "fate")),
        ("reason", cell(account.reason)),
        ("survivor", cell(account.survivor_id, "sentence")),
    ])  # fmt: skip
    told = [one for one in account.findings if one.other_id is not None and one.rule != "survivor"]
    lines = [
        [
            cell(one.rule),
            cell(finding_in_words(one)),
            cell(one.other_id, "sentence"),
            cell(", ".join(word for word in (one.other_author, one.other_fate) if word)),
            cell(one.other_text or "(no words)", "greek"),
        ]
        for one in told
    ]
    names = ("rule", "finding", "other sentence", "whose", "its text")
    return Section("fate", "What became of it", facts, cut(names, lines, most))


def finding_in_words(one: Finding) -> str:
    """Return a finding with the numbers of its pair."""
    return "; ".join(part for part in (one.finding, numbers(one)) if part)


def copies(account: Account, most: int | None) -> Section:
    """Return the copies that it stands for."""
    lines = [
        [
            cell(one.sentence_id, "sentence"),
            cell(one.line),
            cell(one.licence),
            cell(", ".join(one.annotators)),
        ]
        for one in account.copies
    ]
    remark = "" if lines else "None: no other sentence was merged into it."
    if account.fate == "exact_duplicate":
        remark = "It is a copy itself: the survivor stands for it, and has its file and annotators in `source_records`."
    table = cut(("copy", "line", "licence", "annotators"), lines, most)
    return Section("copies", "Copies merged into it", table=table, remark=remark)


def rows(account: Account, most: int | None) -> Section:
    """Return the rows of the dataset in which it stands."""
    lines = [
        [
            cell(one.configuration),
            cell(one.split),
            cell(one.id, "row"),
            cell(f"{one.place} of {one.size}" if one.size > 1 else "the row itself"),
        ]
        for one in account.rows
    ]
    remark = "" if lines else f"None: its fate is {account.fate}."
    table = cut(("configuration", "split", "row", "its place"), lines, most)
    return Section("rows", "Rows of the dataset", table=table, remark=remark)


def tracks(account: Account) -> Section:
    """Return what every track made of it."""
    lines = [
        [cell(one.title, "track", one.track), cell(one.split or "not on it"), cell(one.reason)]
        for one in account.tracks
    ]
    return Section("tracks", "Its split on every track", table=cut(("track", "split", "why"), lines, None))


NOTHING = "nothing"
"""What stands for a value that is not there."""


def words(account: Account, most: int | None) -> Section:
    """Return the words in which something changed, and the tokens that are left out."""
    lines = [line_of(word, change) for word in account.changed for change in word.changes if change.what != "repair"]
    reasons: dict[str, list[str]] = {}
    for word in account.left_out:
        reasons.setdefault(word.changes[0].after if word.changes else "", []).append(word.native_form or "(no form)")
    facts = [("not published", [Cell(f"{listed(forms, most)}: {reason}")]) for reason, forms in reasons.items()]
    names = ("word", "form", "what", "as read", "published", "decision")
    if not account.words:
        remark = "It has no tokens."
    elif not lines:
        remark = "Every published word is as it was read, repairs of heads apart; tables translate tag and label."
    else:
        remark = (
            "Only what is not published as it was read; tags and labels are translated by tables. A head as read is an "
            "id of the file, a published one the number of a word."
        )
    return Section("words", "What normalisation changed", facts, cut(names, lines, most), remark)


def listed(forms: Sequence[str], most: int | None) -> str:
    """Return forms in one line, and how many are left out.

    >>> listed(["a", "b", "c"], 2)
    'a  b and 1 more'
    """
    shown = "  ".join(forms if most is None else forms[:most])
    return shown if most is None or len(forms) <= most else f"{shown} and {len(forms) - most:,} more"


def line_of(word: Word, change: Change) -> list[Cell]:
    """Return a change of a word as a line."""
    greek = "greek" if change.what in ("form", "joined", "lemma") else "plain"
    return [
        cell(word.position),
        cell(word.form or word.native_form, "greek"),
        cell(change.what),
        cell(change.before or NOTHING, greek if change.before else "plain"),
        cell(change.after or NOTHING, greek if change.after else "plain"),
        cell(change.decision, "decision"),
    ]


def tree(account: Account, most: int | None) -> Section:
    """Return what is known of its published tree, and the repairs of its heads."""
    found = [(word, change) for word in account.changed for change in word.changes if change.what == "repair"]
    lines = [line_of(word, change) for word, change in found]
    named = {name for _, change in found for name in REPAIRS if f"({name})" in change.after}
    facts = given([
        ("one tree", cell(account.tree.is_tree)),
        ("without crossing arcs", cell(account.tree.is_projective)),
        ("depth", cell(account.tree.depth)),
    ])  # fmt: skip
    facts += [(name, [Cell(REPAIRS[name])]) for name in REPAIRS if name in named]
    names = ("word", "form", "what", "head as read", "published", "decision")
    remark = "" if lines else "No head had to be repaired."
    return Section("tree", "Repairs of its tree", facts, cut(names, lines, most), remark)


def parse(account: Account, most: int | None) -> Section:
    """Return the machine layer and where it differs from the human one."""
    if account.parse is None:
        remark = "None: this warehouse has no parse of it."
        return Section("parse", "The machine layer", remark=remark)
    one = account.parse
    facts = given([
        ("parser", cell(f"{one.model}, revision {one.revision}, by {one.provider}")),
        ("fold", cell("none" if one.fold is None else f"{one.fold}: its model has seen no sentence of this fold")),
        ("same head", cell(of(one.same_heads, one.words))),
        ("same relation", cell(of(one.same_relations, one.words))),
        ("same class", cell(of(one.same_classes, one.words))),
    ])  # fmt: skip
    lines = [
        [
            cell(row.position),
            cell(row.form, "greek"),
            cell(row.what),
            cell(row.human or NOTHING),
            cell(row.machine or NOTHING),
        ]
        for row in one.differences
    ]
    table = cut(("word", "form", "what", "human layer", "machine layer"), lines, most)
    remark = "Both layers are in the classes that are published." if one.words else "The human layer is not annotated."
    return Section("parse", "The machine layer", facts, table, remark)


def of(part: int, whole: int) -> str:
    """Return a share in words.

    >>> of(3, 4), of(0, 0)
    ('3 of 4 words (75%)', '')
    """
    return f"{part} of {whole} words ({part / whole:.0%})" if whole else ""
