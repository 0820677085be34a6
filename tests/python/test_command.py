"""How a command ends, what reaches the terminal, and which places it takes: every fault is one sentence and a code."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOT, build_environment
from test_export_files import quick, synthetic
from typer.testing import CliRunner

import sphragis
from exports.edition import export as edition
from runtime.command import short, visible
from runtime.errors import SettingsError
from runtime.settings import LONGEST_PATH, Settings, load_settings

__all__ = ["quick"]

WORKS = """
import multiprocessing, sys, time
from runtime.command import run, run_child, starting_workers

def work():
    with starting_workers():
        worker = multiprocessing.get_context("spawn").Process(target=time.sleep, args=[60])
        worker.start()
    print(worker.pid, flush=True)
    try:
        run_child([sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(60)"])
    finally:
        print("cleared up", flush=True)

if __name__ == "__main__":
    run(work)
"""


def program(code: str, **more: Any) -> subprocess.Popen[str]:
    """Start a command made of the words of a test."""
    return subprocess.Popen(
        [sys.executable, "-c", f"from runtime.command import run\n{code}"],
        cwd=ROOT,
        stdout=more.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def is_alive(number: int) -> bool:
    """Whether there is such a process that is not only waiting to be asked for its code."""
    try:
        return Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("number", "to_all", "code"),
    [
        (signal.SIGINT, True, 130),
        (signal.SIGTERM, False, 143),
        (signal.SIGTERM, True, 143),
        (signal.SIGHUP, False, 129),
    ],
)
def test_a_signal_ends_the_command_and_all_it_has_started(
    number: signal.Signals, to_all: bool, code: int, tmp_path: Path
) -> None:
    script = tmp_path / "works.py"
    script.write_text(WORKS, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = subprocess.Popen(
        [sys.executable, str(script)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A run of the tests in the background may ignore it.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    assert command.stdout is not None
    children = [int(command.stdout.readline()), int(command.stdout.readline())]
    if to_all:
        os.killpg(command.pid, number)
    else:
        os.kill(command.pid, number)
    output, errors = command.communicate(timeout=30)
    assert command.returncode == code
    assert output == "cleared up\n"
    assert errors.startswith("stopped by ")
    assert errors.count("\n") == 1
    deadline = time.monotonic() + 10
    while any(map(is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, children))


def test_the_same_signal_twice_is_one_and_what_is_noted_on_the_way_is_told() -> None:
    command = program(
        """
import time
def work():
    try:
        print("on", flush=True)
        time.sleep(60)
    except KeyboardInterrupt as stop:
        time.sleep(0.5)
        stop.add_note("The last edition is as it was")
        raise
run(work)"""
    )
    assert command.stdout is not None
    command.stdout.readline()
    command.send_signal(signal.SIGTERM)
    command.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    command.send_signal(signal.SIGTERM)
    _, errors = command.communicate(timeout=30)
    assert (command.returncode, errors) == (143, "stopped by SIGTERM: The last edition is as it was\n")


def test_a_stop_that_a_library_swallows_is_raised_again() -> None:
    command = program(
        """
import time
def swallow():
    try:
        print("on", flush=True)
        time.sleep(60)
    except:
        pass
def work():
    swallow()
    try:
        time.sleep(60)
    finally:
        print("cleared up", flush=True)
run(work)"""
    )
    assert command.stdout is not None
    command.stdout.readline()
    command.send_signal(signal.SIGTERM)
    output, errors = command.communicate(timeout=10)
    assert (command.returncode, output, errors.count("\n")) == (143, "cleared up\n", 1)


def test_a_signal_that_the_caller_ignores_stays_ignored() -> None:
    code = "import os, signal\nrun(lambda: os.kill(os.getpid(), signal.SIGHUP))"
    command = program(code, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    assert command.communicate(timeout=30) == ("", "")
    assert command.returncode == 0


@pytest.mark.parametrize(
    ("body", "code", "told"),
    [
        ("pass", 0, ""),
        ("raise SystemExit(2)", 2, ""),
        ("raise SystemExit('no such thing')", 1, "error: no such thing\n"),
        ("1 / 0", 1, "error: this is a fault of the program: please report it with the lines above\n"),
    ],
)
def test_the_code_of_a_command_is_that_of_its_end(body: str, code: int, told: str) -> None:
    command = program(f"def work():\n    {body}\nrun(work)")
    _, errors = command.communicate(timeout=30)
    assert command.returncode == code
    assert errors.endswith(told)


PRINTS = "run(lambda: [print('λόγος', number) for number in range(100000)])"


def test_a_reader_that_has_enough_ends_the_command_in_silence() -> None:
    command = program(PRINTS)
    assert command.stdout is not None and command.stderr is not None
    assert command.stdout.readline() == "λόγος 0\n"
    command.stdout.close()
    assert command.stderr.read() == ""
    assert command.wait(30) == 128 + signal.SIGPIPE


@pytest.mark.parametrize("code", [PRINTS, "run(lambda: print('short'))"])
def test_a_full_disk_behind_the_output_is_told_once(code: str) -> None:
    with Path("/dev/full").open("w") as full:
        command = program(code, stdout=full)
        _, errors = command.communicate(timeout=30)
    assert command.returncode == 1
    assert errors == "error: cannot write what was asked for to the standard output: No space left on device\n"


def test_a_closed_output_is_told_and_its_number_is_given_to_no_other_file() -> None:
    command = program("run(lambda: print('lost'))", preexec_fn=lambda: os.close(1))
    _, errors = command.communicate(timeout=30)
    assert command.returncode == 1
    assert errors.startswith("error: cannot write what was asked for to the standard output: ")
    silent = program("run(lambda: None)", preexec_fn=lambda: os.close(1))
    assert (silent.communicate(timeout=30)[1], silent.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "λόγος a\\u001b[31mb\n".encode()),
        ({"PYTHONIOENCODING": "ascii"}, b"\\u03bb\\u03cc\\u03b3\\u03bf\\u03c2 a\\u001b[31mb\n"),
        ({"LANG": "POSIX", "PYTHONIOENCODING": "latin-1"}, b"\\u03bb\\u03cc\\u03b3\\u03bf\\u03c2 a\\u001b[31mb\n"),
    ],
)
def test_any_terminal_gets_the_text_or_its_numbers(settings: dict[str, str], expected: bytes) -> None:
    known = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    code = "from runtime.command import run\nrun(lambda: print('\\u03bb\\u03cc\\u03b3\\u03bf\\u03c2 a\\x1b[31mb'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=known | settings, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")


def test_signs_that_a_terminal_obeys_are_shown_and_json_stays_json() -> None:
    text = "λόγος\x07\x1b]0;title\x9b\u202e\ud800\x7f ᾅ"
    assert visible(text) == "λόγος\\u0007\\u001b]0;title\\u009b\\u202e\\ud800\\u007f ᾅ"
    assert json.loads(visible(json.dumps({"text": "\x9b\x7f\x1b"}, ensure_ascii=False))) == {"text": "\x9b\x7f\x1b"}
    assert len(short("\x1b" * 100_000)) < 200


# Arguments of commands that find nothing or mean nothing, and the code that says so.
ODD = [
    "a\udcff\udcfe#1",
    "s-\x1b[31mred",
    "two\nlines",
    "'; drop table x; --",
    "%s{}{{0}}",
    "",
    "x" * 100_000,
    "../../etc",
]
COMMANDS = [
    ["explain", "{}"],
    ["tree", "{}"],
    ["conllu", "{}"],
    ["tree", "{}", "--svg"],
    ["text", "{}"],
    ["text", "sentence_1", "--split", "{}"],
]
WRONG = [
    ["text", "sentence_1", "--folder", "{missing}"],
    ["conllu", "s-1", "--folder", "{empty}"],
    ["conllu", "s-1", "--folder", "{foreign}"],
    ["text", "sentence_1", "--folder", "{foreign}"],
    ["diff", "{missing}", "{empty}"],
    ["diff", "{foreign}", "{foreign}"],
    ["publish", "--repo", "somebody/x", "--dry-run", "--folder", "{empty}"],
    ["publish", "--repo", "somebody/x", "--dry-run", "--folder", "{foreign}"],
    ["audit", "sample", "--folder", "{foreign}", "--out", "{empty}"],
    ["audit", "compare", "machine", "{missing}"],
    ["audit", "compare", "{empty}", "{empty}"],
    ["tree", "x", "--db", "{missing}"],
    ["tree", "x", "--db", "{empty}"],
    ["tree", "x", "--db", "{damaged}"],
    ["tree", "x", "--db", "{other}"],
    ["explain", "x", "--db", "{empty}"],
    ["explain", "x", "--db", "{damaged}"],
    ["explain", "x", "--db", "{other}"],
    ["tree", "x", "--db", "a\udcff"],
    ["conllu", "s-1", "--folder", "a\udcff"],
    ["text", "sentence_5", "--out", "{file}/below"],
    ["bench", "export", "no_such_configuration"],
    ["bench", "parser", "nothing"],
    ["bench", "parser", "--set", "epochs=many"],
    ["bench", "parser", "--set", "epochs"],
    ["bench", "dedup", "--copies", "1,x"],
    ["bench", "parser", "--db", "{other}"],
]
USAGE = [
    ["nothing"],
    ["--nothing"],
    ["tree"],
    ["explain"],
    ["diff", "one"],
    ["audit", "sample", "--size", "many"],
    ["audit", "sample", "--size", "0"],
    ["export", "--processes", "0"],
    ["ingest", "--workers", "-1"],
    ["ingest", "--source", "nowhere"],
    ["bench", "nothing"],
    ["publish"],
    ["explain", "x", "--db", "{missing}"],
]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A finished build, and what may stand in the place of one."""
    folder = tmp_path_factory.mktemp("places")
    settings = synthetic(folder / "build")
    edition.export(settings)
    foreign = folder / "foreign"
    (foreign / "data" / "sentence_1").mkdir(parents=True)
    (foreign / "data" / "sentence_1" / "test-00000-of-00001.parquet").write_bytes(b"no parquet" * 100)
    (foreign / "SHA256SUMS").write_bytes(b"\xff\xfe no checksums")
    (folder / "empty").mkdir()
    (folder / "file").write_text("a file")
    (folder / "damaged.duckdb").write_bytes(settings.db.read_bytes()[:20_000])
    duckdb.connect(str(folder / "other.duckdb")).close()
    return {
        "build": str(settings.build),
        "missing": str(folder / "missing"),
        "empty": str(folder / "empty"),
        "foreign": str(foreign),
        "file": str(folder / "file"),
        "damaged": str(folder / "damaged.duckdb"),
        "other": str(folder / "other.duckdb"),
    }


def told(arguments: list[str]) -> tuple[int, str]:
    """Run a command in this process: its code and its one message."""
    result = CliRunner().invoke(sphragis.app, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), (arguments, result.exception)
    return result.exit_code, result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_odd_arguments_end_in_one_sentence(
    command: list[str], places: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPHRAGIS_BUILD", places["build"])
    for odd in ODD:
        code, message = told([word.replace("{}", odd) for word in command])
        assert code == 1, (odd, message)
        assert message.startswith("error: "), odd
        assert len(message) < 3000
        assert visible(message.removesuffix("\n")) == message.removesuffix("\n"), odd


@pytest.mark.parametrize("command", WRONG, ids=" ".join)
def test_what_is_missing_or_damaged_is_named_in_one_sentence(
    command: list[str], places: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPHRAGIS_BUILD", places["build"])
    code, message = told([word.format(**places) for word in command])
    assert code == 1, message
    assert message.startswith("error: ")
    assert message.count("\n") == 1, message


@pytest.mark.parametrize("command", USAGE, ids=" ".join)
def test_a_command_line_that_is_wrong_has_the_code_2(command: list[str], places: dict[str, str]) -> None:
    code, message = told([word.format(**places) for word in command])
    assert code == 2, message
    assert "Error: " in message
    assert "Traceback" not in message


@pytest.mark.parametrize("command", [["tree", "x"], ["explain", "x"], ["conllu", "x"], ["text", "x"], ["export"]])
def test_without_a_build_every_command_says_how_to_make_one(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPHRAGIS_BUILD", str(tmp_path / "build"))
    code, message = told(command)
    assert code == 1
    assert "make build" in message


REFUSED = {
    "a?b": "?, # and",
    "a#b": "?, # and",
    "a\\b": "?, # and",
    "a\nb": "control signs",
    "a\x1b[31mb": "control signs",
    "a\udcff": "UTF-8",
    "~/build": "the shell has replaced ~",
    "md:build": "on this machine",
    "s3://bucket/build": "on this machine",
    "x" * 300: "240 in each name",
    "x/" * LONGEST_PATH: "bytes",
}
TAKEN = ["it's a 'b", "a %20 b", "a {{ 1 }} {% b", 'a"b', "a;b$HOME*[c]", "λόγος", "here/", "./a/../b", " a ", "a'b c"]


@pytest.mark.parametrize(("value", "expected"), REFUSED.items(), ids=map(short, REFUSED))
@pytest.mark.parametrize("name", ["SPHRAGIS_BUILD", "SPHRAGIS_DB"])
def test_a_place_that_not_all_parts_can_use_is_refused_in_one_sentence(
    name: str, value: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        load_settings()
    message = str(refused.value)
    assert message.startswith(f"{name}: expected ")
    assert expected in message
    assert visible(message) == message


def test_a_warehouse_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_DB", "a/folder/")
    with pytest.raises(SettingsError, match="expected the path of a file"):
        load_settings()


@pytest.mark.parametrize("value", ["²", "0", "-1", "two", "1e9", "99999999"])
def test_threads_are_a_small_number(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_THREADS", value)
    with pytest.raises(SettingsError, match="expected a whole number"):
        load_settings()


@pytest.mark.parametrize("name", TAKEN)
def test_an_odd_place_can_be_exported_into_and_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of ingest and dbt into such places is that of the engine, which takes them as they are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPHRAGIS_BUILD", name)
    settings = load_settings()
    made = synthetic(tmp_path / "made")
    settings.work_db.parent.mkdir(parents=True)
    shutil.copy(made.work_db, settings.work_db)
    edition.export(settings)
    code, message = told(["text", "sentence_10"])
    assert (code, message) == (0, "")
    code, message = told(["tree", "x"])
    assert (code, message[:7]) == (1, "error: ")


def test_dbt_takes_an_odd_place_and_refuses_another_before_it_begins(tmp_path: Path) -> None:
    environment = build_environment(tmp_path / "it's {{ 1 }} a % b", None)
    environment |= {"DBT_TARGET_PATH": str(tmp_path / "target"), "DBT_LOG_PATH": str(tmp_path / "logs")}
    dbt = [sys.executable, "-m", "sphragis", "transform", "run", "--select", "int_reading__documents"]
    done = subprocess.run(dbt, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    # The place is taken: what is missing are the treebanks.
    assert "run `python -m ingest` first" in done.stderr
    assert "it's {{ 1 }} a % b" in done.stderr
    assert (done.returncode, done.stdout) != (0, "")
    environment["SPHRAGIS_BUILD"] = str(tmp_path / "a#b")
    refused = subprocess.run(dbt, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: SPHRAGIS_BUILD: expected a path without ?, #")
    assert refused.stderr.count("\n") == 1


def test_settings_of_the_environment_are_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_BUILD", str(tmp_path))
    monkeypatch.delenv("SPHRAGIS_DB", raising=False)
    found = load_settings()
    assert isinstance(found, Settings)
    assert (found.build, found.db) == (tmp_path, tmp_path / "sphragis.duckdb")
