"""The command `sphragis match`: what it prints and writes, how it ends, and what it refuses to do."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import conllu
import duckdb
import pytest
from match_fixture import warehouse
from match_reference import Sentence
from typer.testing import CliRunner, Result

import sphragis
from exports.ask.patterns.search import Question, match
from exports.ask.reading import opened
from exports.warehouse import ExportError

WORDS = {
    "λέγει": ("λέγω", "VERB", {"Mood": "Ind", "Number": "Sing"}),
    "λύει": ("λύω", "VERB", {"Mood": "Ind", "Number": "Plur"}),
    "ἄνθρωπος": ("ἄνθρωπος", "NOUN", {"Case": "Nom", "Number": "Sing"}),
    "λόγον": ("λόγος", "NOUN", {"Case": "Acc", "Number": "Sing"}),
    "καλόν": ("καλός", "ADJ", {"Case": "Acc", "Number": "Sing"}),
}


def sentence(number: int, *words: tuple[str, int | None, str | None]) -> Sentence:
    """Return a sentence of words of the list, each with head and label."""
    features = [{"form": "__0__"}]
    for form, _, _ in words:
        lemma, upos, universal = WORDS[form]
        features.append({"form": form, "lemma": lemma, "upos": upos, **universal})
    heads = [None, *(head for _, head, _ in words)]
    return Sentence(number, features, heads, [None, *(label for _, _, label in words)], ":", {"author": "Lysias"})


SENTENCES = [
    sentence(1, ("ἄνθρωπος", 2, "nsubj"), ("λέγει", 0, "root"), ("λόγον", 2, "obj")),
    sentence(2, ("λέγει", 0, "root"), ("ἄνθρωπος", 1, "nsubj"), ("καλόν", 4, "nmod"), ("λόγον", 1, "obj")),
    sentence(3, ("καλόν", 3, "nmod"), ("λέγει", 0, "root"), ("λόγον", 2, "obj")),
    sentence(4, ("λύει", 0, "root"), ("ἄνθρωπος", 1, "nsubj:pass"), ("λόγον", 1, "obj")),
]
CLAUSE = "pattern { V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O }"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse of four sentences."""
    path = tmp_path_factory.mktemp("match") / "small.duckdb"
    warehouse({"ud": SENTENCES}, str(path)).close()
    return path


def run(db: Path, *arguments: str) -> Result:
    """Run `sphragis match`."""
    return CliRunner().invoke(sphragis.app, ["match", *arguments, "--db", str(db)])


def test_hits_are_printed_with_their_words(db: Path) -> None:
    result = run(db, CLAUSE)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        "t#1  cited 1  V=2  S=1  O=3",
        "    [S: ἄνθρωπος] [V: λέγει] [O: λόγον]",
        "t#2  cited 2  V=1  S=2  O=4",
        "    [V: λέγει] [S: ἄνθρωπος] καλόν [O: λόγον]",
    ]
    assert "2 hits in 2 of 4 sentences (scope distinct, layer ud): agdt 1, gorman 1" in result.stderr


def test_a_request_may_stand_in_a_file(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "clause.req"
    file.write_text("\ufeff% with a comment\n" + CLAUSE, encoding="utf-8")
    assert run(db, str(file)).stdout == run(db, CLAUSE).stdout


def test_a_limit_does_not_change_the_count(db: Path) -> None:
    result = run(db, CLAUSE, "--limit", "1")
    assert len(result.stdout.splitlines()) == 2
    assert "1 more" in result.stderr and "2 hits" in result.stderr


def test_scopes_reach_further_and_further(db: Path) -> None:
    counts = [run(db, "pattern { V [upos=VERB] }", "--count", "--scope", scope) for scope in ("published", "distinct")]
    assert [result.stdout.splitlines()[1].split(",")[0] for result in counts] == ["3", "4"]
    assert "3 of 3 sentences (scope published" in counts[0].stderr


def test_counts_by_key_have_a_column_per_project(db: Path) -> None:
    result = run(db, CLAUSE, "--key", "V#S#O", "--key", "V.Mood", "--whether", "{ A [upos=ADJ]; O -> A }")
    assert list(csv.reader(io.StringIO(result.stdout))) == [
        ["V#S#O", "V.Mood", "whether", "hits", "sentences", "agdt", "gorman"],
        ["S << V << O", "Ind", "No", "1", "1", "1", "0"],
        ["V << S << O", "Ind", "Yes", "1", "1", "0", "1"],
    ]


KEYS = {
    "S.Case": [["Nom", "2"]],
    "O.Voice": [["__undefined__", "2"]],
    "V -> S": [["nsubj", "2"]],
    "S -> V": [["__none__", "2"]],
    "S <-> V": [["-nsubj", "2"]],
    "length(V,O)": [["1", "1"], ["3", "1"]],
    "delta(V,S)": [["-1", "1"], ["1", "1"]],
    "meta.author": [["Lysias", "2"]],
    "(S.Case, V.Number)": [["Nom", "Sing", "2"]],
    "S.Voice/Case": [["Nom", "2"]],
}


@pytest.mark.parametrize("key", KEYS)
def test_keys(db: Path, key: str) -> None:
    rows = list(csv.reader(io.StringIO(run(db, CLAUSE, "--key", key).stdout)))[1:]
    assert [row[: len(KEYS[key][0])] for row in rows] == KEYS[key]


def test_edges_have_label_parts_length_and_delta(db: Path) -> None:
    for key, wanted in {
        "e.label": "nsubj:pass",
        "e.1": "nsubj",
        "e.2": "pass",
        "e.length": "1",
        "e.delta": "1",
    }.items():
        result = run(db, 'pattern { V [lemma="λύω"]; e: V -[1=nsubj]-> S }', "--key", key)
        assert result.stdout.splitlines()[1].startswith(f"{wanted},1,1"), result.output


def test_csv_and_json_hold_the_same_hits(db: Path, tmp_path: Path) -> None:
    text = "pattern { e: V -[1=nsubj]-> S }"
    result = run(db, text, "--csv", str(tmp_path / "hits.csv"))
    assert (result.exit_code, result.stdout) == (0, "")
    with (tmp_path / "hits.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    told = json.loads(run(db, text, "--json").stdout)
    assert [row["sentence_id"] for row in rows] == [hit["sentence_id"] for hit in told["hits"]] == ["t#1", "t#2", "t#4"]
    assert rows[2] == {
        **{"sentence_id": "t#4", "author": "Lysias", "project": "gorman", "V": "1", "S": "2", "e": "nsubj:pass"},
        "citation": "cited 4",
    }
    assert told["hits"][2]["nodes"] == {"V": 1, "S": 2} and told["hits"][2]["edges"] == {"e": "nsubj:pass"}
    assert (told["hits_total"], told["sentences_asked"], told["scope"]) == (3, 4, "distinct")


def test_conllu_marks_the_hits_and_names_the_source(db: Path, tmp_path: Path) -> None:
    result = run(db, "pattern { X [upos=NOUN] }", "--conllu", str(tmp_path / "hits.conllu"))
    assert result.exit_code == 0, result.output
    sentences = conllu.parse((tmp_path / "hits.conllu").read_text(encoding="utf-8"))
    assert len(sentences) == 4
    first = sentences[0]
    assert first.metadata["sent_id"] == "t#1"
    assert first.metadata["source"] == "t, line 1"
    assert first.metadata["licence"] == "CC BY-SA"
    assert first.metadata["citation"] == "cited 1"
    assert [token["misc"] for token in first] == [{"Hit": "1:X"}, None, {"Hit": "2:X"}]
    assert [(token["head"], token["deprel"]) for token in first] == [(2, "nsubj"), (0, "root"), (2, "obj")]


def test_counts_have_no_sentences(db: Path, tmp_path: Path) -> None:
    result = run(db, CLAUSE, "--key", "V.Mood", "--conllu", str(tmp_path / "x.conllu"))
    assert result.exit_code == 1 and "leave out --key" in result.output


def test_the_printed_statement_gives_the_same_hits(db: Path) -> None:
    statement = run(db, CLAUSE, "--sql").stdout
    with duckdb.connect(str(db), read_only=True) as con:
        rows = con.execute(statement).fetchall()
    assert [row[0] for row in rows] == ["t#1", "t#2"]
    counted = run(db, CLAUSE, "--sql", "--key", "V#S").stdout
    with duckdb.connect(str(db), read_only=True) as con:
        assert [row[:2] for row in con.execute(counted).fetchall()] == [("S << V", 1), ("V << S", 1)]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["pattern { X [upos=VERB], Y [] }"], 2, "error: line 1, column 24: expected ';' or '}', found ','"),
        (["nothing"], 2, "no request and no file: nothing"),
        ([CLAUSE, "--layer", "human"], 2, "--layer is one of ud, published, machine, native, not human"),
        ([CLAUSE, "--scope", "some"], 2, "--scope is one of published, distinct, all, not some"),
        ([CLAUSE, "--key", "Z.upos"], 2, "'Z' is not declared"),
        ([CLAUSE, "--whether", "{ X -> }"], 2, "--whether: line 1, column 8: expected a node or '*'"),
    ],
)
def test_a_wrong_request_ends_with_two(db: Path, arguments: list[str], code: int, told: str) -> None:
    result = run(db, *arguments)
    assert result.exit_code == code
    assert told in result.output


WARNINGS = {
    "pattern { V -[det]-> D }": "the label det never occurs in the layer ud, which has",
    "pattern { V -[nmod]-> D }": "",
    'pattern { X [lemma="λογος"] }': "lemma=λογος never occurs in the layer ud",
    "pattern { V -[2=outer]-> D }": "part 2 = outer of a label never occurs",
    "pattern { X [upos=DET] }": "upos=DET never occurs",
    'pattern { X [lemma=re"λ(ό|ύ).*"] }': "( ) | are letters here",
    "pattern { X [nothing=a] }": "no node has the feature 'nothing'",
}


@pytest.mark.parametrize("text", WARNINGS)
def test_a_silent_zero_is_told(db: Path, text: str) -> None:
    result = run(db, text)
    assert result.exit_code == 0, result.output
    assert WARNINGS[text] in result.stderr
    assert ("warning: line 1, column" in result.stderr) == bool(WARNINGS[text])


@pytest.mark.parametrize(
    "arguments", [[CLAUSE, "--author", "Lysas"], [CLAUSE + ' global { author = "Lysas" }']], ids=["option", "global"]
)
def test_an_author_without_sentences_is_told(db: Path, arguments: list[str]) -> None:
    result = run(db, *arguments)
    assert result.exit_code == 0, result.output
    assert "no sentence has the author Lysas; did you mean Lysias?" in result.stderr
    assert "no sentence has" not in run(db, CLAUSE, "--author", "Lysias").stderr


def test_values_of_some_projects_only_are_told(db: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(db.read_bytes())
    with duckdb.connect(str(copy)) as con:
        con.execute("insert into corpus.inventory values ('ud', 'gorman', 'label', 'root', 4)")
    result = run(copy, "pattern { V -[nmod]-> D }")
    assert "occurs in some projects only (agdt 2), never in gorman" in result.stderr


def test_a_request_that_runs_too_long_is_ended_and_says_so(db: Path, tmp_path: Path) -> None:
    big = tmp_path / "big.duckdb"
    words: list[tuple[str, int | None, str | None]] = [("λόγον", 0, "root")] * 300
    warehouse({"ud": [sentence(1, *words)]}, str(big)).close()
    result = run(big, "pattern { A []; B []; C []; D []; E []; F [] }", "--seconds", "0.2", "--count")
    assert result.exit_code == 1
    assert "took longer than 0.2 seconds and was ended" in result.output


def test_nothing_beside_the_warehouse_can_be_read_or_written(db: Path, tmp_path: Path) -> None:
    with opened(db) as con:
        for statement in (
            f"select * from read_text('{db}')",
            f"copy corpus.nodes to '{tmp_path / 'out.csv'}'",
            "insert into corpus.projects values ('x', 'y')",
            "set enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                con.execute(statement)


def test_catastrophic_expressions_end(db: Path) -> None:
    result = run(db, "pattern { X [form=/(α+)+(α+)+β/] }", "--count")
    assert result.exit_code == 0, result.output


def test_an_older_warehouse_is_told(tmp_path: Path) -> None:
    path = tmp_path / "old.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("create schema corpus")
    with opened(path) as con, pytest.raises(ExportError, match="build it anew"):
        match(con, "pattern { X [upos=VERB] }")


def test_python_asks_the_same(db: Path) -> None:
    with opened(db) as con:
        answer = match(con, Question(CLAUSE, scope="published"))
        assert [hit.nodes for hit in answer.hits] == [{"V": 2, "S": 1, "O": 3}, {"V": 1, "S": 2, "O": 4}]
        assert answer.by_project == {"agdt": 1, "gorman": 1}
        counted = match(con, Question(CLAUSE, keys=("V.Mood",)))
        assert counted.rows == [("Ind", 2, 2, 1, 1)] and counted.columns[0] == "V.Mood"
