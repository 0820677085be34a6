"""`sphragis explain`, the macro behind it, and the part of the build report about deduplication."""

from __future__ import annotations

import json
import subprocess
import sys

import duckdb
import pytest
from conftest import ROOT, Build, connection

from exports.about.dedup_report import RULES
from exports.ask.explain import explain
from exports.warehouse import ExportError


def fates(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return one sentence of every fate."""
    found = con.execute(
        "select fate, min(sentence_id) from corpus.sentence_fates group by fate order by fate"
    ).fetchall()
    return dict(found)


def test_every_fate_is_explained_with_its_reason(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        chosen = fates(con)
        assert {"published", "exact_duplicate", "near_duplicate"} <= set(chosen)
        for fate, sentence_id in chosen.items():
            findings = explain(con, sentence_id)
            reason = con.execute(
                "select reason from corpus.sentence_fates where sentence_id = ?", [sentence_id]
            ).fetchall()[0][0]
            by_rule = {finding.rule: finding for finding in findings}
            assert [finding.step for finding in findings] == sorted(finding.step for finding in findings)
            assert by_rule["fate"].finding == f"{fate}: {reason}"
            assert by_rule["source"].finding.startswith(sentence_id.partition("/")[0])


def test_a_near_duplicate_names_its_deciding_pair_and_its_survivor(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        findings = explain(con, fates(con)["near_duplicate"])
        survivor = next(finding for finding in findings if finding.rule == "survivor")
        deciding = [finding for finding in findings if "this pair decided" in finding.finding]
    assert survivor.other_fate not in (None, "near_duplicate", "exact_duplicate", "quotation", "fragment")
    assert len(deciding) == 1
    assert deciding[0].shared is not None and deciding[0].shared >= 3
    assert deciding[0].set_size is not None and deciding[0].other_set_size is not None
    assert 2 * deciding[0].shared >= min(deciding[0].set_size, deciding[0].other_set_size)


def test_an_exact_duplicate_lists_the_copies_and_points_at_the_chosen_one(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        wanted = fates(con)["exact_duplicate"]
        findings = explain(con, wanted)
        survivor = con.execute(
            "select survivor_id from corpus.sentence_fates where sentence_id = ?", [wanted]
        ).fetchall()[0][0]
    assert [finding.other_id for finding in findings if finding.rule == "survivor"] == [survivor]
    assert survivor in [finding.other_id for finding in findings if finding.rule == "exact_duplicate"]


def test_a_published_id_and_a_dedup_key_find_the_same_sentence(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        sentence_id, key = con.execute(
            "select sentence_id, dedup_key from corpus.sentences where fate = 'published'"
            " order by sentence_number limit 1"
        ).fetchall()[0]
        assert explain(con, sentence_id) == explain(con, f"s-{key[:16]}") == explain(con, key)


def test_an_unknown_id_is_an_error_with_help(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        path = con.execute("select project || '/' || path from corpus.sentences limit 1").fetchall()[0][0]
        with pytest.raises(ExportError, match="that file has the sentences 1 to"):
            explain(con, f"{path}#999999")
        chunk, members = con.execute(
            "select chunk_id, constituent_ids from benchmark.chunks where configuration = 'sentence_5' limit 1"
        ).fetchall()[0]
        with pytest.raises(ExportError, match=f"that is a chunk, ask for one of its sentences: {', '.join(members)}$"):
            explain(con, chunk)
        with pytest.raises(ExportError, match="an id is <project>/<path>#<position>"):
            explain(con, "nothing like it")


def test_the_macro_is_in_the_published_copy_with_its_comment(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        found = con.execute(
            "select comment from duckdb_functions() where schema_name = 'corpus' and function_name = 'explain_sentence'"
        ).fetchall()
        assert len(found) == 1
        assert found[0][0]


def test_the_command_prints_text_and_json_and_fails_with_one_message(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        wanted = fates(con)["near_duplicate"]

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "sphragis", "explain", "--db", str(sample_build.db), *arguments],
            cwd=ROOT,
            text=True,
            capture_output=True,
            check=False,
        )

    printed = run(wanted)
    assert printed.returncode == 0
    assert "near_duplicate" in printed.stdout and "survivor" in printed.stdout and "shared 4-grams" in printed.stdout
    [account] = [json.loads(line) for line in run(wanted, "--json").stdout.splitlines()]
    assert [finding["rule"] for finding in account["findings"]][:4] == ["source", "text", "fate", "survivor"]
    failed = run("agdt/no such file#1")
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert failed.stderr.count("\n") == 1


def test_the_report_adds_up_and_holds_nothing_of_the_machine(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        read = con.execute("select count(*) from corpus.sentences").fetchall()[0][0]
    report = json.loads((sample_build.hub / "metadata" / "build_report.json").read_text(encoding="utf-8"))
    made = report["deduplication"]
    assert made["supplied"] == read
    assert made["curated"] == sum(made["by_rule"].values()) + made["entered"]
    for part in ("by_author", "by_project"):
        assert sum(counts["curated"] for counts in made[part].values()) == made["curated"]
        for counts in made[part].values():
            assert counts["curated"] == sum(counts[rule] for rule in RULES) + counts["entered"]
    assert made["pairs"]["by_decision"].get("kept_same_project", 0) == made["same_project_repetition"]["pairs"]
    assert all("seconds" not in row for row in made["minhash"])
