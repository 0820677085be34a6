"""A treebank is a row: no list of projects stands elsewhere, and a made-up one goes through by rows and files."""

from __future__ import annotations

import ast
import csv
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOMS, ROOT, Build, build_environment, dbt, mark_finished, run

from ingest.sample import layouts
from ingest.sample.generator import _compose, _passages

PROJECTS = ROOT / "seeds" / "catalogue" / "projects.csv"
SEARCHED = ("models", "macros", "analyses", *ROOMS)
# The writers of the sample, one per project whose files they imitate; their habits are theirs alone.
SAMPLE = ("ingest/sample/layouts.py", "ingest/sample/features.py", "ingest/sample/handmade.py")


def names() -> set[str]:
    with PROJECTS.open(encoding="utf-8", newline="") as file:
        return {row["project"] for row in csv.DictReader(file)}


def collections_of(path: Path) -> Iterator[tuple[int, set[str]]]:
    """Strings of every literal collection, comparison and call of a Python file, with the line where it begins."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.Compare | ast.Call):
            strings = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
            yield node.lineno, {value for value in strings if isinstance(value, str)}


def without_comments(text: str) -> str:
    return re.sub(r"\{#.*?#\}|--[^\n]*", "", text, flags=re.DOTALL)


def test_no_list_of_projects_outside_of_the_seed() -> None:
    """Not in a model, a macro or a template, not in Python, the imitations of the sample left out."""
    known = names()
    found: list[str] = []
    for path in (path for room in SEARCHED for path in (ROOT / room).rglob("*") if path.is_file()):
        place = path.relative_to(ROOT).as_posix()
        if path.suffix in (".sql", ".jinja"):
            text = without_comments(path.read_text(encoding="utf-8"))
            found += [f"{place}: {name}" for name in sorted(known) if re.search(rf"\b{name}\b", text)]
        elif path.suffix == ".py" and place not in SAMPLE:
            found += [
                f"{place}:{line}: {', '.join(sorted(strings & known))}"
                for line, strings in collections_of(path)
                if strings & known
            ]
    assert found == []


def test_sources_of_the_catalogue_are_references() -> None:
    """Each names an entry, a header or a comment of its own row; none is one constant of the whole seed."""
    for name in ("authors", "documents", "source_flags", "work_aliases", "works"):
        with (PROJECTS.parent / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            sources = [row["source"] for row in csv.DictReader(file)]
        assert all(sources) and len(set(sources)) > len(sources) // 4, name


def test_titles_of_works_are_no_names_of_files() -> None:
    with (PROJECTS.parent / "works.csv").open(encoding="utf-8", newline="") as file:
        titles = [row["title"] for row in csv.DictReader(file)]
    odd = re.compile(r"_|\btree\b|\bbu\d|\.xml|\d-\d|^[a-z]|\d{2}")
    assert [title for title in titles if not title or odd.search(title)] == []


# A made-up eighth and ninth treebank.

CHECKOUT = ("analyses", "macros", "models", "seeds", "tests", *ROOMS)
# The part of the sample that they join: one author of the main track.
BESIDE = re.compile(r"project,|.*,Lysias,\d+,")

ROWS: dict[str, list[dict[str, str]]] = {
    "projects": [
        {
            "project": "hamlet",
            "repository": "example/hamlet",
            "revision": "0123456789abcdef0123456789abcdef01234567",
            "revision_date": "2026-01-01",
            "format": "native_xml",
            "files": "texts/*.xml",
            "document_name_place": "path",
            "document_name_pattern": r"([^/]*)\.xml$",
            "document_name_continues": "false",
            "tag_source": "tag",
            "syntax_scheme": "prague",
            "licence": "CC BY 4.0",
            "licence_url": "https://creativecommons.org/licenses/by/4.0/",
            "licence_remark": "it is made up.",
            "source_priority": "8",
            "attribution": "The annotators of the hamlet",
        },
        {
            "project": "ud_hamlet",
            "repository": "example/ud-hamlet",
            "revision": "89abcdef0123456789abcdef0123456789abcdef",
            "revision_date": "2026-01-01",
            "format": "conllu",
            "files": "*.conllu",
            "document_name_place": "source_sentence_id",
            "document_name_pattern": "^[^-]+-([^-]+)-",
            "document_name_continues": "false",
            "passage_pattern": r"-(\d+:\d+)-",
            "tag_source": "features",
            "syntax_scheme": "ud",
            "licence": "CC0 1.0",
            "licence_url": "https://creativecommons.org/publicdomain/zero/1.0/",
            "source_priority": "9",
            "attribution": "Nobody",
        },
    ],
    "documents": [
        {"project": "hamlet", "document_match": "speeches", "title": "Speeches of the hamlet", "decision": "keep"},
        {"project": "ud_hamlet", "document_match": "Ruth", "title": "Letters of the hamlet", "decision": "keep"},
    ],
    "work_aliases": [
        {"project": "hamlet", "document_match": "speeches", "canonical_work": "hamlet:speeches"},
        {"project": "ud_hamlet", "document_match": "Ruth", "canonical_work": "hamlet:letters"},
    ],
    "works": [
        {
            "canonical_work": "hamlet:speeches",
            "title": "On the Boundary Stones",
            "author": "Nomarch",
            "genre": "oratory",
        },
        {"canonical_work": "hamlet:letters", "title": "Letters", "author": "Nauarch", "genre": "epistle"},
    ],
    "authors": [{"author": "Nomarch", "kind": "person"}, {"author": "Nauarch", "kind": "person"}],
}
"""Rows of the seeds of the catalogue, without the reason and the source that each of them has."""


def add_rows(seed: Path, new: list[dict[str, str]]) -> None:
    """Append rows to a seed; what is not given is empty, reason and source left out."""
    with seed.open("r+", encoding="utf-8", newline="") as file:
        columns = csv.DictReader(file).fieldnames or []
        file.seek(0, 2)
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        given = {name: "made up for a test" for name in ("reason", "source") if name in columns}
        writer.writerows({**given, **row} for row in new)


def sentences(part: layouts.Part) -> list[layouts.Sentence]:
    composed = _compose(part, set())
    placed = [layouts.Sentence(tokens, number, "") for number, tokens in enumerate(composed, start=1)]
    _passages(part, placed)
    return placed


def files() -> dict[str, str]:
    """The files of the two treebanks, written in the manner of two others."""
    speeches = layouts.Part("gorman", "speeches.xml", "", "Nomarch", "Isaeus", 640, "section:1", "")
    letters = layouts.Part("ud_ptnk", "letters.conllu", "Ruth", "Nauarch", "other", 40, "verse:1", "")
    return {
        "hamlet/texts/speeches.xml": layouts.xml_document(speeches, layouts.gorman(speeches, sentences(speeches))),
        "ud_hamlet/letters.conllu": layouts.ud_ptnk(letters, sentences(letters)) + "\n\n",
    }


@pytest.fixture(scope="module")
def hamlet(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A checkout with rows and files added and nothing else changed, built and exported from a part of its sample."""
    folder = tmp_path_factory.mktemp("hamlet")
    checkout = folder / "checkout"
    for name in CHECKOUT:
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__", ".*", "robust"))
    for name in ("dbt_project.yml", "profiles.yml", "CITATION.cff"):
        shutil.copy(ROOT / name, checkout)
    for name, new in ROWS.items():
        add_rows(checkout / "seeds" / "catalogue" / f"{name}.csv", new)
    for name, text in files().items():
        path = checkout / "ingest" / "sample" / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    # To be quick: the sample is cut down to one author of another treebank.
    plan = checkout / "ingest" / "sample" / "plan.csv"
    lines = plan.read_text(encoding="utf-8").splitlines(keepends=True)
    plan.write_text("".join(line for line in lines if BESIDE.match(line)), encoding="utf-8")
    shutil.rmtree(checkout / "ingest" / "sample" / "sentences")
    build = folder / "build"
    environment = build_environment(
        build,
        None,
        SPHRAGIS_MACHINE="none",
        PYTHONPATH=str(checkout),
        DBT_PROFILES_DIR=str(checkout),
        DBT_PROJECT_DIR=str(checkout),
    )
    run([sys.executable, "-m", "ingest", "--source", "sample"], environment, cwd=checkout)
    run(dbt("build", "--resource-types", "seed", "model"), environment, cwd=checkout)
    work_db = build / "work" / "sphragis.duckdb"
    mark_finished(work_db, checkout)
    output = run([sys.executable, "-m", "exports"], environment, cwd=checkout).stdout
    return Build(build, build / "sphragis.duckdb", work_db, build / "hub", output)


@pytest.fixture(scope="module")
def warehouse(hamlet: Build) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(hamlet.db), read_only=True) as con:
        yield con


def rows(con: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in con.execute(query).fetchall()]


def test_a_made_up_treebank_is_in_every_layer(warehouse: duckdb.DuckDBPyConnection) -> None:
    """Its own raw tables, staging by format, the work, the corpus."""
    for table, project, count in (
        ("raw.hamlet_sentences", "'hamlet'", 640),
        ("raw.ud_hamlet_sentences", "'ud_hamlet'", 40),
        ("staging.stg_native_xml__sentences", "project", 640),
        ("intermediate.int_catalogue__sentences", "project", 640),
        ("corpus.sentences", "project", 640),
        ("corpus.sentence_fates", "project", 640),
    ):
        name = "ud_hamlet" if count == 40 else "hamlet"
        assert rows(warehouse, f"select count(*) from {table} where {project} = '{name}'") == [(count,)], table
    found = rows(
        warehouse,
        "select project, count(relation) = count(*) filter (where token_index is not null), count(relation) > 100, "
        "bool_and(upos is not null) filter (where word is not null) from corpus.tokens "
        "where project like '%hamlet' group by project order by project",
    )
    assert found == [("hamlet", True, True, True), ("ud_hamlet", True, True, True)]


def test_a_made_up_treebank_is_in_the_catalogue(warehouse: duckdb.DuckDBPyConnection) -> None:
    assert rows(
        warehouse,
        "select project, document_match, author, canonical_work, work, document_title, sentences from corpus.documents "
        "where project like '%hamlet' order by project",
    ) == [
        ("hamlet", "speeches", "Nomarch", "hamlet:speeches", "On the Boundary Stones", "Speeches of the hamlet", 640),
        ("ud_hamlet", "Ruth", "Nauarch", "hamlet:letters", "Letters", "Letters of the hamlet", 40),
    ]
    passages = "select passage from intermediate.int_catalogue__sentences where project = 'ud_hamlet' order by position"
    assert rows(warehouse, f"{passages} limit 2") == [("1.1",), ("1.2",)]


def test_sentences_of_a_made_up_treebank_are_published_or_have_a_fate(warehouse: duckdb.DuckDBPyConnection) -> None:
    fates = dict(
        rows(
            warehouse,
            "select author, list(distinct fate order by fate) from corpus.sentence_fates "
            "where project like '%hamlet' group by author",
        )
    )
    assert "published" in fates["Nomarch"]
    assert fates["Nauarch"] == ["author_below_threshold"]
    (count,) = rows(
        warehouse,
        "select count(*) from benchmark.split_assignments as assignments inner join corpus.sentences as sentences "
        "using (sentence_id) where assignments.track = 'sentence' and sentences.project = 'hamlet'",
    )[0]
    assert count >= 600


def test_a_made_up_treebank_is_named_in_the_dataset(hamlet: Build) -> None:
    """Licence page, manifests, card and rows."""
    licences = (hamlet.hub / "LICENSES.md").read_text(encoding="utf-8")
    assert (
        "CC BY 4.0" in licences
        and "- `hamlet`: it is made up." in licences
        and "The annotators of the hamlet" in licences
    )
    sources = json.loads((hamlet.hub / "metadata" / "source_revisions.json").read_text(encoding="utf-8"))
    assert "hamlet" in json.dumps(sources)
    assert "Nomarch" in (hamlet.hub / "README.md").read_text(encoding="utf-8")
