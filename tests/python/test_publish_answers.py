"""Bad answers of the Hub: each is one sentence with what to do, and nothing is half published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi
from test_export_publish import NAME, TOKEN, StandIn, exported, hub, quick, sent
from typer.testing import CliRunner

import sphragis
from exports.edition import publish
from exports.warehouse import ExportError
from runtime.settings import Settings

__all__ = ["exported", "hub", "quick"]

# Where the answer comes from, its status and body, and what the message says.
ASKED = f"/api/datasets/{NAME}"
ANSWERS = {
    "a token that is not valid": ("/api/whoami-v2", 401, "{}", "hf auth login"),
    "a token that may not write": ("/api/repos/create", 403, "{}", "the right to write"),
    "a commit that is refused": ("/commit/", 403, "{}", "the right to write"),
    "a repository that is gone": ("/commit/", 404, "{}", "no such repository"),
    "another writer": ("/commit/", 409, "{}", "somebody else is changing"),
    "a commit in between": ("/commit/", 412, "{}", "has changed since"),
    "files that are too large": ("/commit/", 413, "{}", "more than the Hub takes"),
    "no room for more questions": ("/preupload/", 429, "{}", "too many requests"),
    "a fault of the Hub": ("/commit/", 500, "<html>down</html>", "try again later"),
    "a fault before the commit": ("/preupload/", 500, "down", "try again later"),
    "another shape of the commit": ("/commit/", 200, "[]", "not what the library expects"),
    "no JSON for the commit": ("/commit/", 200, "<html>login</html>", "not what the library expects"),
    "no JSON for the modes": ("/preupload/", 200, "\xff", "not what the library expects"),
    "no JSON for the repository": ("/api/repos/create", 200, "ok", "not what the library expects"),
    "a fault at the first question": (ASKED, 500, "down", "cannot ask the Hub"),
    "no JSON at the first question": (ASKED, 200, "<html>", "cannot ask the Hub"),
    "another shape at the first question": (ASKED, 200, "[1]", "cannot ask the Hub"),
}


def answering(kind: type[StandIn], place: str, status: int, body: str) -> type[StandIn]:
    """Let the stand-in answer otherwise at one place."""
    usual = kind.handle_all

    def handle(self: StandIn) -> None:
        if place in self.path and (place != ASKED or self.path.partition("?")[0].startswith(place)):
            type(self).requests.append((self.command, self.path, None))
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.answer(body.encode("latin-1"), status)
        else:
            usual(self)

    for method in ("do_GET", "do_POST", "do_HEAD"):
        setattr(kind, method, handle)
    return kind


@pytest.mark.parametrize("case", ANSWERS)
def test_a_bad_answer_is_one_sentence_with_what_to_do(
    case: str, exported: Settings, hub: tuple[type[StandIn], HfApi], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    place, status, body, expected = ANSWERS[case]
    kind, api = hub
    kind.exists = place != "/api/repos/create"
    answering(kind, place, status, body)
    monkeypatch.setenv("SPHRAGIS_BUILD", str(exported.build))
    monkeypatch.setattr("huggingface_hub.HfApi", lambda: api)
    done = CliRunner().invoke(sphragis.app, ["publish", "--repo", NAME, "--confirm", NAME])
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == 1
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert expected in done.stderr
    assert TOKEN not in done.output
    assert kind.files == {}
    if place == "/commit/":
        assert "in one commit" in done.stderr
        assert sum("/commit/" in path for path in sent(kind)) >= 1
    elif place != ASKED:
        assert not any("/commit/" in path for path in sent(kind))


def test_after_a_commit_whose_answer_was_lost_the_same_command_finds_it_done(
    exported: Settings, hub: tuple[type[StandIn], HfApi]
) -> None:
    _, api = hub
    publish.publish(exported.hub, NAME, api, lambda plan: True)
    change, address = publish.publish(exported.hub, NAME, api, lambda plan: True)
    assert not change.is_needed and address is None


def test_a_list_of_checksums_on_the_hub_that_is_none_makes_every_file_changed(
    exported: Settings, hub: tuple[type[StandIn], HfApi]
) -> None:
    kind, api = hub
    publish.publish(exported.hub, NAME, api, lambda plan: True)
    kind.files["SHA256SUMS"] = b"\xff\xfe<html>"
    change = publish.plan(exported.hub, NAME, api)
    assert change.changed == sorted(publish.check_folder(exported.hub))
    publish.publish(exported.hub, NAME, api, lambda plan: True)
    assert kind.files["SHA256SUMS"] == (exported.hub / "SHA256SUMS").read_bytes()


def test_an_interrupt_while_sending_says_what_may_be_there(
    exported: Settings, hub: tuple[type[StandIn], HfApi], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, api = hub

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "upload_folder", stop)
    with pytest.raises(KeyboardInterrupt) as stopped:
        publish.publish(exported.hub, NAME, api, lambda plan: True)
    assert "in one commit" in stopped.value.__notes__[0]


@pytest.mark.parametrize("name", ["no-owner/a/b", "a b", "../x", "x" * 300, ""])
def test_a_name_that_is_none_is_told(name: str, exported: Settings, hub: tuple[type[StandIn], HfApi]) -> None:
    with pytest.raises(ExportError, match=r"use owner/name|cannot ask the Hub"):
        publish.plan(exported.hub, name, hub[1])


@pytest.mark.parametrize("report", ["", "[]", "{}", json.dumps({"input": "git"})])
def test_a_report_that_is_damaged_is_told(report: str, tmp_path: Path) -> None:
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "build_report.json").write_text(report, encoding="utf-8")
    with pytest.raises(ExportError, match="cannot be read"):
        publish.warnings_of(tmp_path)
