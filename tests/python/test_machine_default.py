"""The layer of the default provider on the sample, from the folds of the models to the files of the edition."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from conftest import Build, build_environment, connection, copy_build, dbt, run
from test_machine_layer import sha256_of_the_published_trees


def query(build: Build, sql: str) -> list[tuple[Any, ...]]:
    with connection(build.work_db) as con:
        return [tuple(row) for row in con.execute(sql).fetchall()]


def metadata(build: Build, name: str) -> Any:
    return json.loads((build.hub / "metadata" / name).read_text(encoding="utf-8"))


def test_every_published_sentence_has_a_tree_over_exactly_its_tokens(sample_build: Build) -> None:
    published: dict[str, list[tuple[int, str, str | None]]] = {}
    for path in sorted((sample_build.hub / "data").glob("*_1/*.parquet")):
        for row in pq.read_table(path, columns=["id", "text", "conllu_machine"]).to_pylist():
            [[tree]] = row["conllu_machine"]
            assert " ".join(token["form"] for token in tree) == row["text"][0]
            published[row["id"]] = [(token["id"], token["form"], token["lemma"]) for token in tree]
    tokens: dict[str, list[tuple[int, str, str | None]]] = {}
    for name, *token in query(sample_build, "select id, token, form, lemma from hub.tokens order by id, token"):
        tokens.setdefault(name, []).append((token[0], token[1], token[2]))
    assert published == tokens
    assert query(
        sample_build,
        "select provider, count(*) from corpus.machine_parses inner join hub.sentences using (sentence_id) "
        "group by provider",
    ) == [("crossfit", len(published))]


def test_every_sentence_was_parsed_in_the_fold_of_its_work(sample_build: Build) -> None:
    found = query(
        sample_build,
        "select hub.id, parses.fold, sentences.fold from hub.sentences as hub "
        "inner join corpus.machine_parses as parses using (sentence_id) "
        "inner join intermediate.int_machine__sentences as sentences on hub.id = sentences.id",
    )
    assert {fold for _, fold, _ in found} == {0, 1, 2, 3, 4}
    assert [row for row in found if row[1] != row[2]] == []
    told = metadata(sample_build, "machine_folds.json")
    assert {name: int(fold) for fold, names in told.items() for name in names} == {
        name: fold for name, fold, _ in found
    }
    assert all(names == sorted(names) for names in told.values())


def test_the_manifest_tells_the_provider_the_folds_and_the_checksum_of_the_files(sample_build: Build) -> None:
    manifest = metadata(sample_build, "machine_manifest.json")
    assert manifest["provider"] == "crossfit"
    told = [(part["fold"], part["works"], part["sentences"], part["withheld_sentences"]) for part in manifest["folds"]]
    assert told == query(
        sample_build, "select fold, works, sentences, withheld_sentences from audit.machine_folds order by fold"
    )
    assert manifest["published_conllu_machine_sha256"] == sha256_of_the_published_trees(sample_build)
    report = metadata(sample_build, "build_report.json")["machine_syntax"]
    assert report["published_conllu_machine_sha256"] == manifest["published_conllu_machine_sha256"]


def test_a_second_run_trains_nothing_and_leaves_the_artefact(sample_build: Build, tmp_path: Path) -> None:
    build = tmp_path / "build"
    copy_build(sample_build.build, build, "hub", "target")
    kept = {path: path.stat().st_mtime_ns for path in (build / "machine").rglob("*") if path.is_file()}
    assert any(path.name == "parse.conllu" for path in kept)
    again = run(dbt("run", "--select", "int_machine__parse_provider"), build_environment(build, None))
    assert "epoch" not in again.stdout
    assert {path: path.stat().st_mtime_ns for path in (build / "machine").rglob("*") if path.is_file()} == kept


def test_the_benchmark_trains_and_compares_one_fold(sample_build: Build) -> None:
    sizes = {"hidden": 16, "dimensions": 16, "tag_hidden": 16, "arc_hidden": 16, "relation_hidden": 8, "layers": 1}
    less = {"epochs": 1, "most_trained": 400, "longest_trained": 12, "word_rows": 500, "affix_rows": 1000}
    settings = [f"{name}={number}" for name, number in (sizes | less).items()]
    command = [sys.executable, "-m", "sphragis", "bench", "parser", "--db", str(sample_build.work_db), "--fold", "1"]
    environment = build_environment(sample_build.build, None)
    told = run([*command, *(part for name in settings for part in ("--set", name))], environment).stdout.splitlines()
    [(words,)] = query(
        sample_build,
        "select sum(word_count) from intermediate.int_machine__sentences where fold = 1 and is_training",
    )
    assert told[-3].startswith("fold 1: ")
    assert told[-3].endswith(f" words of other works train, {words:,} are compared")
    backend, epochs, *figures = told[-1].split()
    assert (backend, epochs) == ("crossfit", "1")
    assert all(0 < float(share) < 100 for share in figures[:4])
    for wrong, message in (
        (["--fold", "9"], "the warehouse has the folds [0, 1, 2, 3, 4], not 9"),
        (["--set", "epoch=1"], "no such setting of a profile"),
        (["--set", "epochs=many"], "--set takes NAME=NUMBER, not 'epochs=many'"),
        (["udpipe"], "the backends are crossfit, spacy, not udpipe"),
    ):
        refused = run([*command, *wrong], environment, check=False)
        assert refused.returncode == 1
        assert message in refused.stdout
