"""Every construction of the head conversion: the published tree of each fixture is the one worked out by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import build_environment, dbt, run
from syntax_fixtures import Fixture, Sentence, load_fixtures, write_treebanks

FIXTURES = load_fixtures()
SENTENCES = [(fixture, sentence) for fixture in FIXTURES for sentence in fixture.sentences]

PUBLISHED = """
    select
        sentences.project, sentences.path, sentences.position,
        trees.token_index, trees.head, trees.relation, trees.deprel, trees.head_repair,
        morphology.upos, morphology.feats
    from intermediate.int_syntax__trees as trees
    inner join intermediate.int_corpus__sentences as sentences using (sentence_number)
    inner join intermediate.int_morphology__tokens as morphology using (gid)
    order by trees.gid
"""


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, int], list[tuple[Any, ...]]]:
    """All fixtures through the reader and the models once: published tokens by project, path and position."""
    folder = tmp_path_factory.mktemp("fixtures")
    write_treebanks(FIXTURES, folder / "treebanks")
    environment = build_environment(folder / "build", folder / "treebanks")
    run([sys.executable, "-m", "ingest"], environment)
    run(
        dbt("build", "--select", "+int_syntax__native", "+int_morphology__tokens", "--resource-types", "seed", "model"),
        environment,
    )
    with duckdb.connect(str(folder / "build" / "work" / "sphragis.duckdb"), read_only=True) as warehouse:
        trees: dict[tuple[str, str, int], list[tuple[Any, ...]]] = {}
        for project, path, position, *token in warehouse.execute(PUBLISHED).fetchall():
            trees.setdefault((project, path, position), []).append(tuple(token))
    return trees


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
        assert [(token[0], *token[5:]) for token in found if token[0] in indexes] == given


def test_every_fixture_has_sentences_and_tokens() -> None:
    assert all(fixture.sentences for fixture in FIXTURES)
    assert all(sentence.expected for _, sentence in SENTENCES)


def test_a_line_without_both_trees_is_named(tmp_path: Path) -> None:
    from syntax_fixtures import read_fixture

    path = tmp_path / "broken.txt"
    path.write_text("# broken\n1 παῖς παῖς n-s---mn- SBJ\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken.txt line 2"):
        read_fixture(path)
