"""The documentation site: every value leads back to a file, every link somewhere, nothing is asked of a network."""

from __future__ import annotations

import copy
import csv
import html
import html.parser
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import pytest
from conftest import ROOT, Build
from typer.testing import CliRunner

import sphragis
from exports.ask.account.read import read_account
from exports.ask.account.sections import sections
from exports.dataset import schema
from exports.site import write
from exports.site.dbt_docs import read_manifest
from exports.site.declared import NAMED_CONSTANTS, PYTHON_MODELS, published_fields
from exports.site.drawings import bars_picture, flow_picture
from exports.site.graph import Declared, Graph, read_graph
from exports.site.pages import Site, slug
from exports.site.render import render
from exports.site.trace import Field, columns_of, trace
from exports.site.words import DECIDED_IN, DEFINED_IN, FATES, LIMITS
from exports.warehouse import ExportError, open_read_only

HOSTILE = "</script><img src=https://example.org/x onerror=alert(1)>&amp;'\"{{ 7 * 7 }}\x0b"
PLAIN = """
    a body button caption circle code dd desc div dl dt footer form g h1 h2 head header html input label li link main
    meta nav noscript ol p path pre rect span svg table tbody td text th thead title tr ul
"""
"""Elements that pages are made of."""
MOST_BYTES = 40_000_000


@pytest.fixture(scope="module")
def manifest(target: Path) -> dict[str, Any]:
    """What dbt knows of the project, all models compiled."""
    return read_manifest(target)


@pytest.fixture(scope="module")
def traced(sample_build: Build, manifest: dict[str, Any]) -> tuple[Graph, list[Field]]:
    """The lineage of the sample."""
    with closing(open_read_only(sample_build.db)) as con:
        return trace(manifest, columns_of(con))


class Page(html.parser.HTMLParser):
    """The links, ids, and loaded things of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            if name == "href" and tag == "a":
                self.links.append(str(value))
            elif name in ("href", "src", "xlink:href", "srcset", "data", "action", "poster", "style"):
                self.loaded.append(str(value))
            if name.startswith("on"):
                self.handlers.append(name)

    handle_startendtag = handle_starttag


def pages_of(folder: Path) -> Iterator[tuple[Path, Page]]:
    """Yield the pages of the site but for dbt's own."""
    for path in sorted(folder.rglob("*.html")):
        if path.relative_to(folder).parts[0] != "dbt":
            yield path, Page(path.read_text(encoding="utf-8"))


# Lineage --------------------------------------------------------------------------------------------------------------


def test_every_published_field_reaches_a_raw_column_or_is_a_named_constant(traced: tuple[Graph, list[Field]]) -> None:
    graph, fields = traced
    assert [field.name for field in fields] == [name for name, _ in published_fields()]
    assert {field.column for field in fields} == {column.name for column in schema.COLUMNS}
    assert {field.name for field in fields if not field.reaches_raw(graph)} == set(NAMED_CONSTANTS)


def test_columns_of_the_models_are_those_of_the_warehouse(
    sample_build: Build, traced: tuple[Graph, list[Field]]
) -> None:
    graph, _ = traced
    with closing(open_read_only(sample_build.db)) as con:
        found = columns_of(con)
    read: dict[str, list[str]] = {}
    for relation, column in graph.origins:
        if "[]" not in column:
            read.setdefault(relation, []).append(column)
    assert {name: found[name] for name in read if name in found} == {name: read[name] for name in read if name in found}
    assert len([name for name in read if name in found]) > 200


@pytest.mark.parametrize(
    ("field", "kind", "origin"),
    [
        ("conllu_human[].form", "value", ("raw.native_xml_tokens", "form")),
        ("conllu_human[].upos", "value", ("seeds.tag_to_upos", "upos")),
        ("conllu_human[].upos", "look-up", ("raw.native_xml_tokens", "postag")),
        ("conllu_human[].upos", "look-up", ("raw.conllu_tokens", "upos")),
        ("conllu_human[].deprel", "value", ("seeds.relation_reduction", "deprel")),
        ("conllu_human[].deprel", "look-up", ("raw.native_xml_tokens", "relation")),
        ("conllu_human[].head", "look-up", ("raw.native_xml_tokens", "head")),
        ("author", "value", ("seeds.works", "author")),
        ("source_records[].url", "value", ("seeds.projects", "repository")),
        ("source_records[].sentence_id", "value", ("raw.native_xml_sentences", "id")),
        ("native_syntax[].relation", "value", ("raw.native_xml_tokens", "relation")),
    ],
)
def test_known_origins(traced: tuple[Graph, list[Field]], field: str, kind: str, origin: tuple[str, str]) -> None:
    _, fields = traced
    ways = next(one.ways for one in fields if one.name == field)
    assert (kind, origin) in {(way.kind, way.origin) for way in ways}


def test_a_changed_model_moves_the_lineage(
    sample_build: Build, manifest: dict[str, Any], traced: tuple[Graph, list[Field]]
) -> None:
    _, fields = traced
    planted = copy.deepcopy(manifest)
    node = planted["nodes"]["model.sphragis.hub_tokens"]
    assert node["compiled_code"].count("tokens.lemma,") == 1
    node["compiled_code"] = node["compiled_code"].replace("tokens.lemma,", "tokens.form as lemma,")
    with closing(open_read_only(sample_build.db)) as con:
        _, moved = trace(planted, columns_of(con))
    ways = {one.name: {(way.kind, way.origin) for way in one.ways} for one in fields}
    now = {one.name: {(way.kind, way.origin) for way in one.ways} for one in moved}
    assert {name for name in ways if ways[name] != now[name]} == {"conllu_human[].lemma", "conllu_machine[].lemma"}
    assert now["conllu_human[].lemma"] == ways["conllu_human[].form"]
    assert ("value", ("raw.native_xml_tokens", "lemma")) in ways["conllu_human[].lemma"] - now["conllu_human[].lemma"]


def test_a_column_that_is_gone_is_an_error(sample_build: Build, manifest: dict[str, Any]) -> None:
    planted = copy.deepcopy(manifest)
    node = planted["nodes"]["model.sphragis.int_splits__published_tokens"]
    node["compiled_code"] = "select 1 as id"
    with closing(open_read_only(sample_build.db)) as con, pytest.raises(ExportError, match=r"no column|it does not"):
        trace(planted, columns_of(con))


def test_declared_models_have_the_columns_of_the_warehouse(sample_build: Build, manifest: dict[str, Any]) -> None:
    with closing(open_read_only(sample_build.db)) as con:
        found = columns_of(con)
    for name, columns in PYTHON_MODELS.items():
        assert list(columns) == found[f"intermediate.{name}"], name
    wrong: Declared = {name: {"id": [("int_splits__published_tokens", "nowhere", "value")]} for name in PYTHON_MODELS}
    with pytest.raises(ExportError, match="is declared to read"):
        read_graph(manifest, found, wrong)
    with pytest.raises(ExportError, match=r"exports/site/declared\.py"):
        read_graph(manifest, found, {})


# Pages ----------------------------------------------------------------------------------------------------------------


def test_every_field_has_a_page_and_every_word_of_the_vocabulary(site: Path, sample_build: Build) -> None:
    for name, _ in published_fields():
        text = (site / "columns" / f"{slug(name)}.html").read_text(encoding="utf-8")
        for part in ("Example", "Where it comes from", "The rule", "What the rule did", "Known limits", "<svg"):
            assert part in text, (name, part)
    with duckdb.connect(str(sample_build.db), read_only=True) as con:
        for kind, seeds in DEFINED_IN.items():
            for seed, column in seeds:
                for (value,) in con.execute(f"select distinct {column} from seeds.{seed}").fetchall():
                    assert (site / kind / f"{slug(value)}.html").is_file(), (kind, value)
        for kind, query in (
            ("fate", "corpus.sentence_fates"), ("track", "benchmark.tracks"), ("author", "corpus.authors"),
        ):  # fmt: skip
            for (value,) in con.execute(f"select distinct {kind} from {query}").fetchall():
                assert (site / kind / f"{slug(value)}.html").is_file(), (kind, value)
        fates = {fate for (fate,) in con.execute("select distinct fate from corpus.sentence_fates").fetchall()}
        tables = {
            name
            for (name,) in con.execute("select table_name from duckdb_tables() where schema_name = 'seeds'").fetchall()
        }
    assert fates <= set(FATES)
    assert {seed for kind in DECIDED_IN.values() for seed in kind} <= tables


def test_a_relation_has_its_decisions_counts_and_trees(site: Path) -> None:
    text = (site / "relation" / "nmod.html").read_text(encoding="utf-8")
    assert text.count('class="tree"') == 2
    for part in ("universaldependencies.org/u/dep/nmod.html", "seeds/relation_reduction", "By project", "By author"):
        assert part in text
    assert "Published words have it for acl, amod, det, nmod, nummod of the full annotation." in text
    assert "Another project has nearly the same" in (site / "fate" / "near_duplicate.html").read_text(encoding="utf-8")


def test_an_example_names_the_line_of_its_file(site: Path, sample_build: Build) -> None:
    with duckdb.connect(str(sample_build.db), read_only=True) as con:
        known = {
            row[0]: row[1:]
            for row in con.execute(
                "select id, path, line, sentence_id from hub.sentences inner join corpus.sentences using (sentence_id)"
            ).fetchall()
        }
    for name in ("conllu_human[].upos", "text[]", "author", "dedup_key"):
        text = (site / "columns" / f"{slug(name)}.html").read_text(encoding="utf-8")
        row = text.partition("row <code>")[2].partition("</code>")[0]
        path, line, sentence = known[row]
        assert f"<code>{sentence}</code>" in text and f"{path}, line {line}" in text


def test_the_site_is_small_enough(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < MOST_BYTES


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    read = dict(pages_of(site))
    assert len(read) > 500
    for path, page in read.items():
        assert page.loaded == [one for one in page.loaded if not one.startswith(("http:", "https:", "//", "data:"))]
        assert page.handlers == [], path
        for link in [*page.links, *page.loaded]:
            if link.startswith("https://"):
                continue
            place, _, anchor = link.partition("#")
            there = (path.parent / place).resolve() if place else path
            assert there.is_file(), (path, link)
            assert not anchor or anchor in read[there].ids, (path, link)
    for name in ("site.css", "search.js"):
        assert "http" not in (site / name).read_text(encoding="utf-8").replace("http://www.w3.org", "")


def test_every_page_is_reached_from_the_first(site: Path) -> None:
    read = dict(pages_of(site))
    seen: set[Path] = set()
    queue = [site / "index.html"]
    while queue:
        path = queue.pop()
        if path not in seen and path in read:
            seen.add(path)
            queue += [
                (path.parent / link.partition("#")[0]).resolve() for link in read[path].links if "://" not in link
            ]
    assert set(read) - seen == set()


def test_records_of_limits_are_there() -> None:
    numbers = {path.name[:4] for path in (ROOT / "docs" / "decisions").glob("0*.md")}
    assert {f"{number:04d}" for limits in LIMITS.values() for _, number in limits} <= numbers
    assert {column.name for column in schema.COLUMNS} >= set(LIMITS)
    assert all((ROOT / record).is_file() for _, record in FATES.values() if record)


def test_the_site_of_dbt_asks_nothing_and_tells_no_place_of_this_machine(site: Path, target: Path) -> None:
    text = (site / "dbt" / "index.html").read_text(encoding="utf-8")
    assert "hub_tokens" in text
    for part in (str(target), str(ROOT), "sp.js", '"generated_at":"'):
        assert part not in text
    assert "../docs/decisions/0050-splits-in-whole-numbers.md" in text


def test_the_same_build_has_the_same_site(site: Path, sample_build: Build, target: Path, tmp_path: Path) -> None:
    with mock.patch.object(write, "generate", lambda *_: target):
        write.write_site(sample_build.db, sample_build.hub, tmp_path / "again")
    before = {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    after = {p.relative_to(tmp_path / "again"): p.read_bytes() for p in (tmp_path / "again").rglob("*") if p.is_file()}
    assert before.keys() == after.keys()
    assert [path for path in before if before[path] != after[path]] == []


def test_the_lineage_is_a_table_too(site: Path, traced: tuple[Graph, list[Field]]) -> None:
    with (site / "lineage" / "column_lineage.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(len(field.ways) for field in traced[1])
    assert {row["kind"] for row in rows} == {"value", "look-up", "condition", "constant"}
    assert {row["origin"] for row in rows} == {"raw", "seed", "constant"}


def bare(text: str) -> str:
    """Return a cell without its links."""
    return html.unescape(re.sub("<.*?>", "", text))


def test_the_page_of_a_file_has_every_sentence_of_it(site: Path, sample_build: Build) -> None:
    with duckdb.connect(str(sample_build.db), read_only=True) as con:
        query = """
            select
                sentences.project || '/' || sentences.path, sentences.position, sentences.line,
                coalesce(published.id, ''), coalesce(sentences.split, sentences.fate),
                case sentences.fate
                    when 'published' then ''
                    when 'exact_duplicate' then 'its survivor'
                    else fates.reason || if(sentences.survivor_id is null, '', ' (its survivor)')
                end
            from corpus.sentences as sentences
            inner join corpus.sentence_fates as fates using (sentence_id)
            left join hub.sentences as published using (sentence_id)
            order by all
        """
        known: dict[str, list[tuple[Any, ...]]] = {}
        for name, *row in con.execute(query).fetchall():
            known.setdefault(name, []).append(tuple(row))
    for name, found in known.items():
        text = (site / "files" / f"{slug(name)}.html").read_text(encoding="utf-8")
        lines = re.findall(r"<tr id=s(\d+)><td>\d+<td>(\d*)<td>(.*)<td>(\w+)<td>(.*)", text)
        told = [
            (int(position), int(line), bare(published).replace("all about it", ""), split, bare(reason))
            for position, line, published, split, reason in lines
        ]
        assert told == found, name


def test_a_published_id_is_looked_up(site: Path, sample_build: Build) -> None:
    files = json.loads((site / "ids" / "files.js").read_text(encoding="utf-8").partition("= ")[2].rstrip(";\n"))
    found = {}
    for path in (site / "ids").glob("??.js"):
        told = path.read_text(encoding="utf-8").removeprefix(f'SPHRAGIS_FOUND("{path.stem}",').removesuffix(");\n")
        for rest, place in json.loads(told).items():
            number, _, position = place.partition("#")
            found[f"s-{path.stem}{rest}"] = f"{files[int(number)]}#s{position}"
    with duckdb.connect(str(sample_build.db), read_only=True) as con:
        query = "select id, project || '/' || path, position from hub.sentences inner join corpus.sentences "
        query += "using (sentence_id)"
        known = {row[0]: f"files/{slug(row[1])}.html#s{row[2]}" for row in con.execute(query).fetchall()}
    assert found == known


def test_the_page_of_a_sentence_is_its_record(site: Path, sample_build: Build) -> None:
    with closing(open_read_only(sample_build.db)) as con:
        for path in sorted((site / "sentence").glob("*.html"))[::10]:
            text = html.unescape(path.read_text(encoding="utf-8"))
            name = text.partition("<dt>sentence</dt><dd>")[2].partition("<code>")[2].partition("</code>")[0]
            account = read_account(con, name)
            for section in sections(account, 200):
                for line in section.table.lines if section.table else []:
                    assert all(one.text in text for one in line), (name, section.key)
            assert f"line {account.source.line}" in text and str(account.source.address) in text


def test_hostile_values_stay_text(
    sample_build: Build, manifest: dict[str, Any], traced: tuple[Graph, list[Field]], tmp_path: Path
) -> None:
    shutil.copy(sample_build.db, tmp_path / "hostile.duckdb")
    graph, fields = traced
    with duckdb.connect(str(tmp_path / "hostile.duckdb")) as con:
        for statement in (
            "update seeds.relation_reduction set reason = $1",
            "update seeds.ud_relations set reason = $1",
            "update seeds.ud_relations set relation = '../' || $1 where relation = 'acl'",
            "update corpus.sentence_fates set reason = $1, author = $1 where fate = 'quotation'",
            "update corpus.sentence_fates set fate = $1 where fate = 'fragment'",
            "update corpus.sentences set citation = $1",
            "update corpus.projects set attribution = $1, repository = 'javascript:alert(1)'",
            "update benchmark.authors set author = $1 where author = 'Lysias'",
            "update benchmark.tracks set title = $1, reason = $1",
            "update hub.tokens set form = $1 where token = 1",
            "update corpus.sentences set native_text = $1, passage = $1 where position % 2 = 0",
            "update corpus.source_records set annotators = [$1], url = 'javascript:' || $1 where sentence_id like '%1'",
        ):
            con.execute(statement, [HOSTILE])
        pages = render(Site(con, graph, fields, manifest, tmp_path / "no hub", {}, False))
    plain = set(PLAIN.split())
    told = 0
    for path, text in pages.items():
        assert not path.startswith(("/", "..")) and "/../" not in path and "<" not in path
        told += "onerror=alert(1)" in text
        if path.endswith(".html"):
            page = Page(text)
            assert page.tags <= plain | ({"script"} if path == "search.html" else set()), path
            assert page.handlers == [], path
            assert [link for link in page.links if link.startswith("javascript")] == [], path
            assert "\x0b" not in text
    assert told > 40
    assert "</script" not in pages["search_index.js"]


def test_pictures_are_told_in_words_and_escaped() -> None:
    flow = flow_picture({("<a>", "b"): 3, ("c", "b"): 1}, "from", "to")
    assert "&lt;a&gt; 3" in flow and "<a>" not in flow and "4 sentences" in flow
    assert "<title>A &amp; B</title>" in bars_picture("A & B", [("x", [1, 2])], ["p", "q"])


def test_a_folder_that_is_no_site_stays(sample_build: Build, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "letter.txt").write_text("dear", encoding="utf-8")
    asked = ["docs", "--folder", str(folder), "--db", str(sample_build.db)]
    ended = CliRunner().invoke(sphragis.app, asked)
    assert ended.exit_code == 1
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]
    with mock.patch.object(write, "generate", side_effect=ExportError("dbt could not compile")):
        ended = CliRunner().invoke(
            sphragis.app, ["docs", "--folder", str(tmp_path / "new"), "--db", str(sample_build.db)]
        )
    assert ended.exit_code == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]
