"""What is told of a run of dbt while it runs, and the code it ends with."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from runtime import transform
from runtime.transform import Watch, run


def event(name: str, level: str = "debug", msg: str = "", **data: Any) -> Any:
    """Return an event as dbt hands it over."""
    return SimpleNamespace(info=SimpleNamespace(name=name, level=level, msg=msg), data=SimpleNamespace(**data))


def finished(unique_id: str, status: str, message: str = "") -> Any:
    """Return the end of a node."""
    node = SimpleNamespace(unique_id=unique_id, node_name=unique_id.rpartition(".")[2])
    return event("NodeFinished", node_info=node, run_result=SimpleNamespace(status=status, message=message))


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """A run of which dbt has told the number of its nodes."""
    found = {
        "model.sphragis.forms": {"name": "forms", "original_file_path": "models/forms.sql"},
        "test.sphragis.sound": {"name": "sound", "original_file_path": "tests/sound.sql", "description": ""},
    }
    monkeypatch.setattr(Watch, "node", lambda self, unique_id: found.get(unique_id, {}))
    made = Watch()
    made(event("LogStartLine", total=5))
    return made


def test_an_error_is_told_when_it_happens_and_once(watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    message = "Runtime Error in model forms (models/forms.sql)\n  Invalid Input Error: this\n  a,b"
    watch(finished("model.sphragis.forms", "error", message))
    told = capsys.readouterr().err
    assert told == (
        "error: forms (models/forms.sql)\nRuntime Error in model forms (models/forms.sql)\n"
        "Invalid Input Error: this\na,b\n"
    )
    watch(event("LogModelResult", "error", "1 of 5 ERROR"))
    watch(event("RunResultError", "error", message))
    watch(finished("model.sphragis.forms", "error", message))
    assert capsys.readouterr().err == ""


def test_a_failed_test_is_told_with_its_expectation_rows_and_sql(
    watch: Watch, capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sound.sql"
    path.write_text("-- One row per form that is not sound.\nselect 1", encoding="utf-8")
    monkeypatch.setattr(Watch, "compiled", lambda self, node: path)
    monkeypatch.setattr(transform, "first_rows", lambda sql: ["form = \\u001bx", "..."])
    watch(finished("test.sphragis.sound", "fail", "Got 9 results, configured to fail if != 0"))
    assert capsys.readouterr().err.splitlines() == [
        "error: test sound (tests/sound.sql)",
        "  expected: no row; One row per form that is not sound.",
        "  found: Got 9 results, configured to fail if != 0",
        "    form = \\u001bx",
        "    ...",
        f"  SQL: {path}",
    ]


def test_warnings_and_other_errors_are_told_and_ends_are_counted(
    watch: Watch, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        watch(event("Deprecation", "warn", "an old way"))
    watch(event("MainEncounteredError", "error", "Parsing Error\n  in a file\x1b"))
    watch(event("LogTestResult", "info", "PASS"))
    for status in ("success", "pass", "skipped", "fail"):
        watch(finished(f"model.sphragis.{status}", status))
    told = capsys.readouterr().err.splitlines()
    assert told[:4] == ["warning: an old way", "error: Parsing Error", "in a file\\u001b", "error: fail ()"]
    assert watch.summary() == "5 models, seeds and tests: 1 failed, 1 not run for that"


@pytest.mark.parametrize(
    ("ended", "code"),
    [
        (SimpleNamespace(success=True, exception=None), 0),
        (SimpleNamespace(success=False, exception=None), 1),
        (SimpleNamespace(success=False, exception=ValueError("no profile")), 2),
    ],
)
def test_the_codes_are_those_of_dbt(ended: Any, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def invoke(arguments: list[str]) -> Any:
        asked.append(arguments)
        return ended

    monkeypatch.setattr("dbt.cli.main.dbtRunner", lambda callbacks: SimpleNamespace(invoke=invoke))
    assert run(["build", "--select", "x"]) == code
    assert asked == [["--log-level", "none", "--no-print", "build", "--select", "x"]]


def test_an_interrupt_that_dbt_hands_back_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = SimpleNamespace(invoke=lambda arguments: SimpleNamespace(success=False, exception=KeyboardInterrupt()))
    monkeypatch.setattr("dbt.cli.main.dbtRunner", lambda callbacks: runner)
    with pytest.raises(KeyboardInterrupt):
        run(["build"])
