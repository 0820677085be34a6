"""Every construction of the head conversion: the published tree of each fixture is the one worked out by hand.

And every invariant of the published trees has a test that fails when it is broken: the tables made of the fixtures are
broken in one way per invariant, the tests of dbt run once over the damage, and each must find its own kind.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import build_environment, dbt, run
from syntax_fixtures import UNIVERSAL_FOLDER, Fixture, Sentence, load_fixtures, write_treebanks

FIXTURES = load_fixtures()
UNIVERSAL = load_fixtures(UNIVERSAL_FOLDER)
MODELS = (
    "+path:models/intermediate/words",
    "+path:models/intermediate/syntax",
    "path:seeds/annotation",
    "path:seeds/universal",
    *("audit_unknown_relations", "+audit_unknown_tags", "+audit_unknown_features", "+audit_unknown_classes"),
    *(
        "audit_unannotated_sentences",
        "audit_annotation_coverage",
        "audit_shifted_annotations",
        "audit_conversion_changes",
    ),
)
# Nobody has decided about the files of the fixtures; the check of that stops a build before the tokens.
UNDECIDED = ("int_catalogue__checked_input", "int_catalogue__missing_rows")
TESTS = (
    "path:models/intermediate/syntax",
    "path:models/intermediate/words",
    "path:models/intermediate/morphology",
    "path:tests/syntax",
)
SENTENCES = [(fixture, sentence) for fixture in FIXTURES for sentence in fixture.sentences]
UNIVERSAL_SENTENCES = [(fixture, sentence) for fixture in UNIVERSAL for sentence in fixture.sentences]

PUBLISHED = """
    select
        sentences.project, sentences.path, sentences.position,
        words.token_index, words.head, words.relation, words.deprel, trees.head_repair,
        words.upos, words.feats, coalesce(words.lemma, '_'), words.form
    from intermediate.int_words__words as words
    inner join intermediate.int_reading__sentences as sentences using (sentence_number)
    inner join intermediate.int_syntax__trees as trees using (gid)
    order by words.gid
"""

FULL = """
    select
        sentences.project, sentences.path, sentences.position,
        trees.token_index, trees.head, full_annotation.relation, full_annotation.ud_upos, full_annotation.ud_feats
    from intermediate.int_syntax__full_annotation as full_annotation
    inner join intermediate.int_syntax__trees as trees using (gid)
    inner join intermediate.int_reading__sentences as sentences using (sentence_number)
    order by trees.gid
"""


# The damage, as statements on the tables, and the test that must find it.
BREAKAGES = {
    "has_single_root_int_words__words": """
        update intermediate.int_words__words set head = 1 where sentence_number = 7 and head = 0
    """,
    "words_of_the_line_hold_every_token": """
        delete from intermediate.int_words__words
        where gid = (select max(gid) from intermediate.int_words__words where is_joined)
    """,
    "has_single_root": """
        update intermediate.int_syntax__trees set head = 0 where sentence_number = 1 and token_index = 1
    """,
    "has_no_cycle": """
        update intermediate.int_syntax__trees
        set head = case token_index when 1 then 2 else 1 end
        where sentence_number = 2 and token_index in (1, 2) and head <> 0
    """,
    "has_heads_in_range": """
        update intermediate.int_syntax__trees set head = 99 where sentence_number = 3 and token_index = 1
    """,
    "has_contiguous_ids": """
        update intermediate.int_syntax__trees set token_index = 50 where sentence_number = 4 and token_index = 2
    """,
    "accepted_values_int_syntax__trees_deprel": """
        update intermediate.int_syntax__trees set deprel = 'punct' where sentence_number = 5 and token_index = 1
    """,
    "accepted_values_int_morphology__tokens_upos": """
        update intermediate.int_morphology__tokens set upos = 'PROPN'
        where gid = (select min(gid) from intermediate.int_morphology__tokens)
    """,
    "features_are_in_the_inventory": """
        update intermediate.int_morphology__tokens set feats = 'Number=Sing|Case=Nom'
        where gid = (select min(gid) from intermediate.int_morphology__tokens)
    """,
    "function_words_of_native_projects_are_leaves": """
        update intermediate.int_syntax__trees as trees set deprel = 'case'
        where trees.sentence_number = 6 and trees.head = 0
    """,
    "forms_of_trees_rebuild_text": """
        update intermediate.int_text__tokens set form = 'ἄλλο'
        where gid = (select max(gid) from intermediate.int_syntax__native)
    """,
    "published_tokens_are_all_in_trees": """
        delete from intermediate.int_morphology__tokens
        where gid = (select max(gid) from intermediate.int_morphology__tokens)
    """,
    "full_annotation_has_every_token_of_the_trees": """
        delete from intermediate.int_syntax__full_annotation
        where gid = (select max(gid) from intermediate.int_syntax__full_annotation)
    """,
    "full_relations_are_universal": """
        update intermediate.int_syntax__full_annotation set relation = 'SBJ'
        where gid = (select min(gid) from intermediate.int_syntax__full_annotation)
    """,
    "relationships_int_syntax__full_annotation_ud_upos": """
        update intermediate.int_syntax__full_annotation set ud_upos = 'NAME'
        where gid = (select min(gid) from intermediate.int_syntax__full_annotation)
    """,
    "full_features_are_universal": """
        update intermediate.int_syntax__full_annotation set ud_feats = 'Number=Sing|Case=Nom'
        where gid = (select min(gid) from intermediate.int_syntax__full_annotation)
    """,
    "unknown_relations_are_allowed": "update intermediate.int_syntax__labels set is_listed = false where base = 'PRED'",
    "unknown_tags_are_allowed": "update audit.unknown_tags set is_allowed = false",
    "unknown_features_are_allowed": "update audit.unknown_features set is_allowed = false",
    "unknown_classes_are_allowed": "update audit.unknown_classes set is_allowed = false",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All fixtures through the reader and the models once: the folder of the build."""
    folder = tmp_path_factory.mktemp("fixtures")
    write_treebanks(FIXTURES + UNIVERSAL, folder / "treebanks")
    environment = build_environment(folder / "build", folder / "treebanks")
    run([sys.executable, "-m", "ingest"], environment)
    run(dbt("build", "--select", *MODELS, "--exclude", *UNDECIDED, "--resource-types", "seed", "model"), environment)
    return folder / "build"


@pytest.fixture(scope="module")
def converted(built: Path) -> dict[tuple[str, str, int], list[tuple[Any, ...]]]:
    """Published tokens by project, path and position of their sentence."""
    return by_sentence(built, PUBLISHED)


@pytest.fixture(scope="module")
def annotated(built: Path) -> dict[tuple[str, str, int], list[tuple[Any, ...]]]:
    """The same with the full annotation."""
    return by_sentence(built, FULL)


def by_sentence(built: Path, query: str) -> dict[tuple[str, str, int], list[tuple[Any, ...]]]:
    """Rows of a query, of which the first three columns are project, path and position, by these."""
    trees: dict[tuple[str, str, int], list[tuple[Any, ...]]] = {}
    for project, path, position, *token in rows(built, query):
        trees.setdefault((project, path, position), []).append(tuple(token))
    return trees


@pytest.fixture(scope="module")
def failures(built: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the tests of dbt that failed on broken tables."""
    broken = tmp_path_factory.mktemp("broken")
    (broken / "work").mkdir()
    shutil.copy(built / "work" / "sphragis.duckdb", broken / "work")
    with duckdb.connect(str(broken / "work" / "sphragis.duckdb")) as warehouse:
        for statement in BREAKAGES.values():
            warehouse.execute(statement)
    command = dbt("test", "--select", *TESTS, "--exclude", "fingerprints_have_a_reason", "--resource-types", "test")
    run(command, build_environment(broken, None), check=False)
    results = json.loads((broken / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    return {result["unique_id"] for result in results if result["status"] == "fail"}


@pytest.mark.parametrize(
    ("fixture", "sentence"),
    SENTENCES,
    ids=[f"{sentence.construction}-{sentence.position}" for _, sentence in SENTENCES],
)
def test_published_tree_is_the_one_worked_out_by_hand(
    converted: dict[tuple[str, str, int], list[tuple[Any, ...]]], fixture: Fixture, sentence: Sentence
) -> None:
    found = converted.get((fixture.project, fixture.path, sentence.position), [])
    assert [token[:5] for token in found] == [token[:5] for token in sentence.expected]
    if sentence.has_morphology:
        given = [(token[0], token[5], token[6]) for token in sentence.expected if token[5] is not None]
        indexes = {token[0] for token in given}
        assert [(token[0], *token[5:7]) for token in found if token[0] in indexes] == given
    lemmas = {token[0]: token[7] for token in sentence.expected if token[7] is not None}
    assert {token[0]: token[7] for token in found if token[0] in lemmas} == lemmas
    forms = {token[0]: token[8] for token in sentence.expected if token[8] is not None}
    assert {token[0]: token[8] for token in found if token[0] in forms} == forms


@pytest.mark.parametrize(
    ("fixture", "sentence"),
    UNIVERSAL_SENTENCES,
    ids=[f"{sentence.construction}-{sentence.position}" for _, sentence in UNIVERSAL_SENTENCES],
)
def test_full_annotation_is_the_one_worked_out_by_hand(
    annotated: dict[tuple[str, str, int], list[tuple[Any, ...]]], fixture: Fixture, sentence: Sentence
) -> None:
    found = annotated.get((fixture.project, fixture.path, sentence.position), [])
    assert [token[:4] for token in found] == [token[:4] for token in sentence.expected]
    given = [(token[0], token[4]) for token in sentence.expected if token[4] is not None]
    indexes = {index for index, _ in given}
    assert [(token[0], token[4]) for token in found if token[0] in indexes] == given


def rows(built: Path, query: str) -> list[tuple[Any, ...]]:
    """Rows of a query on the tables made of the fixtures."""
    with duckdb.connect(str(built / "work" / "sphragis.duckdb"), read_only=True) as warehouse:
        return [tuple(row) for row in warehouse.execute(query).fetchall()]


def test_labels_that_nobody_read_are_listed_with_their_reading(built: Path) -> None:
    found = rows(
        built,
        "select syntax_scheme, native_relation, base, co, ap, is_allowed from audit.unknown_relations order by all",
    )
    assert found == [
        ("prague", "Auxx", "AuxX", 0, 0, False),
        ("prague", "SBJ_CO_AP", "SBJ", 1, 1, False),
        ("prague", "Sbj", "SBJ", 0, 0, False),
        ("prague", "UNDEFINED_ExD1_SBJ_CO", "UNDEFINED", 1, 0, False),
        ("ud", "Advmod", "advmod", 0, 0, False),
        ("ud", "SBJ", "dep", 0, 0, False),
        ("ud", "nsubj:kind", "nsubj:kind", 0, 0, False),
    ]


def test_slips_in_tags_are_listed_with_what_became_of_them(built: Path) -> None:
    found = rows(
        built,
        "select tag, position, fault, found, became, is_allowed from audit.unknown_tags "
        "where project = 'agdt' order by all",
    )
    assert found == [
        ("--------", 0, "filled_up", "--------", "---------", True),
        ("---------x", 0, "cut_off", "---------x", "---------", False),
        ("auxg", 0, "no_tag", "auxg", "---------", False),
        ("d---------", 0, "cut_off", "d---------", "d--------", True),
        ("d-s---ma-", 3, "impossible_position", "s", "-", False),
        ("d-s---ma-", 7, "impossible_position", "m", "-", False),
        ("d-s---ma-", 8, "impossible_position", "a", "-", False),
        ("n-s---ma--", 0, "cut_off", "n-s---ma--", "n-s---ma-", True),
        ("n-s--ma-", 0, "no_tag", "n-s--ma-", "---------", False),
        ("undefined", 0, "no_tag", "undefined", "---------", True),
        ("v-spiamn-", 5, "impossible_combination", "i", "-", True),
        ("v3spga---", 5, "impossible_combination", "g", "-", False),
        ("v3spia--", 0, "filled_up", "v3spia--", "v3spia---", True),
        ("v3spia--c", 9, "impossible_combination", "c", "-", True),
        ("δ-s---mn-", 1, "unknown_letter", "δ", "-", False),
    ]


def test_features_and_classes_of_ud_that_nobody_read_are_listed(built: Path) -> None:
    found = rows(built, "select feature, fault, tokens, is_allowed from audit.unknown_features order by all")
    assert found == [
        ("", "malformed", 1, False),
        ("Aspect=Imp|Tense=Pqp", "unknown_pair", 1, False),
        ("Case=Acc", "repeated_feature", 1, False),
        ("Case=Nil", "unknown_value", 1, False),
        ("Case=Nom", "unsorted", 1, True),
        ("Gender=Neut,Masc", "unsorted", 1, True),
        ("_", "malformed", 1, False),
        ("doc=T1", "unknown_feature", 1, False),
    ]
    found = rows(built, "select native_upos, read_as, tokens, is_allowed from audit.unknown_classes order by all")
    assert found == [("N--s", None, 1, False), ("verb", "VERB", 1, False)]


def test_sentences_that_were_never_annotated_are_listed(built: Path) -> None:
    found = rows(
        built, "select path, position, words, tags, relations, heads from audit.unannotated_sentences order by all"
    )
    path = "v2.1/Greek/texts/missing_head.xml"
    assert (path, 2, 5, 5, 5, 0) in found
    assert (path, 3, 3, 0, 0, 0) in found
    assert (path, 1, 7, 7, 7, 2) in found
    assert not [row for row in found if row[0].endswith(("cycle.xml", "self_loop.xml", "tags_damaged.xml"))]
    shares = f"select unannotated_sentences, share_with_head from audit.annotation_coverage where path = '{path}'"
    assert rows(built, shares) == [(3, pytest.approx(2 / 15))]


def test_annotation_shifted_by_a_word_is_listed(built: Path) -> None:
    found = rows(
        built,
        "select source_index, finding, findings_in_sentence from audit.shifted_annotations "
        "where sentence_id like '%/tags_damaged.xml#2' order by source_index",
    )
    assert found == [
        (3, "word tagged as punctuation", 3),
        (4, "article with another lemma", 3),
        (6, "mark tagged as a word", 3),
    ]


def test_tokens_that_hung_from_a_removed_node_are_found_with_their_relation(built: Path) -> None:
    found = rows(
        built,
        "select native.token_index, native.relation, native.head, native.head_repair, native.head_converted "
        "from intermediate.int_syntax__native as native "
        "inner join intermediate.int_reading__sentences as sentences using (sentence_number) "
        "where sentences.sentence_id like '%/ellipsis_of_predicate.xml#1' order by native.token_index",
    )
    assert found == [
        (1, "AuxY", "5", "ellipsis", True),
        (2, "SBJ", "5", "ellipsis", True),
        (3, "PNOM", "5", "ellipsis", False),
    ]


def test_repairs_are_counted_by_kind(built: Path) -> None:
    [counts] = rows(
        built,
        "select missing_head, self_loop, cycle, function_words_with_dependents from audit.conversion_changes "
        "where project = 'agdt'",
    )
    assert counts == (13, 1, 2, 0)


@pytest.mark.parametrize("test", sorted(BREAKAGES))
def test_broken_invariant_is_found(failures: set[str], test: str) -> None:
    assert any(f".{test}" in name for name in failures), f"{test} is not among {sorted(failures)}"


def test_every_fixture_has_sentences_and_tokens() -> None:
    assert all(fixture.sentences for fixture in FIXTURES)
    assert all(sentence.expected for _, sentence in SENTENCES)


def test_a_line_without_both_trees_is_named(tmp_path: Path) -> None:
    from syntax_fixtures import read_fixture

    path = tmp_path / "broken.txt"
    path.write_text("# broken\n1 παῖς παῖς n-s---mn- SBJ\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken.txt line 2"):
        read_fixture(path)
