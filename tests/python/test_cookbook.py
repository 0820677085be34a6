"""The worked queries of the cookbook: they run on the published warehouse as they are, and find what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from conftest import ROOT, Build, connection

FOLDER = ROOT / "analyses" / "cookbook"
COOKBOOK = sorted(FOLDER.glob("*.sql"))

NOT_IN_THE_SAMPLE = {
    "articular_infinitives",
    "attracted_relatives",
    "attributes_that_do_not_agree",
    "hyperbaton",
    "late_particles",
}
"""Its sentences are made by rule, and no rule makes these."""


def published(sql: str) -> str:
    """Return a query with `ref('corpus_tokens')` written as the table it stands for."""
    return re.sub(r"\{\{ ref\('([a-z]+)_([a-z_]+)'\) \}\}", r"\1.\2", sql)


def answers(con: duckdb.DuckDBPyConnection, name: str) -> list[dict[str, Any]]:
    """Return the rows of a query of the cookbook."""
    cursor = con.execute(published((FOLDER / f"{name}.sql").read_text(encoding="utf-8")))
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def test_there_are_a_dozen_questions_and_more() -> None:
    assert len(COOKBOOK) >= 12


@pytest.mark.parametrize("path", COOKBOOK, ids=lambda path: path.stem)
def test_a_query_is_a_question_with_its_caution(path: Path) -> None:
    sql = path.read_text(encoding="utf-8")
    assert re.match(r"-- .*\?\n-- (.*\n-- )?.*[Oo]ne row per", sql), "it begins with its question"
    assert "{%" not in sql and set(re.findall(r"\{\{ (\w+)", sql)) == {"ref"}, "plain SQL but for the names of tables"
    (entry,) = yaml.safe_load(path.with_suffix(".yml").read_text(encoding="utf-8"))["analyses"]
    assert entry["name"] == path.stem
    assert entry["description"].startswith("One row per ")
    assert entry["description"].count("Caution: ") == 1


@pytest.mark.parametrize("path", COOKBOOK, ids=lambda path: path.stem)
def test_a_query_runs_and_cites(path: Path, sample_build: Build) -> None:
    with connection(sample_build.db) as warehouse:
        rows = answers(warehouse, path.stem)
        again = answers(warehouse, path.stem)
    assert rows == again, "the order is total"
    assert rows or path.stem in NOT_IN_THE_SAMPLE or path.stem == "machine_against_human"
    for row in rows:
        assert row["citation"] or not row["per_10000_words"], "nothing without a place to read it"
        assert row["per_10000_words"] is None or 0 <= row["per_10000_words"] <= 10000


@pytest.mark.parametrize("path", COOKBOOK, ids=lambda path: path.stem)
def test_the_columns_of_an_answer_are_described(path: Path, sample_build: Build) -> None:
    (entry,) = yaml.safe_load(path.with_suffix(".yml").read_text(encoding="utf-8"))["analyses"]
    with connection(sample_build.db) as warehouse:
        found = warehouse.execute(f"describe {published(path.read_text(encoding='utf-8'))}").fetchall()
    assert [column["name"] for column in entry["columns"]] == [row[0] for row in found]
    assert all(column["description"] for column in entry["columns"])


# -- sentences of which the answer is known ----------------------------------------------------------------------------

ATTRIBUTES = ("case", "gender", "number", "verbform", "mood", "person", "tense")
VALUES = {
    **dict.fromkeys(("Nom", "Gen", "Dat", "Acc"), "case"),
    **dict.fromkeys(("Masc", "Fem", "Neut"), "gender"),
    **dict.fromkeys(("Sing", "Plur"), "number"),
    **dict.fromkeys(("Fin", "Inf", "Part"), "verbform"),
    **dict.fromkeys(("Sub", "Opt"), "mood"),
    "3": "person",
    **dict.fromkeys(("Past", "Pres"), "tense"),
}

SENTENCES = {
    "absolute": "τούτων οὗτος PRON Gen 2 nsubj/λεχθέντων λέγω VERB Gen,Part 3 advcl/ἀπῆλθον ἀπέρχομαι VERB Fin 0 root",
    "not absolute": "μετά μετά ADP - 3 case/τούτων οὗτος PRON Gen 3 nsubj/λεχθέντων λέγω VERB Gen,Part 4 advcl/"
    "ἀπῆλθον ἀπέρχομαι VERB Fin 0 root",
    "infinitive": "ἔφη φημί VERB Fin 0 root/ἄνδρα ἀνήρ NOUN Acc 3 nsubj/ἐλθεῖν ἔρχομαι VERB Inf 1 ccomp",
    "hyperbaton": "μεγάλην μέγας ADJ Acc,Fem,Sing 3 amod/ἔχει ἔχω VERB Fin 0 root/"
    "δύναμιν δύναμις NOUN Acc,Fem,Sing 2 obj",
    "below": "μεγάλην μέγας ADJ Acc,Fem,Sing 4 amod/οὖσαν εἰμί VERB Part 4 acl/τὴν ὁ DET - 4 det/"
    "δύναμιν δύναμις NOUN Acc,Fem,Sing 0 root",
    **{f"object {n}": "ἔλαβον λαμβάνω VERB Fin 0 root/δῶρον δῶρον NOUN Acc,Neut,Sing 1 obj" for n in range(9)},
    "attraction": "δώρων δῶρον NOUN Gen 0 root/ὧν ὅς PRON Gen 3 obj/ἔλαβον λαμβάνω VERB Fin 1 acl",
    "no attraction": "δώρων δῶρον NOUN Gen 0 root/ἃ ὅς PRON Acc 3 obj/ἔλαβον λαμβάνω VERB Fin 1 acl",
    "neuter": "ζῷα ζῷον NOUN Nom,Neut,Plur 2 nsubj/τρέχει τρέχω VERB Fin,3,Sing 0 root",
    "neuter plural": "ζῷα ζῷον NOUN Nom,Neut,Plur 2 nsubj/τρέχουσι τρέχω VERB Fin,3,Plur 0 root",
    "articular": "ἐκ ἐκ ADP - 3 case/τοῦ ὁ DET Gen,Neut,Sing 3 det/ζῆν ζάω VERB Inf 0 root",
    "order": "ἀνὴρ ἀνήρ NOUN Nom,Masc,Sing 3 nsubj/ἵππον ἵππος NOUN Acc,Masc,Sing 3 obj/"
    "φιλεῖ φιλέω VERB Fin,3,Sing 0 root",
    "purpose": "ἦλθεν ἔρχομαι VERB Fin,Past 0 root/ἵνα ἵνα SCONJ - 3 mark/ἴδῃ ὁράω VERB Fin,Sub 1 advcl",
    "second": "τοὺς ὁ DET - 2 det/ἄνδρας ἀνήρ NOUN Acc 4 obj/γὰρ γάρ PART - 4 discourse/εἶδον ὁράω VERB Fin 0 root",
    "late": "ἄνδρας ἀνήρ NOUN Acc 2 obj/εἶδον ὁράω VERB Fin 0 root/γὰρ γάρ PART - 2 discourse",
    "pair": "ἀνὴρ ἀνήρ NOUN Nom,Masc,Sing 0 root/καλὴ καλός ADJ Nom,Fem,Sing 1 amod",
    **{f"dative {n}": "ἐν ἐν ADP - 2 case/πόλει πόλις NOUN Dat 0 root" for n in range(120)},
    "rare": "ἐν ἐν ADP - 2 case/ἅιδου ἅιδης NOUN Gen 0 root",
}


def tokens(text: str) -> list[dict[str, Any]]:
    """Return the words of a sentence: form, lemma, class, features, head and relation of each between slashes."""
    found = []
    for index, word in enumerate(text.split("/"), start=1):
        form, lemma, upos, features, head, relation = word.split()
        row: dict[str, Any] = {f"feat_{VALUES[value]}": value for value in features.split(",") if value in VALUES}
        found.append(row | {"token_index": index, "form": form, "lemma": lemma, "ud_upos": upos})
        found[-1] |= {"head": int(head), "relation": relation}
    for row in found:
        row["depth"], above = 1, row["head"]
        while above:
            row["depth"], above = row["depth"] + 1, found[above - 1]["head"]
    return found


def subtree_gaps(words: list[dict[str, Any]], position: int) -> list[int] | None:
    """Return the words between first and last word of a subtree that are not in it."""

    def is_below(index: int) -> bool:
        while index and index != position:
            index = words[index - 1]["head"]
        return bool(index)

    below = [index for index in range(1, len(words) + 1) if is_below(index)]
    return [index for index in range(below[0], below[-1]) if index not in below] or None


def insert(con: duckdb.DuckDBPyConnection, table: str, row: dict[str, Any]) -> None:
    """Insert a row by the names of its columns."""
    con.execute(
        f"insert into {table} by name select " + ", ".join(f"? as {column}" for column in row), list(row.values())
    )


@pytest.fixture(scope="module")
def known(sample_build: Build) -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse in memory with the tables of the published one and the sentences above."""
    with duckdb.connect() as con:
        con.execute(f"attach '{sample_build.db.resolve()}' as sample (read_only)")
        con.execute("create schema corpus")
        for table in ("words", "nodes", "sentences"):
            con.execute(f"create table corpus.{table} as from sample.corpus.{table} limit 0")
        con.execute("detach sample")
        for number, (name, text) in enumerate(SENTENCES.items(), start=1):
            words = tokens(text)
            both = {"sentence_id": f"s#{number:03}", "sentence_number": number, "author": "Lysias"}
            insert(con, "corpus.sentences", both | {"citation": name, "native_text": name, "word_count": len(words)})
            for word in words:
                insert(con, "corpus.words", both | word | {"genre": "oratory"})
                node = {name: value for name, value in word.items() if name.startswith("feat_") or name == "form"}
                node |= {"layer": "ud", "scope": 1, "position": word["token_index"], "upos": word["ud_upos"]}
                node |= {"subtree_gaps": subtree_gaps(words, word["token_index"]), "sentence_number": number}
                insert(con, "corpus.nodes", node)
        yield con


@pytest.mark.parametrize(
    ("name", "citations", "values"),
    [
        (
            "genitive_absolutes",
            ["absolute"],
            {"participle": "λεχθέντων", "subject": "τούτων", "word_order": "subject first"},
        ),
        (
            "accusatives_with_infinitive",
            ["infinitive"],
            {"subject": "ἄνδρα", "infinitive": "ἐλθεῖν", "governor": "φημί"},
        ),
        ("hyperbaton", ["hyperbaton"], {"adjective": "μεγάλην", "verbs_between": "ἔχει", "distance": 2}),
        ("attracted_relatives", ["attraction"], {"antecedent": "δώρων", "relative": "ὧν", "attractions": 1}),
        ("neuter_plural_subjects", ["neuter", "neuter plural"], {"share_singular": 0.5, "subjects": 2}),
        ("articular_infinitives", ["articular"], {"infinitive": "ζῆν", "preposition": "ἐκ", "case_of_article": "Gen"}),
        ("subject_verb_object_order", ["order"], {"word_order": "SOV", "clauses": 1}),
        ("purpose_clauses", ["purpose"], {"conjunction": "ἵνα", "mood": "Sub", "tense_of_governor": "Past"}),
        ("late_particles", ["late"], {"full_words_before": 2, "words_before": "ἄνδρας εἶδον", "share_late": 0.5}),
        ("attributes_that_do_not_agree", ["pair"], {"adjective": "καλὴ", "noun": "ἀνὴρ"}),
        ("prepositions_with_rare_cases", ["rare"], {"noun": "ἅιδου", "occurrences_of_preposition": 121}),
    ],
)
def test_hits_are_those_of_known_sentences(
    name: str, citations: list[str], values: dict[str, Any], known: duckdb.DuckDBPyConnection
) -> None:
    rows = answers(known, name)
    assert [row["citation"] for row in rows] == citations
    assert values.items() <= rows[0].items(), rows[0]


def test_counts_are_per_ten_thousand_words_of_the_author(known: duckdb.DuckDBPyConnection) -> None:
    words = sum(len(text.split("/")) for text in SENTENCES.values())
    assert answers(known, "articular_infinitives")[0]["per_10000_words"] == round(10000 / words, 1)


# -- the treebanks -----------------------------------------------------------------------------------------------------


@pytest.mark.real
@pytest.mark.parametrize("path", COOKBOOK, ids=lambda path: path.stem)
def test_a_query_finds_something_in_the_treebanks(path: Path, real_build: Build) -> None:
    with connection(real_build.db) as warehouse:
        is_parsed = warehouse.execute("select count(*) > 0 from corpus.machine_parses").fetchall()[0][0]
        assert answers(warehouse, path.stem) or (path.stem == "machine_against_human" and not is_parsed)


@pytest.mark.real
def test_prose_has_more_articles_than_epic(real_build: Build) -> None:
    with connection(real_build.db) as warehouse:
        rates = {row["author"]: row["per_10000_words"] for row in answers(warehouse, "articles_by_author")}
    assert rates["Polybius"] > 3 * rates["Homeric-Iliad"]


@pytest.mark.real
def test_what_is_known_of_greek_comes_out(real_build: Build) -> None:
    with connection(real_build.db) as warehouse:
        singular = {row["author"]: row["share_singular"] for row in answers(warehouse, "neuter_plural_subjects")}
        absolutes = {row["author"]: row["per_10000_words"] for row in answers(warehouse, "genitive_absolutes")}
        orders = [
            row["word_order"]
            for row in answers(warehouse, "subject_verb_object_order")
            if row["author"] == "Septuagint"
        ]
        late = {row["author"]: row["share_late"] for row in answers(warehouse, "late_particles")}
        attracted = [row["citation"] for row in answers(warehouse, "attracted_relatives")]
    assert singular["Demosthenes"] > 0.95 > 0.8 > singular["Homeric-Iliad"]
    assert absolutes["Polybius"] > 5 * absolutes["Homeric-Odyssey"]
    assert orders.count("VSO") > 0.7 * len(orders)
    assert late["Menander"] > 4 * late["Aristophanes"]
    # In Homer the place that the grammars discuss, and one formula (ἀνδρῶν ὄμματα θέλγει ὧν ἐθέλει).
    assert "Homeric-Iliad, Iliad, 5.265-5.269" in attracted
    assert sum(place.startswith("Homeric") for place in attracted) == 4 < len(attracted) / 20
