"""What `sphragis bench match` measures: three ways to the same hits, and a difference that is told."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from conftest import ROOT, Build
from typer.testing import CliRunner

import bench.match
import sphragis
from bench.loops import REQUESTS, Measured
from bench.plain import PlainMatcher, Sentence
from exports.ask import reading
from exports.ask.patterns import Question, RequestError, opened
from exports.ask.patterns import search as searching
from exports.ask.patterns.search import match
from exports.warehouse import ExportError


def test_three_ways_come_to_the_same_hits(sample_build: Build) -> None:
    told, is_equal = bench.match.measure(sample_build.db, repeats=1)
    assert is_equal, told
    assert f"hits equal: {len(REQUESTS)} of {len(REQUESTS)}" in told
    assert "times as fast as plain" in told and "times as fast as udapi" in told


def test_a_difference_is_told_and_fails(sample_build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Measured("wrong", "pattern { X [upos=VERB]; X -[nsubj]-> S }", lambda tree: iter([(1, 2)]))
    monkeypatch.setattr(bench.match, "REQUESTS", (wrong,))
    result = CliRunner().invoke(sphragis.app, ["bench", "match", "--db", str(sample_build.db), "--repeats", "1"])
    assert result.exit_code == 1
    assert "not equal: udapi +" in result.output
    assert "hits equal: 0 of 1" in result.output


def test_requests_of_a_folder_have_no_loops(sample_build: Build, tmp_path: Path) -> None:
    (tmp_path / "verbs.req").write_text("pattern { X [upos=VERB, Mood] }", encoding="utf-8")
    (tmp_path / "crossing.req").write_text("pattern { e: A -> B; f: C -> D; e >< f; A [upos=X] }", encoding="utf-8")
    told, is_equal = bench.match.measure(sample_build.db, tmp_path, repeats=1)
    assert is_equal
    assert "crossing (line 1" in told and "the plain matcher does not know this clause" in told
    assert "udapi, " not in told


def test_an_empty_folder_is_told(sample_build: Build, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"has no file \*\.req"):
        bench.match.measure(sample_build.db, tmp_path)


def test_requests_are_those_of_the_kinds_that_people_write() -> None:
    folder = ROOT.parent / "shared" / "cases" / "grew"
    if not folder.is_dir():
        pytest.skip("the requests do not lie beside this checkout")
    assert len(REQUESTS) >= len(list(folder.glob("*.req")))
    assert all(request.loop is not None for request in REQUESTS)


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("pattern { V [upos=VERB]; V -[1=obj]-> O }", {(2, 1)}),
        ("pattern { V [upos=VERB]; V -[obj]-> O }", set()),
        ("pattern { V [upos=VERB]; V -[!2]-> O }", {(2, 3)}),
        ("pattern { V [upos=VERB]; V -[2=*]-> O }", {(2, 1)}),
        ("pattern { A []; B [form<>b]; A < B }", {(0, 1), (2, 3)}),
        ("pattern { A [form=a]; B [form=c]; delta(A,B) = 2 }", {(1, 3)}),
        ("pattern { A [form=a]; B [form=c]; length(B,A) < 2 }", set()),
        ("pattern { A [!Case, upos]; A.form }", {(2,)}),
        ("pattern { A [Case=Acc/upos=VERB] }", {(1,), (2,)}),
        ("pattern { A [form=/A|C/i] }", {(1,), (3,)}),
        ("pattern { e: V -> O; X []; X << e; V [upos=VERB] }", set()),
        ("pattern { V [upos=VERB] } with { V -[discourse]-> * }", {(2,)}),
        ("pattern { V [upos=VERB] } without { * -[root]-> V }", set()),
        ("global { is_projective } pattern { V [upos=VERB] }", {(2,)}),
    ],
)
def test_the_plain_matcher(text: str, hits: set[tuple[int, ...]]) -> None:
    nodes = [
        {"form": "__0__"},
        {"form": "a", "upos": "NOUN", "Case": "Acc"},
        {"form": "b", "upos": "VERB"},
        {"form": "c", "Case": "Nom"},
    ]
    sentence = Sentence(1, nodes, [None, 2, 0, 2], [None, "obj:x", "root", "discourse"])
    question = Question(text)
    matcher = PlainMatcher(question.parts()[0], list(question.compiler()[0].scene.nodes))
    assert set(matcher.hits(sentence)) == hits


def test_what_the_plain_matcher_does_not_know_is_told() -> None:
    with pytest.raises(RequestError, match="does not know"):
        PlainMatcher(Question("pattern { X []; X.form = meta.author }").parts()[0], ["X"])


# -- requests that explode ---------------------------------------------------------------------------------------------


def test_a_request_takes_so_much_disk_at_most(sample_build: Build) -> None:
    with opened(sample_build.db) as con:
        (size,) = con.execute("select current_setting('max_temp_directory_size')").fetchall()[0]
        assert size == "3.7 GiB"
        with pytest.raises(duckdb.Error):
            con.execute("set max_temp_directory_size = '100GB'")


def test_too_many_hits_are_not_listed(sample_build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_LISTED", 10)
    with opened(sample_build.db) as con:
        with pytest.raises(ExportError, match="more than 10 hits are not listed at once"):
            match(con, "pattern { X [upos=VERB] }")
        with pytest.raises(ExportError, match="more than 10 values of a key"):
            match(con, Question("pattern { X [upos=VERB] }", keys=("X.form",)))
        assert len(match(con, "pattern { X [upos=VERB] }", limit=10).hits) == 10
        assert match(con, "pattern { X [upos=VERB] }", is_counted=True).total > 10


def test_a_request_that_needs_too_much_memory_says_so(sample_build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SPILL", "0KB")
    monkeypatch.setenv("SPHRAGIS_MEMORY", "40MB")
    question = Question("pattern { X []; Y []; Z [] }", keys=("(X.form, Y.form, Z.form)",))
    with opened(sample_build.db) as con, pytest.raises(ExportError, match="needs more memory than it may take"):
        match(con, question)
