"""Faults that untried input found in trees, ids, passages and copies: small files of our own through one build.

What each number means: docs/reported_faults.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

import duckdb
import pytest
from conftest import build_environment, dbt, run

from exports.ask.tree import MOST_LINES, Sentence, render
from machine.check import find_cycle

MODELS = (
    "+audit_repaired_files",
    "+audit_deeply_nested",
    "+audit_gapped_ids",
    "+audit_text_mismatches",
    "+audit_mended_passages",
    "+audit_lone_fragments",
)
WORDS = 4_000
LETTERS = "βγδζθκλμνξπρστφχψ"

LONG = "gorman/xml versions/lysias 13 bu1.xml"
NESTED = "gorman/xml versions/Lysias 23 bu1.xml"
IDS = "gorman/xml versions/Lysias 12 bu1.xml"
STRANGE_IDS = "gorman/xml versions/Lysias 1 bu1.xml"
GAPPED = "gorman/xml versions/lysias 19 bu1.xml"
PARTS = "agdt/v2.1/Greek/texts/tlg0540.tlg001.perseus-grc1.tb.xml"
SOUND = "agdt/v2.1/Greek/texts/tlg0540.tlg023.perseus-grc1.tb.xml"
SPOILT = "pedalion/public/xml/euripides_medea.xml"
TEXTS = "ud_proiel/grc_proiel-ud-test.conllu"


class Word(NamedTuple):
    """A token as a native file has it."""

    id: str
    form: str
    postag: str
    relation: str
    head: str


Rows = list[tuple[Any, ...]]


def words(*tokens: tuple[str, str, str, str]) -> list[Word]:
    """Tokens numbered from 1, each of form, first letter of the tag, relation and head."""
    return [
        Word(str(number), form, tag.ljust(9, "-"), relation, head)
        for number, (form, tag, relation, head) in enumerate(tokens, start=1)
    ]


def made_up(number: int) -> str:
    """A word of its own for every number."""
    digits = (number // 17**place % 17 for place in range(3))
    return "".join(LETTERS[digit] + "α" for digit in digits) + "ν"


def shaped(heads: Sequence[int], relations: Sequence[str], tag: str = "n", first: int = 0) -> list[Word]:
    """A sentence of made-up words with given heads."""
    return words(
        *(
            (made_up(first + number), tag, relation, str(head))
            for number, (head, relation) in enumerate(zip(heads, relations, strict=True))
        )
    )


def long_sentences(size: int) -> list[list[Word]]:
    """Sentences of one size: chain, star, ring, coordination, nested prepositions, words under a chain of marks."""
    numbers = range(1, size + 1)
    coordination = [
        ("καί" if number % 2 else made_up(number), "c" if number % 2 else "n", "AuxY" if number % 2 else "PRED_CO", "1")
        for number in range(2, size + 1)
    ]
    marks = [
        (",", "u", "AuxX", str(max(number - 2, 1)))
        if number % 2 == 0
        else (made_up(number), "n", "ATR", str(number - 1))
        for number in range(2, size + 1)
    ]
    return [
        shaped([number - 1 for number in numbers], ["ATR"] * size),
        shaped([0] + [1] * (size - 1), ["PRED"] + ["ATR"] * (size - 1), first=1),
        shaped([number % size + 1 for number in numbers], ["ATR"] * size, first=2),
        words(("καί", "c", "COORD", "0"), *coordination),
        shaped([number - 1 for number in numbers], ["AuxP"] * (size - 1) + ["OBJ"], tag="r", first=3),
        words(("βῆ", "v", "PRED", "0"), *marks),
    ]


def nested(relation: str, tag: str, depth: int) -> list[Word]:
    """A word under so many function words, one below the other."""
    above = [("ἐκ", tag, relation + ("_CO" if relation == "COORD" else ""), str(number)) for number in range(depth)]
    return words(*above, ("νόμων", "n", "OBJ" + ("_CO" if relation == "COORD" else ""), str(depth)))


def with_ids(tokens: list[Word], ids: Sequence[str], heads: Sequence[str]) -> list[Word]:
    return [token._replace(id=id_, head=head) for token, id_, head in zip(tokens, ids, heads, strict=True)]


def plain(text: str) -> list[Word]:
    """A sentence whose words all hang on the first."""
    return words(*((form, "n", "PRED" if not n else "ATR", str(min(n, 1))) for n, form in enumerate(text.split())))


SMALL = words(("τὸν", "l", "ATR", "2"), ("φίλον", "n", "OBJ", "3"), ("ὁρῶ", "v", "PRED", "0"))
GAPS = words(
    ("ὁ", "l", "ATR", "2"),
    ("ναύτης", "n", "SBJ", "4"),
    (",", "u", "AuxX", "0"),
    ("πλεῖ", "v", "PRED", "0"),
    ("ταχέως", "d", "ADV", "4"),
    (".", "u", "AuxK", "0"),
)
FILES: dict[str, list[list[Word]]] = {
    LONG: long_sentences(WORDS),
    NESTED: [nested("AuxP", "r", 50), nested("AuxC", "c", 50), nested("COORD", "c", 50), nested("AuxP", "r", 12)],
    IDS: [
        with_ids(SMALL, ["900000000001", "900000000002", "900000000003"], ["900000000002", "900000000003", "0"]),
        with_ids(SMALL, ["0001", "0002", "3"], ["0002", "3", "0"]),
        with_ids(SMALL, ["1", "2", "3"], ["2.0", "3.0", "0.0"]),
        with_ids(SMALL, ["1.0", "2.0", "3.0"], ["2", "3", "0"]),
        with_ids(SMALL, ["12345678901", "12345678902", "12345678903"], ["12345678902.0", "012345678903", "00"]),
        plain("καὶ τότε δὴ ἀνέστη ὁ γέρων ἐκεῖνος λέγων τοὺς λόγους πάντας τοῖς πολίταις"),
        plain("ἐνταῦθα μὲν οὖν ἔμενον πέντε ἡμέρας"),
    ],
    STRANGE_IDS: [with_ids(SMALL, ["w1", "w2", "w3"], ["2", "3", "0"]), SMALL],
    GAPPED: [
        with_ids(GAPS, ["1", "2", "4", "6", "7", "8"], ["2", "4", "0", "0", "4", "0"]),
        with_ids(GAPS, ["1", "2", "4", "6", "7", "8"], ["2", "6", "0", "0", "6", "0"]),
        GAPS,
        # The copy of the better source is damaged.
        plain("κ/υκνος ᾄδει νῦν"),
        plain("κύων ὑλακτεῖ νῦν"),
    ],
    PARTS: [
        plain("καὶ τότε δὴ ἀνέστη"),
        plain("ὁ γέρων ἐκεῖνος λέγων τοὺς λόγους πάντας τοῖς πολίταις"),
    ],
    SOUND: [plain("κύκνος ᾄδει νῦν"), plain("κύων ὑλακτεῖ νῦν")],
    SPOILT: [plain("ὦ γῆ μῆτερ"), plain("ὦ φάος ἡμέρας"), plain("ὦ πάτερ ἄναξ"), plain("ὦ τέκνον ἐμόν")],
}
PASSAGES = {
    (SPOILT, 1): "1,1299999999999999",
    (SPOILT, 2): "1,1000000000000001",
    (SPOILT, 3): "1,3333333333333333",
    (SPOILT, 4): "1,13",
}
CONLLU = """\
# source = Histories, Book 1
# sent_id = fits
# text = «οὐκ  ἀγαθόν»  ἐστιν.
1\t«\t«\tPUNCT\t_\t_\t3\tpunct\t_\tSpaceAfter=No
2\tοὐκ\tοὐ\tADV\t_\t_\t3\tadvmod\t_\t_
3\tἀγαθόν\tἀγαθός\tADJ\t_\t_\t0\troot\t_\tRef=1.1|SpaceAfter=No
4\t»\t»\tPUNCT\t_\t_\t3\tpunct\t_\t_
5\tἐστιν\tεἰμί\tAUX\t_\t_\t3\tcop\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\tSpaceAfter=No

# source = Histories, Book 1
# sent_id = range
# text = κἀγὼ οἶδα
1-2\tκἀγὼ\t_\t_\t_\t_\t_\t_\t_\t_
1\tκαὶ\tκαί\tCCONJ\t_\t_\t3\tcc\t_\tSpaceAfter=No
2\tἐγὼ\tἐγώ\tPRON\t_\t_\t3\tnsubj\t_\t_
3\tοἶδα\tοἶδα\tVERB\t_\t_\t0\troot\t_\t_

# source = Histories, Book 1
# sent_id = differs
# text = ναὶ μὰ Δία
1\tναὶ\tναί\tINTJ\t_\t_\t0\troot\t_\t_
2\tμὴ\tμή\tADV\t_\t_\t1\tadvmod\t_\tSpaceAfter=No
3\tΔία\tΖεύς\tPROPN\t_\t_\t1\tobl\t_\t_

# source = Histories, Book 1
# sent_id = shorter
# text = ναὶ μὰ
1\tναὶ\tναί\tINTJ\t_\t_\t0\troot\t_\t_
2\tμὰ\tμά\tADP\t_\t_\t3\tcase\t_\t_
3\tΔία\tΖεύς\tPROPN\t_\t_\t1\tobl\t_\t_

"""


def native_file(name: str, sentences: list[list[Word]]) -> str:
    """Return a treebank file in the native format."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<treebank xml:lang="grc" version="2.1">']
    for position, sentence in enumerate(sentences, start=1):
        passage = PASSAGES.get((name, position), str(position))
        lines.append(f'<sentence id="{position}" subdoc="{passage}">')
        for word in sentence:
            fields = {"id": word.id, "form": word.form, "lemma": word.form, "postag": word.postag}
            fields |= {"relation": word.relation, "head": word.head}
            lines.append(f"<word {' '.join(f'{key}={quoteattr(value)}' for key, value in fields.items())}/>")
        lines.append("</sentence>")
    return "\n".join([*lines, "</treebank>", ""])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files through the reader and the models: the folder of the build."""
    folder = tmp_path_factory.mktemp("untried")
    for name, sentences in FILES.items():
        path = folder / "treebanks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(native_file(name, sentences), encoding="utf-8")
    (folder / "treebanks" / TEXTS).parent.mkdir(parents=True)
    (folder / "treebanks" / TEXTS).write_text(CONLLU, encoding="utf-8")
    environment = build_environment(folder / "build", folder / "treebanks")
    run([sys.executable, "-m", "ingest"], environment)
    run(dbt("build", "--no-write-json", "--select", *MODELS, "--resource-types", "seed", "model"), environment)
    return folder / "build"


@pytest.fixture(scope="module")
def warehouse(built: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(built / "work" / "sphragis.duckdb"), read_only=True) as con:
        yield con


def rows(con: duckdb.DuckDBPyConnection, query: str, *values: Any) -> Rows:
    return [tuple(row) for row in con.execute(query, list(values)).fetchall()]


def heads(con: duckdb.DuckDBPyConnection, name: str, position: int) -> list[int]:
    """Published heads of a sentence, in the order of its words."""
    query = (
        "select trees.head from intermediate.int_syntax__trees as trees "
        "inner join intermediate.int_reading__sentences as sentences using (sentence_number) "
        "where sentences.sentence_id = ? order by trees.token_index"
    )
    return [head for (head,) in rows(con, query, f"{name}#{position}")]


def outcomes(con: duckdb.DuckDBPyConnection, name: str) -> Rows:
    """Outcome, survivor and reason of every sentence of a file."""
    query = (
        "select outcomes.outcome, survivors.sentence_id, outcomes.reason "
        "from intermediate.int_dedup__outcomes as outcomes "
        "inner join intermediate.int_reading__sentences as sentences using (sentence_number) "
        "left join intermediate.int_reading__sentences as survivors "
        "on outcomes.survivor_number = survivors.sentence_number "
        "where sentences.project || '/' || sentences.path = ? order by sentences.position"
    )
    return rows(con, query, name)


def test_everything_was_read(warehouse: duckdb.DuckDBPyConnection) -> None:
    assert rows(warehouse, "select * from raw.rejects where rows_lost > 0") == []


@pytest.mark.parametrize("position", range(1, 7), ids=["chain", "star", "ring", "coordination", "nested", "marks"])
def test_a_sentence_of_thousands_of_words_has_one_tree(warehouse: duckdb.DuckDBPyConnection, position: int) -> None:
    """Fault 326."""
    found = heads(warehouse, LONG, position)
    assert len(found) == (WORDS // 2 if position == 6 else WORDS)
    assert found.count(0) == 1
    assert find_cycle(found) == []


def test_shapes_of_long_sentences_are_kept(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 326."""
    assert heads(warehouse, LONG, 1) == list(range(WORDS))
    assert heads(warehouse, LONG, 2) == [0] + [1] * (WORDS - 1)
    assert heads(warehouse, LONG, 3) == [0, *range(3, WORDS + 1), 1]
    assert heads(warehouse, LONG, 6) == [0] + [1] * (WORDS // 2 - 1)
    assert rows(warehouse, "select distinct cycle_length from intermediate.int_syntax__cycles") == [(WORDS,)]


def test_a_sentence_too_long_to_be_one_is_corrupt_and_says_so(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 326: it is named, and reaches neither the parser nor a track."""
    found = outcomes(warehouse, LONG)
    assert [outcome for outcome, _, _ in found] == ["corrupt"] * 6
    assert found[0][2] == f"has {WORDS} words, more than any sentence (1000)"


def test_a_sentence_too_long_is_compared_with_no_other(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 326: a book in one sentence would be the near-duplicate of every sentence in it."""
    query = (
        "select distinct sentences.path from intermediate.int_dedup__ngrams "
        "inner join intermediate.int_reading__sentences as sentences using (sentence_number)"
    )
    compared = {path for (path,) in rows(warehouse, query)}
    assert compared >= {"xml versions/Lysias 12 bu1.xml"}
    assert "xml versions/lysias 13 bu1.xml" not in compared


def test_a_sentence_too_long_to_draw_says_so() -> None:
    """Fault 326."""
    size = MOST_LINES + 1
    sentence = Sentence("title", ["1"] * size, {}, [""] * size)
    assert "1,001 tokens are too many to draw (at most 1,000)" in render(sentence, ["human"])


def test_function_words_nested_deeper_than_the_passes_are_named(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 326: no build stops, and twelve are no finding."""
    for position in (1, 2, 3, 4):
        tree = heads(warehouse, NESTED, position)
        assert tree.count(0) == 1
        assert find_cycle(tree) == []
    found = rows(
        warehouse, "select sentence_id, unconverted_nodes, first_source_index from audit.deeply_nested order by all"
    )
    assert found == [
        (f"{NESTED}#1", 38, 1),
        (f"{NESTED}#2", 38, 1),
        (f"{NESTED}#3", 38, 1),
        (f"{LONG}#5", WORDS - 1 - 12, 1),
    ]


@pytest.mark.parametrize("position", range(1, 6))
def test_ids_are_matched_as_written_then_as_numbers_of_any_length(
    warehouse: duckdb.DuckDBPyConnection, position: int
) -> None:
    """Fault 324."""
    assert heads(warehouse, IDS, position) == [2, 3, 0]


def test_a_file_whose_heads_are_repaired_far_above_its_project_is_named(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 324."""
    found = rows(
        warehouse,
        "select project || '/' || path, repair, words, repaired from audit.repaired_files order by all",
    )
    assert (STRANGE_IDS, "missing_head", 6, 2) in found
    assert IDS not in {path for path, *_ in found}


def test_gapped_ids_are_listed_where_heads_as_places_are_better(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 218: heads are ids all the same; where they fit as ids, or equally well, nothing is listed."""
    found = rows(warehouse, "select * exclude (project, path, position) from audit.gapped_ids order by all")
    assert found == [(f"{STRANGE_IDS}#1", 3, 2, 0, 0, 0, 0, 0), (f"{GAPPED}#1", 6, 0, 0, 0, 0, 2, 0)]
    assert heads(warehouse, GAPPED, 2) == [2, 3, 0, 3]


def test_a_text_that_is_not_made_of_its_forms_is_listed(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 256: brackets without blanks, doubled blanks and a range fit."""
    found = rows(warehouse, "select position, place, text_there, forms_there from audit.text_mismatches order by all")
    assert found == [(3, 6, "ὰ Δία", "ὴΔία"), (4, 7, "", " Δία")]


def test_numbers_of_spreadsheets_in_passages_are_mended(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 216b."""
    passages = rows(
        warehouse,
        "select passage from intermediate.int_catalogue__sentences where project || '/' || path = ? order by position",
        SPOILT,
    )
    assert passages == [("1,13",), ("1,1",), (None,), ("1,13",)]
    found = rows(
        warehouse, "select position, source_passage, passage, finding from audit.mended_passages order by position"
    )
    assert [row[:3] for row in found] == [
        (1, "1,1299999999999999", "1,13"),
        (2, "1,1000000000000001", "1,1"),
        (3, "1,3333333333333333", None),
    ]
    assert found[1][3].startswith("nearest short number; a zero at its end would be lost")


def test_a_sound_copy_stays_before_a_corrupt_one_of_a_better_source(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 234: the damaged copy is its exact duplicate; of two sound ones the better source stays."""
    assert [row[:2] for row in outcomes(warehouse, GAPPED)[3:]] == [
        ("exact_duplicate", f"{SOUND}#1"),
        ("entered", None),
    ]
    assert [row[:2] for row in outcomes(warehouse, SOUND)] == [
        ("entered", None),
        ("exact_duplicate", f"{GAPPED}#5"),
    ]


def test_a_fragment_at_the_edge_stays_and_is_listed(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 294."""
    assert [row[:2] for row in outcomes(warehouse, PARTS)] == [("entered", None), ("near_duplicate", f"{IDS}#6")]
    found = rows(warehouse, "select sentence_id, edge, text, neighbour_id, survivor_id from audit.lone_fragments")
    assert found == [(f"{PARTS}#1", "first", "καὶ τότε δὴ ἀνέστη", f"{PARTS}#2", f"{IDS}#6")]
