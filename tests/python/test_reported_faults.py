"""Faults that others have reported, on small files of our own that went through the reader and the models once.

What each number means, and which test covers the others: docs/reported_faults.md.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOT, Build, build_environment, dbt, run

from exports.about import build_report, record
from exports.about.read import table

FOLDER = ROOT / "tests" / "fixtures" / "reported"

# Every file stands for one that the catalogue keeps, so that nothing but its content decides.
PLACES = {
    "marks.xml": "gorman/xml versions/lysias 13 bu1.xml",
    "damaged_forms.xml": "gorman/xml versions/Lysias 12 bu1.xml",
    "lemmas.xml": "gorman/xml versions/Lysias 1 bu1.xml",
    "trees.xml": "gorman/xml versions/Lysias 23 bu1.xml",
    "split_words.xml": "gorman/xml versions/Demosthenes 1 bu1.xml",
    "latin_in_greek.xml": "gorman/xml versions/Antiphon 5 bu2.xml",
    "greek_in_latin.xml": "harrington/public/xml/misctb.326.1.tb.xml",
    "invisible.xml": "agdt/v2.1/Greek/texts/tlg0540.tlg001.perseus-grc1.tb.xml",
    "flags.xml": "pedalion/public/xml/euripides_medea.xml",
    "project_tells.conllu": "ud_proiel/grc_proiel-ud-test.conllu",
}
DEEP = "gorman/xml versions/Aeschines 1 1-50 bu1.xml"
MODELS = (
    "+int_dedup__outcomes",
    "+path:models/audit/text",
    "+int_words__sentences",
    *("+int_syntax__native", "+audit_annotation_coverage", "+audit_shifted_annotations"),
    *("+audit_project_annotation", "+audit_flag_counts"),
)

Rows = list[tuple[Any, ...]]


def deep_sentences(words: int) -> str:
    """Return a file with a ring through all words of a sentence, and with a chain of as many."""
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', '<treebank xml:lang="grc" version="2.1">']
    for position, last_head in enumerate((1, 0), start=1):
        parts.append(f'<sentence id="{position}" subdoc="{position}">')
        for number in range(1, words + 1):
            head = number + 1 if number < words else last_head
            form = "βῆ" if position == 1 else "μῆ"
            parts.append(
                f'<word id="{number}" form="{form}" lemma="{form}" postag="i--------" relation="ExD" head="{head}"/>'
            )
        parts.append("</sentence>")
    return "\n".join([*parts, "</treebank>"])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files through the reader and the models: the folder of the build."""
    folder = tmp_path_factory.mktemp("reported")
    for name, place in PLACES.items():
        path = folder / "treebanks" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / name, path)
    (folder / "treebanks" / DEEP).write_text(deep_sentences(600), encoding="utf-8")
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


def texts(con: duckdb.DuckDBPyConnection, name: str) -> Rows:
    """Text and dedup key of every sentence of a file."""
    query = (
        "select words.text, texts.dedup_key from intermediate.int_text__sentences as texts "
        "left join intermediate.int_words__sentences as words using (sentence_number) "
        "inner join intermediate.int_reading__sentences as sentences using (sentence_number) "
        "where sentences.project || '/' || sentences.path = ? order by sentences.position"
    )
    return rows(con, query, PLACES[name])


def outcomes(con: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    query = (
        "select outcomes.outcome from intermediate.int_dedup__outcomes as outcomes "
        "inner join intermediate.int_reading__sentences as sentences using (sentence_number) "
        "where sentences.project || '/' || sentences.path = ? order by sentences.position"
    )
    return [outcome for (outcome,) in rows(con, query, PLACES[name])]


def tree(con: duckdb.DuckDBPyConnection, place: str, position: int) -> Rows:
    """Form, lemma, head, published relation and repair of every published token of a sentence."""
    query = (
        "select texts.form, texts.lemma, trees.head, trees.deprel, trees.head_repair "
        "from intermediate.int_syntax__trees as trees "
        "inner join intermediate.int_text__tokens as texts using (gid) "
        "inner join intermediate.int_reading__sentences as sentences "
        "on trees.sentence_number = sentences.sentence_number "
        "where sentences.project || '/' || sentences.path = ? and sentences.position = ? order by trees.token_index"
    )
    return rows(con, query, place, position)


def test_every_file_was_read_whole(warehouse: duckdb.DuckDBPyConnection) -> None:
    found = rows(warehouse, "select project || '/' || path, expected from raw.rejects where rows_lost > 0")
    assert found == []


def test_eight_elision_marks_give_one_text_one_key_and_one_lemma(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Faults 9 and 69."""
    assert len(set(texts(warehouse, "marks.xml")[:8])) == 1
    assert texts(warehouse, "marks.xml")[0][0] == "ὑπ ὄρνιθ ηὗρ"
    assert [token[1] for token in tree(warehouse, PLACES["marks.xml"], 8)] == ["ὑπό", "ὄρνις", "εὑρίσκω"]
    assert outcomes(warehouse, "marks.xml")[:8] == ["entered", *["exact_duplicate"] * 7]


def test_both_question_marks_and_both_raised_dots_are_marks(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 11."""
    assert {text for text, _ in texts(warehouse, "marks.xml")[8:10]} == {"ποῦ κάθηται ἄνω"}


def test_three_encodings_of_an_accent_give_one_form_and_one_lemma(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 13."""
    assert len(set(texts(warehouse, "marks.xml")[10:])) == 1
    for position in (11, 12, 13):
        assert [token[:2] for token in tree(warehouse, PLACES["marks.xml"], position)] == [
            ("νόμος", "νόμος"),
            ("κράτει", "κράτω"),
        ]


def test_damaged_words_set_their_sentence_aside_and_are_listed(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Faults 15 and 25."""
    assert outcomes(warehouse, "damaged_forms.xml") == [*["corrupt"] * 5, "entered"]
    assert texts(warehouse, "damaged_forms.xml")[5][0] == "ἡ αἴξ βληχᾶται"
    found = rows(
        warehouse,
        "select native_form, source_token, corruption from audit.corrupt_tokens order by sentence_id, source_index",
    )
    assert found == [
        ("κ/υκνος", "1", "beta_code"),
        ("lu/kos", "1", "beta_code"),
        ("*μοῦσα", "1", "beta_code"),
        ("ὀψὲ—νῦν", "1", "glued_mark"),
        ("πεινῶ;τί", "1", "glued_mark"),
    ]


def test_lemmas_are_repaired_or_null_with_a_reason(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Faults 17 and 19; 13 asks for the count."""
    first, second = (tree(warehouse, PLACES["lemmas.xml"], position) for position in (1, 2))
    assert [token[1] for token in first] == ["ὁ", "ἄρης", "ἀθηνᾶ", "μάχομαι", None]
    assert [token[1] for token in second] == ["λῃστής", None, "ἕπομαι", None, None, None]
    found = rows(
        warehouse,
        "select native_lemma, reason, tokens from audit.untrusted_lemmas where project = 'gorman' order by all",
    )
    assert found == [
        ("", "placeholder", 4),  # with three of the sentence that was only begun
        (";", "placeholder", 1),  # of the sentence whose annotation is shifted
        ("NUMERAL1", "placeholder", 1),
        ("_", "placeholder", 1),
        ("undefined", "placeholder", 1),
        ("λαβδακ\u0301δης", "damaged_marks", 1),
    ]


def test_forms_with_several_lemmas_under_one_tag_are_listed(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 33."""
    found = rows(warehouse, "select form, tag, lemma, tokens, share, lemmas from audit.ambiguous_lemmas order by all")
    assert found == [("ἦν", "v3siia---", "εἰμί", 1, 0.5, 2), ("ἦν", "v3siia---", "ἠμί", 1, 0.5, 2)]


def test_a_ring_is_cut_at_its_first_word(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Faults 1 and 71."""
    assert [(token[2], token[4]) for token in tree(warehouse, PLACES["trees.xml"], 1)] == [
        (2, None),
        (5, "cycle"),
        (4, None),
        (2, None),
        (0, None),
    ]


def test_rings_and_chains_of_hundreds_of_words_end_in_one_tree(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 59."""
    for position, repair in ((1, "cycle"), (2, None)):
        found = tree(warehouse, DEEP, position)
        assert len(found) == 600
        assert [token[2] for token in found].count(0) == 1
        assert [token[4] for token in found if token[4]] == ([repair] if repair else [])


def test_a_blank_head_is_repaired_and_an_unannotated_sentence_is_counted(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Faults 3 and 5; both sentences stay: docs/decisions/0005-unannotated-and-flagged-sentences.md."""
    place = PLACES["trees.xml"]
    assert [token[4] for token in tree(warehouse, place, 2)] == [None, "missing_head", None]
    assert [token[4] for token in tree(warehouse, place, 3)] == ["missing_head"] * 3
    found = rows(
        warehouse,
        "select unannotated_sentences, words from audit.annotation_coverage where project || '/' || path = ?",
        place,
    )
    assert found == [(2, 36)]


def test_the_report_has_the_annotated_share(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 5."""
    report = build_report.annotation(
        table(warehouse, record.ProjectAnnotation),
        table(warehouse, record.FileAnnotation),
        table(warehouse, record.FlagCount),
    )
    assert report["by_project"]["pedalion"]["share_of_words_with"] == {
        "tag": 1.0,
        "relation": 1.0,
        "head": 1.0,
        "lemma": 1.0,
    }
    assert report["by_project"]["gorman"]["unannotated_sentences"] == 2
    assert report["files_with_unannotated_sentences"] == {PLACES["trees.xml"]: {"unannotated": 2, "sentences": 11}}
    assert report["flagged_sentences"] == {"pedalion": {"control": 1, "ja": 1, "koor": 1, "treebanken": 1}}


def test_annotation_shifted_by_a_word_is_listed(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 7."""
    found = rows(
        warehouse,
        "select native_form, finding from audit.shifted_annotations where sentence_id like '%Lysias 23%#5' "
        "order by source_index",
    )
    assert found == [
        ("τὴν", "word tagged as punctuation"),
        ("γέφυραν", "article with another lemma"),
        (";", "mark tagged as a word"),
    ]


def test_several_roots_become_one_and_a_comma_none(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 37."""
    assert [token[2:] for token in tree(warehouse, PLACES["trees.xml"], 6)] == [
        (3, "dep", "extra_root"),
        (3, "dep", "extra_root"),
        (0, "root", None),
    ]
    assert [token[2:4] for token in tree(warehouse, PLACES["trees.xml"], 7)] == [(0, "root"), (1, "conj")]


def test_tags_of_another_length_and_verbal_adjectives(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Faults 21 and 31."""
    query = (
        "select tokens.native_tag, words.tag, words.upos, words.feats from intermediate.int_morphology__words as words "
        "inner join intermediate.int_reading__tokens as tokens using (gid) "
        "inner join intermediate.int_reading__sentences as sentences "
        "on tokens.sentence_number = sentences.sentence_number "
        "where sentences.sentence_id like '%Lysias 23%' and sentences.position in (8, 9) order by gid"
    )
    gerundive = "Case=Nom|Gender=Neut|Number=Sing|VerbForm=Ger"
    present = "Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin|Voice=Act"
    assert [row for row in rows(warehouse, query) if row[1][0] != "u" and row[0] != "AuxG"] == [
        ("v-s---nn-", "v-s-g-nn-", "VERB", gerundive),
        ("v-s-g-nn-", "v-s-g-nn-", "VERB", gerundive),
        ("v3spia--", "v3spia---", "VERB", present),
        ("---------", "---------", "X", None),
        ("", "---------", "X", None),
        ("n-s---fd--", "n-s---fd-", "NOUN", "Case=Dat|Gender=Fem|Number=Sing"),
    ]


def test_words_that_hung_from_an_elided_one_are_known(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 109."""
    found = rows(
        warehouse,
        "select native.token_index, native.relation, native.head, native.head_repair "
        "from intermediate.int_syntax__native as native "
        "inner join intermediate.int_reading__sentences as sentences using (sentence_number) "
        "where sentences.sentence_id like '%Lysias 23%#10' order by native.token_index",
    )
    assert found == [(1, "SBJ", "3", "ellipsis"), (2, "PNOM", "3", "ellipsis")]


def test_heads_are_ids_and_a_repeated_id_is_reported(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 39; that heads are ids, and that the first of two equal ids counts, is a rule of the conversion (R1)."""
    assert [token[2] for token in tree(warehouse, PLACES["trees.xml"], 11)] == [2, 3, 0, 3]
    found = rows(
        warehouse, "select project || '/' || path, sentence, token, rows_lost from raw.rejects where scope = 'token'"
    )
    assert found == [(PLACES["trees.xml"], "11", "9", 0)]


def test_split_and_whole_words_have_one_key_and_the_order_of_the_file(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 27; the words of the line are one (T1), whichever way a file has their parts."""
    one, whole, turned = texts(warehouse, "split_words.xml")
    assert {one[0], whole[0], turned[0]} == {"οὔτε δακρύει μηδὲ στένει"}
    assert one[1] == whole[1] != turned[1]


def test_sentences_without_greek_leave_and_languages_are_compared_both_ways(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    """Fault 35."""
    assert outcomes(warehouse, "latin_in_greek.xml") == ["no_words", "entered", "no_words"]
    found = rows(
        warehouse,
        "select project || '/' || path, declared_language, sentences, sentences_with_greek, finding "
        "from audit.document_languages where finding is not null order by all",
    )
    assert found == [
        (PLACES["latin_in_greek.xml"], "grc", 3, 1, "sentences without Greek in a Greek file"),
        (PLACES["greek_in_latin.xml"], "lat", 2, 1, "Greek sentences in a file of another language"),
    ]


def test_invisible_characters_are_removed_and_counted(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Faults 49 and 51."""
    assert texts(warehouse, "invisible.xml")[0][0] == "ἡ χελιδὼν τὸ ἔαρ ἀγγέλλει"
    assert tree(warehouse, PLACES["invisible.xml"], 1)[4][1] == "ἀγγέλλω"
    found = rows(warehouse, "select field, code_point, occurrences from audit.removed_characters order by all")
    assert found == [
        ("form", "U+0009", 1),
        ("form", "U+000A", 1),
        ("form", "U+200B", 1),
        ("form", "U+FEFF", 1),
        ("lemma", "U+000A", 1),
    ]


def test_flags_of_the_source_are_listed_with_their_meaning(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 117."""
    found = rows(warehouse, "select position, flag, decision from audit.flagged_sentences order by all")
    assert found == [(2, "ja", "keep"), (3, "control", "keep"), (4, "koor", "keep"), (5, "treebanken", "keep")]


def test_a_flag_that_nobody_read_stops_the_build(built: Path, tmp_path: Path) -> None:
    """Faults 23 and 117: a value that is in no table."""
    (tmp_path / "work").mkdir()
    shutil.copy(built / "work" / "sphragis.duckdb", tmp_path / "work")
    with duckdb.connect(str(tmp_path / "work" / "sphragis.duckdb")) as con:
        con.execute("update intermediate.int_catalogue__sentences set source_flag = 'neu' where source_flag = 'ja'")
    command = dbt("test", "--select", "int_catalogue__sentences", "--exclude-resource-type", "unit_test")
    finished = run(command, build_environment(tmp_path, None), check=False)
    assert finished.returncode != 0
    assert re.search(r"FAIL 1 known_source_flag", re.sub(r"\x1b\[\d*m", "", finished.stdout))


def test_values_that_tell_a_ud_project_are_not_published(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Fault 29: no PROPN or DET, no PronType or Definite, no subtype of a relation."""
    query = (
        "select words.upos, words.feats, trees.deprel from intermediate.int_syntax__trees as trees "
        "inner join intermediate.int_morphology__tokens as words using (gid) "
        "inner join intermediate.int_reading__sentences as sentences "
        "on trees.sentence_number = sentences.sentence_number "
        "where sentences.project = 'ud_proiel' order by gid"
    )
    assert rows(warehouse, query) == [
        ("NOUN", "Case=Nom|Gender=Masc|Number=Sing", "nsubj"),
        ("PRON", "Case=Dat|Gender=Fem|Number=Sing", "nmod"),
        ("PRON", "Case=Dat|Gender=Fem|Number=Sing", "nmod"),
        ("NOUN", "Case=Dat|Gender=Fem|Number=Sing", "obl"),
        ("VERB", "Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin|Voice=Act", "root"),
    ]


SQL = sorted(path for folder in ("models", "macros") for path in (ROOT / folder).rglob("*.sql"))


def calls(sql: str, functions: str) -> Iterator[str]:
    """Yield what stands between the parentheses of each call of the functions."""
    for match in re.finditer(rf"(?<![\w.])(?:{functions})\(", sql):
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(sql[end], 0)
            end += 1
        yield sql[match.end() : end - 1]


@pytest.mark.parametrize("path", SQL, ids=lambda path: path.stem)
def test_every_list_has_a_total_order(path: Path) -> None:
    """Fault 65: what is gathered into a list or a string is ordered where it is gathered, or sorted afterwards."""
    sql = path.read_text(encoding="utf-8")
    for opening in ("list_sort(list(", "list_sort(list_distinct(flatten(list("):
        sql = sql.replace(opening, opening.removesuffix("list(") + "(")
    assert [call for call in calls(sql, "list|array_agg|string_agg|group_concat") if "order by" not in call] == []


def test_lower_case_of_the_engine_is_never_the_last_word() -> None:
    """Fault 67: the engine knows no final sigma; only the macro that reads single signs may use its lower()."""
    found = {path.stem for path in SQL if any(True for _ in calls(path.read_text(encoding="utf-8"), "lower|upper"))}
    assert found == {
        "sign_readings",  # one sign at a time; the sigmas are put right where the word is composed
        "int_morphology__written_tags",  # Latin letters
        "sorted_features",
        "int_morphology__feature_parts",
        "int_morphology__native_readings",
        "int_syntax__labels",
        "int_syntax__ud_labels",
        "passage_key",
        "fold",  # the final sigma is folded with the others
    }


def test_second_copies_of_pedalion_are_skipped_by_name() -> None:
    """Fault 115."""
    lines = (ROOT / "seeds" / "catalogue" / "documents.csv").read_text(encoding="utf-8").splitlines()
    decisions = {tuple(line.split(",")[:2]): line for line in lines}
    for name in ("epictetus", "chilia-sentences.xml", "example-sentences.xml"):
        assert ",skip," in decisions["pedalion", name]


def test_the_report_has_the_share_of_shared_content_words(sample_build: Build) -> None:
    """Fault 97."""
    report = json.loads((sample_build.hub / "metadata" / "build_report.json").read_text(encoding="utf-8"))
    found = report["benchmark"]["shared_words"]
    assert found
    assert all(0 <= row["own_share"] <= 1 for row in found)


def test_one_person_has_one_label() -> None:
    """Fault 103: Aesop has one spelling, whatever the projects write."""
    seeds = ROOT / "seeds" / "catalogue"
    labels = {line.split(",")[0] for line in (seeds / "authors.csv").read_text(encoding="utf-8").splitlines()}
    assert "Aesop" in labels and "Aesopus" not in labels
    works = (seeds / "works.csv").read_text(encoding="utf-8")
    assert "Aesopus" not in works
