"""Every worked query of the cookbook runs on the published warehouse and finds something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT, Build, connection

COOKBOOK = sorted((ROOT / "analyses" / "cookbook").glob("*.sql"))


def published(sql: str) -> str:
    """Return a query with `ref('corpus_tokens')` written as the table it stands for."""
    return re.sub(r"\{\{ ref\('([a-z]+)_([a-z_]+)'\) \}\}", r"\1.\2", sql)


def test_there_are_queries() -> None:
    assert COOKBOOK


@pytest.mark.parametrize("path", COOKBOOK, ids=lambda path: path.stem)
def test_query_runs_and_finds_something(path: Path, sample_build: Build) -> None:
    sql = path.read_text(encoding="utf-8")
    assert sql.startswith("-- "), "a query begins with the question it answers"
    with connection(sample_build.db) as warehouse:
        assert warehouse.execute(published(sql)).fetchall()


@pytest.mark.real
def test_prose_has_more_articles_than_epic(real_build: Build) -> None:
    sql = (ROOT / "analyses" / "cookbook" / "articles_by_author.sql").read_text(encoding="utf-8")
    with connection(real_build.db) as warehouse:
        rates = {author: rate for author, _, rate in warehouse.execute(published(sql)).fetchall()}
    assert rates["Polybius"] > 3 * rates["Homeric-Iliad"]
