"""The whole way, from files to the dataset folder: determinism, kills, and documents that nobody decided about."""

from __future__ import annotations

import hashlib
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT, Build, build_environment, connection, dbt, run

MODELS_ONLY = ("build", "--quiet", "--exclude-resource-type", "test", "unit_test")


def fingerprint(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def rebuild(build: Path, threads: int, **more: str) -> None:
    """Run the whole way once more without the tests of the models."""
    environment = build_environment(build, None, threads, **more)
    run([sys.executable, "-m", "ingest", "--source", "sample", "--full", "--workers", str(threads)], environment)
    run(dbt(*MODELS_ONLY), environment)
    run([sys.executable, "-m", "exports"], environment)


def test_two_builds_give_the_same_bytes(sample_build: Build, tmp_path: Path) -> None:
    rebuild(tmp_path, threads=4, PYTHONHASHSEED="12345")
    sums = (tmp_path / "hub" / "SHA256SUMS").read_text(encoding="utf-8")
    assert sums == (sample_build.hub / "SHA256SUMS").read_text(encoding="utf-8")


def test_the_output_tells_the_counts_by_fate(sample_build: Build) -> None:
    if not sample_build.output:
        pytest.skip("a build made earlier has no output")
    with connection(sample_build.db) as warehouse:
        rows = warehouse.execute("select fate, count(*) from corpus.sentence_fates group by fate").fetchall()
    words = [line.split() for line in sample_build.output.splitlines()]
    for fate, count in rows:
        assert [fate, f"{count:,}"] in words


def test_a_kill_in_the_models_leaves_the_last_good_state(sample_build: Build, tmp_path: Path) -> None:
    build = tmp_path / "build"
    shutil.copytree(sample_build.build, build)
    database, sums = build / "sphragis.duckdb", build / "hub" / "SHA256SUMS"
    before = fingerprint(database), fingerprint(sums)
    environment = build_environment(build, None)
    environment["DBT_LOG_FORMAT"] = "text"
    process = subprocess.Popen(
        dbt("build", "--exclude-resource-type", "test", "unit_test"),
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if "OK created sql table model intermediate.int_corpus__tokens" in line:
                break
        else:
            raise AssertionError("the models never began")
        time.sleep(0.2)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert (fingerprint(database), fingerprint(sums)) == before
    with connection(database) as warehouse:
        assert warehouse.execute("select count(*) from corpus.tokens").fetchall()[0][0] > 0
    run(dbt(*MODELS_ONLY), environment)
    run([sys.executable, "-m", "exports"], environment)
    assert fingerprint(sums) == before[1]


def write_gorman(folder: Path, name: str) -> None:
    """Write a folder of treebanks that has one file of one sentence."""
    path = folder / "gorman" / "xml versions" / name
    path.parent.mkdir(parents=True)
    path.write_text(
        '<treebank xml:lang="grc" version="1.5"><sentence id="1" document_id="none" subdoc="1">'
        '<word id="1" form="ναί" lemma="ναί" postag="i--------" relation="PRED" head="0"/></sentence></treebank>\n',
        encoding="utf-8",
    )


def test_a_document_without_a_decision_stops_the_build_and_is_named(sample_build: Build, tmp_path: Path) -> None:
    build, treebanks = tmp_path / "build", tmp_path / "treebanks"
    shutil.copytree(sample_build.build, build)
    before = fingerprint(build / "sphragis.duckdb"), fingerprint(build / "hub" / "SHA256SUMS")
    write_gorman(treebanks, "nobody 1 1-10.xml")
    environment = build_environment(build, treebanks)
    run([sys.executable, "-m", "ingest"], environment)
    failed = run(dbt("build", "--quiet", "--exclude-resource-type", "unit_test"), environment, check=False)
    assert failed.returncode == 1
    assert 'Document without a decision: project gorman, document "nobody 1 1-10.xml" (1 sentences)' in failed.stdout
    assert "seeds/catalogue/documents.csv" in failed.stdout
    refused = run([sys.executable, "-m", "exports"], environment, check=False)
    assert refused.returncode == 1
    assert "were not built to the end from the input that is there: run `dbt build`" in refused.stdout
    assert (fingerprint(build / "sphragis.duckdb"), fingerprint(build / "hub" / "SHA256SUMS")) == before


def test_dbt_without_input_says_what_to_do(tmp_path: Path) -> None:
    failed = run(dbt("run", "--quiet"), build_environment(tmp_path / "new", None), check=False)
    assert failed.returncode != 0
    assert "run `python -m ingest` first" in failed.stdout
    assert "Traceback" not in failed.stdout


def test_dbt_on_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "sphragis.duckdb").write_bytes(b"no database" * 1000)
    failed = run(dbt("run", "--quiet"), build_environment(tmp_path, None), check=False)
    assert failed.returncode != 0
    assert "move it away" in failed.stdout
    assert "Traceback" not in failed.stdout


@pytest.mark.real
def test_fates_of_the_real_input_add_up(real_build: Build) -> None:
    with connection(real_build.db) as warehouse:
        (read,) = warehouse.execute(
            "select sum(n) from (select count(*) as n from raw.agdt_sentences"
            + "".join(
                f" union all select count(*) from raw.{project}_sentences"
                for project in ("gorman", "pedalion", "harrington", "ud_perseus", "ud_proiel", "ud_ptnk")
            )
            + ")"
        ).fetchall()[0]
        (fates,) = warehouse.execute("select count(*) from corpus.sentence_fates").fetchall()[0]
        absent = warehouse.execute("select path from raw.files where status = 'absent' order by path").fetchall()
    assert read == fates
    assert absent == [
        ("grc_perseus-ud-train.conllu",),
        ("grc_proiel-ud-train.conllu",),
        ("public/xml/procopius.xml",),
    ]
