"""The whole way, from files to the dataset folder: determinism, kills, and documents that nobody decided about."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import ROOT, Build, build_environment, connection, copy_build, dbt, mark_finished, run

NO_UNIT_TESTS = ("--exclude-resource-type", "unit_test")
MODELS_ONLY = ("build", "--no-write-json", "--exclude-resource-type", "test", "unit_test")


def fingerprint(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Killed(NamedTuple):
    """A build of the sample whose files are read anew and whose models were killed, beside the last edition."""

    build: Path
    environment: dict[str, str]
    before: tuple[str, str]
    after: tuple[str, str]
    tokens: int


def published(build: Path) -> tuple[str, str]:
    """Return the checksums of what is published."""
    return fingerprint(build / "sphragis.duckdb"), fingerprint(build / "hub" / "SHA256SUMS")


@pytest.fixture(scope="module")
def killed(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """Begin the whole way once more, with other threads and hashes and without a parse, and kill it in the models."""
    build = tmp_path_factory.mktemp("killed") / "build"
    copy_build(sample_build.build, build, "machine", "target")
    before = published(build)
    environment = build_environment(build, None, threads=4, PYTHONHASHSEED="12345", DBT_LOG_FORMAT="text")
    run([sys.executable, "-m", "ingest", "--source", "sample", "--full", "--workers", "4"], environment)
    process = subprocess.Popen(
        dbt(*MODELS_ONLY), cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if "OK created sql table model intermediate.int_reading__tokens" in line:
                break
        else:
            raise AssertionError("the models never began")
        time.sleep(0.2)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    with connection(build / "sphragis.duckdb") as warehouse:
        [(tokens,)] = warehouse.execute("select count(*) from corpus.tokens").fetchall()
    return Killed(build, environment, before, published(build), tokens)


def test_a_kill_in_the_models_leaves_the_last_good_state(killed: Killed) -> None:
    assert killed.after == killed.before
    assert killed.tokens > 0


def test_two_builds_give_the_same_bytes(killed: Killed, sample_build: Build) -> None:
    """The second one was killed on its way, has four threads and other hashes of Python, and trains its own parsers."""
    run(dbt(*MODELS_ONLY, "--quiet"), killed.environment)
    mark_finished(killed.build / "work" / "sphragis.duckdb")
    run([sys.executable, "-m", "exports"], killed.environment)
    sums = (killed.build / "hub" / "SHA256SUMS").read_text(encoding="utf-8")
    assert sums == (sample_build.hub / "SHA256SUMS").read_text(encoding="utf-8")
    parses = [sorted(folder.glob("machine/*/parse.conllu")) for folder in (killed.build, sample_build.build)]
    assert parses[0] and [path.read_bytes() for path in parses[0]] == [path.read_bytes() for path in parses[1]]


def test_the_output_tells_the_counts_by_fate(sample_build: Build) -> None:
    if not sample_build.output:
        pytest.skip("a build made earlier has no output")
    with connection(sample_build.db) as warehouse:
        rows = warehouse.execute("select fate, count(*) from corpus.sentence_fates group by fate").fetchall()
    words = [line.split() for line in sample_build.output.splitlines()]
    for fate, count in rows:
        assert [fate, f"{count:,}"] in words


def write_file(path: Path, relation: str = "PRED", flag: str = "") -> None:
    """Write a file of one sentence in native XML."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'<treebank xml:lang="grc" version="1.5"><sentence id="1" document_id="none" subdoc="1" corrupt="{flag}">'
        f'<word id="1" form="ναί" lemma="ναί" postag="i--------" relation="{relation}" head="0"/>'
        "</sentence></treebank>\n",
        encoding="utf-8",
    )


def test_a_stop_in_the_models_has_its_code_and_one_sentence(sample_build: Build, tmp_path: Path) -> None:
    """The signal goes to the whole group of processes, as from a terminal."""
    build = tmp_path / "build"
    (build / "work").mkdir(parents=True)
    shutil.copy(sample_build.work_db, build / "work")
    environment = build_environment(build, None, SPHRAGIS_MACHINE="none")
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        (build / "logs" / "dbt.log").unlink(missing_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "sphragis", "transform", "run", "--select", "int_text__tokens+", "--threads", "1"],
            cwd=ROOT,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # A run of the tests in the background may ignore it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        try:
            deadline = time.monotonic() + 300
            while "1 of" not in log_of(build) and time.monotonic() < deadline:
                time.sleep(0.1)
            time.sleep(0.2)
            os.killpg(process.pid, number)
            output, _ = process.communicate(timeout=30)
        finally:
            process.kill()
        assert process.returncode == code
        assert output.startswith("stopped by ")
        assert output.count("\n") == 1
        assert all_gone(process.pid)
    with connection(build / "work" / "sphragis.duckdb") as warehouse:
        assert warehouse.execute("select count(*) > 0 from raw.files").fetchall() == [(True,)]


def all_gone(group: int) -> bool:
    """Whether no process of a group is left, some seconds after its first one."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def log_of(build: Path) -> str:
    """Return what dbt has written into its log so far."""
    log = build / "logs" / "dbt.log"
    return log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""


UNDECIDED = """
Files of the treebanks (sentences that do not say which document they belong to: no row can mend them. Give them back \
what document_name_pattern of seeds/catalogue/projects.csv finds in document_name_place: the path of the file, the \
sent_id, or the comment source)
project,path,line of the first of them,its sent_id,sentences
ud_proiel,grc_proiel-ud-dev.conllu,5,13,1

seeds/catalogue/documents.csv (the decision is keep, exclude or skip)
project,document_match,title,decision,reason,source
agdt,tlg9999.tlg001,,,,
gorman,"nobody, 1 1-10.xml",,,,

seeds/catalogue/works.csv (the title is the usual English or Latin one, the author is empty where the work has none; \
a new author needs a row in seeds/catalogue/authors.csv (author,kind,reason,source), a new genre one in \
seeds/catalogue/genres.csv (genre,description))
canonical_work,title,author,genre,reason,source
"nobody, 1 1-10.xml",,,,,
tlg9999.tlg001,,,,,

seeds/catalogue/work_aliases.csv (only where the document belongs to a work of another name: it takes the place of the \
row of the document in works.csv, and the work has or gets one under its own name)
project,document_match,canonical_work,reason,source
gorman,"nobody, 1 1-10.xml",,,

seeds/catalogue/source_flags.csv (the decision is keep or exclude)
project,flag,decision,meaning,reason,source
pedalion,neu,,,,

seeds/annotation/relations.csv (how the label is read; a label that the rule may read takes a row in seeds/annotation/\
allowed_labels.csv (relation,reason) instead)
relation,base,co,ap,source,reason
QUUX_CO,,,,,
"""
"""What the message names: a sentence of no document; two documents, a flag and a label, under their seeds."""

NO_SOURCE = """# sent_id = 12
# source = Histories, Book 1
1\tναί\tναί\tADV\tDf\t_\t0\troot\t_\t_

# sent_id = 13
1\tναί\tναί\tADV\tDf\t_\t0\troot\t_\t_

"""


def test_all_that_nobody_decided_about_is_named_at_once_before_anything_is_built(
    sample_build: Build, tmp_path: Path
) -> None:
    build, treebanks = tmp_path / "build", tmp_path / "treebanks"
    copy_build(sample_build.build, build)
    before = published(build)
    write_file(treebanks / "gorman" / "xml versions" / "nobody, 1 1-10.xml")
    write_file(treebanks / "agdt" / "v2.1" / "Greek" / "texts" / "tlg9999.tlg001.xml", relation="QUUX_CO")
    write_file(treebanks / "pedalion" / "public" / "xml" / "euripides_medea.xml", flag="neu")
    (treebanks / "ud_proiel").mkdir()
    (treebanks / "ud_proiel" / "grc_proiel-ud-dev.conllu").write_text(NO_SOURCE, encoding="utf-8")
    environment = build_environment(build, treebanks)
    run([sys.executable, "-m", "ingest"], environment)
    transform = [sys.executable, "-m", "sphragis", "transform", "build", *NO_UNIT_TESTS]
    failed = run(transform, environment, check=False)
    assert failed.returncode == 1
    assert "Nobody decided about a part of the input" in failed.stdout
    assert UNDECIDED in failed.stdout
    assert failed.stdout.count("error: ") == 2  # this one, and the count at the end
    results = json.loads((build / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    ended = {result["unique_id"].rpartition(".")[2]: result["status"] for result in results}
    assert ended["int_catalogue__checked_input"] == "error"
    assert {ended[name] for name in ("int_reading__tokens", "int_catalogue__documents", "hub_rows")} == {"skipped"}
    refused = run([sys.executable, "-m", "exports"], environment, check=False)
    assert refused.returncode == 1
    assert "were not built to the end from the input that is there: run `dbt build`" in refused.stdout
    assert published(build) == before


def test_a_flag_or_a_label_that_nobody_read_stops_dbt_itself_before_the_tokens(tmp_path: Path) -> None:
    treebanks = tmp_path / "treebanks"
    write_file(treebanks / "pedalion" / "public" / "xml" / "euripides_medea.xml", relation="QUUX_CO", flag="neu")
    environment = build_environment(tmp_path / "build", treebanks)
    run([sys.executable, "-m", "ingest"], environment)
    failed = run(
        dbt("build", "--select", "+int_reading__tokens", "path:seeds", *NO_UNIT_TESTS), environment, check=False
    )
    assert failed.returncode == 1
    for line in ("source_flags.csv", "pedalion,neu,,,,", "relations.csv", "QUUX_CO,,,,,"):
        assert line in failed.stdout
    assert "documents.csv" not in failed.stdout
    results = json.loads((tmp_path / "build" / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    ended = {result["unique_id"].rpartition(".")[2]: result["status"] for result in results}
    assert ended["int_catalogue__checked_input"] == "success"
    assert ended["int_reading__tokens"] == "skipped"


def test_dbt_without_input_says_what_to_do(tmp_path: Path) -> None:
    failed = run(dbt("run", "--quiet", "--no-write-json"), build_environment(tmp_path / "new", None), check=False)
    assert failed.returncode != 0
    assert "run `python -m ingest` first" in failed.stdout
    assert "Traceback" not in failed.stdout


def test_dbt_on_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "sphragis.duckdb").write_bytes(b"no database" * 1000)
    failed = run(dbt("run", "--quiet", "--no-write-json"), build_environment(tmp_path, None), check=False)
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
