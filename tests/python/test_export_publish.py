"""Publishing against a stand-in of the Hub on loopback, the comparison of editions, plain text and licences."""

from __future__ import annotations

import base64
import csv
import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pyarrow.parquet as pq
import pytest
from hub_fixture import MACHINE
from huggingface_hub import HfApi
from test_export_files import CASES, ROOT, quick, synthetic
from typer.testing import CliRunner

import sphragis
from exports.about import licences
from exports.ask import diff, text
from exports.dataset import schema
from exports.edition import export as edition
from exports.edition import publish
from exports.warehouse import ExportError
from runtime.settings import Settings

__all__ = ["quick"]

NAME = "somebody/sphragis"
TOKEN = "hf_notarealtokenbutlongenough"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    made = synthetic(tmp_path_factory.mktemp("publish") / "build")
    edition.export(made)
    return made


class StandIn(BaseHTTPRequestHandler):
    """As much of the Hub's interface as an upload needs; every file travels inside the commit."""

    files: dict[str, bytes]
    requests: list[tuple[str, str, str | None]]
    exists: bool

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def answer(self, value: Any, status: int = 200, **headers: str) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Repo-Commit", COMMIT)
        for name, content in headers.items():
            self.send_header(name.replace("_", "-"), content)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_all(self) -> None:
        path = unquote(urlparse(self.path).path)
        kind = type(self)
        kind.requests.append((self.command, path, self.headers.get("Authorization")))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path == "/api/whoami-v2":
            self.answer({"type": "user", "name": "somebody", "auth": {}})
        elif path == "/api/repos/create":
            kind.exists = True
            self.answer({"url": f"https://huggingface.co/datasets/{NAME}"})
        elif not kind.exists:
            self.answer({"error": "not found"}, 404, X_Error_Code="RepoNotFound")
        elif path.startswith(f"/datasets/{NAME}/resolve/main/"):
            content = kind.files[path.split("/resolve/main/")[1]]
            self.answer(content, ETag='"etag"')
        elif "/preupload/" in path:
            asked = json.loads(body)["files"]
            self.answer({"files": [{"path": f["path"], "uploadMode": "regular", "shouldIgnore": False} for f in asked]})
        elif "/commit/" in path:
            for line in body.decode().splitlines():
                item = json.loads(line)
                if item["key"] == "file":
                    kind.files[item["value"]["path"]] = base64.b64decode(item["value"]["content"])
                elif item["key"] == "deletedFile":
                    del kind.files[item["value"]["path"]]
            self.answer(
                {
                    "success": True,
                    "commitOid": COMMIT,
                    "commitUrl": f"https://huggingface.co/datasets/{NAME}/commit/{COMMIT}",
                }
            )
        elif path == f"/api/datasets/{NAME}" or path.startswith(f"/api/datasets/{NAME}/revision/"):
            names = [{"rfilename": name} for name in sorted(kind.files)]
            self.answer({"id": NAME, "sha": COMMIT, "siblings": names, "tags": [], "private": True, "downloads": 0})
        elif "/tree/" in path:
            self.answer(
                [{"type": "file", "path": n, "size": len(c), "oid": "0"} for n, c in sorted(kind.files.items())]
            )
        elif path == "/api/validate-yaml":
            self.answer({"errors": [], "warnings": []})
        else:
            self.answer({"error": f"the stand-in does not know {path}"}, 400)

    do_GET = do_POST = do_HEAD = handle_all  # noqa: N815  (names that http.server asks for)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[type[StandIn], HfApi]]:
    kind = type("Hub", (StandIn,), {"files": {}, "requests": [], "exists": False})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    yield kind, HfApi(endpoint=endpoint)
    server.shutdown()
    server.server_close()


def sent(kind: type[StandIn]) -> list[str]:
    return [path for method, path, _ in kind.requests if method == "POST"]


def test_an_edition_is_published_in_one_commit_after_confirmation(
    exported: Settings, hub: tuple[type[StandIn], HfApi]
) -> None:
    kind, api = hub
    asked: list[publish.Change] = []

    def confirmed(plan: publish.Change) -> bool:
        asked.append(plan)
        return True

    change, address = publish.publish(exported.hub, NAME, api, confirmed)
    assert asked == [change]
    assert change.is_new
    assert not change.changed
    assert address is not None
    present = {p.relative_to(exported.hub).as_posix(): p for p in exported.hub.rglob("*") if p.is_file()}
    assert set(change.added) == set(present)
    assert change.bytes == sum(path.stat().st_size for path in present.values())
    assert {name: content for name, content in kind.files.items() if name != ".gitattributes"} == {
        name: path.read_bytes() for name, path in present.items()
    }
    assert sum("/commit/" in path for path in sent(kind)) == 1


def test_the_same_edition_is_not_sent_twice(exported: Settings, hub: tuple[type[StandIn], HfApi]) -> None:
    kind, api = hub
    publish.publish(exported.hub, NAME, api, lambda plan: True)
    kind.requests.clear()
    change, address = publish.publish(exported.hub, NAME, api, lambda plan: True)
    assert not change.is_needed
    assert address is None
    assert sent(kind) == []


def test_a_new_edition_shows_what_changes_and_removes_what_is_gone(
    exported: Settings, hub: tuple[type[StandIn], HfApi], tmp_path: Path
) -> None:
    kind, api = hub
    publish.publish(exported.hub, NAME, api, lambda plan: True)
    kind.files["data/gone_1/test-00000-of-00001.parquet"] = b"old"
    made = synthetic(tmp_path / "build", "update hub.sentences set genre = 'history' where genre = 'oratory'")
    edition.export(made)
    change, _ = publish.publish(made.hub, NAME, api, lambda plan: True)
    assert not change.is_new
    assert "SHA256SUMS" in change.changed
    assert "LICENSES.md" in change.unchanged
    assert change.removed == ["data/gone_1/test-00000-of-00001.parquet"]
    assert "data/gone_1/test-00000-of-00001.parquet" not in kind.files
    assert kind.files["SHA256SUMS"] == (made.hub / "SHA256SUMS").read_bytes()


def test_nothing_is_sent_without_confirmation(exported: Settings, hub: tuple[type[StandIn], HfApi]) -> None:
    kind, api = hub
    _, address = publish.publish(exported.hub, NAME, api, lambda plan: False)
    assert address is None
    assert sent(kind) == []


def invoke(monkeypatch: pytest.MonkeyPatch, api: HfApi, build: Path, *arguments: str) -> Any:
    monkeypatch.setenv("SPHRAGIS_BUILD", str(build))
    monkeypatch.setattr("huggingface_hub.HfApi", lambda: api)
    return CliRunner().invoke(sphragis.app, ["publish", "--repo", NAME, *arguments])


def test_a_dry_run_shows_the_plan_and_no_token(
    exported: Settings, hub: tuple[type[StandIn], HfApi], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, api = hub
    shown = invoke(monkeypatch, api, exported.build, "--dry-run")
    assert shown.exit_code == 0, shown.output
    assert f"dataset {NAME} (would be created)" in shown.stdout
    assert "data/sentence_1/train-00000-of-00001.parquet" in shown.stdout
    assert "WARNING: this edition has no machine layer" in shown.stdout
    assert "WARNING: this edition stores no baselines" in shown.stdout
    assert TOKEN not in shown.output
    assert sent(kind) == []


def test_an_edition_with_a_machine_layer_has_no_warning_of_it(exported: Settings, tmp_path: Path) -> None:
    made = synthetic(tmp_path / "build", *MACHINE)
    edition.export(made)
    assert not [warning for warning in publish.warnings_of(made.hub) if "machine layer" in warning]
    assert "metadata/machine_manifest.json" in publish.check_folder(made.hub)
    found = diff.compare(exported.hub, made.hub)["compared"]["sentence_1"]
    assert found["changed"] == found["rows"]["after"]


def test_the_command_asks_for_the_name_of_the_dataset(
    exported: Settings, hub: tuple[type[StandIn], HfApi], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, api = hub
    refused = invoke(monkeypatch, api, exported.build, "--confirm", "somebody/else")
    assert refused.exit_code == 1
    assert "not confirmed, nothing was sent" in refused.stderr
    assert sent(kind) == []
    done = invoke(monkeypatch, api, exported.build, "--confirm", NAME)
    assert done.exit_code == 0, done.output
    assert f"published: https://huggingface.co/datasets/{NAME}/commit/" in done.stdout
    assert TOKEN not in done.output


def test_a_changed_folder_is_not_published(
    exported: Settings, hub: tuple[type[StandIn], HfApi], tmp_path: Path
) -> None:
    folder = tmp_path / "hub"
    shutil.copytree(exported.hub, folder)
    (folder / "README.md").write_text("changed")
    (folder / "more.txt").write_text("not listed")
    with pytest.raises(ExportError, match=r"not as it was exported: more\.txt, README\.md"):
        publish.publish(folder, NAME, hub[1], lambda plan: True)


def test_without_a_token_the_message_says_what_to_do(
    exported: Settings, hub: tuple[type[StandIn], HfApi], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, api = hub
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", "/nonexistent/token")
    with pytest.raises(ExportError, match="hf auth login"):
        publish.publish(exported.hub, NAME, api, lambda plan: True)
    assert sent(kind) == []


def test_a_hub_that_cannot_be_reached_gives_one_message(exported: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with pytest.raises(ExportError, match=f"cannot ask the Hub about {NAME}"):
        publish.publish(exported.hub, NAME, HfApi(endpoint="http://127.0.0.1:9"), lambda plan: True)


def test_editions_are_compared_by_rows_splits_columns_and_authors(exported: Settings, tmp_path: Path) -> None:
    one = "(select min(id) from hub.rows where configuration = 'sentence_1' and split = 'train')"
    made = synthetic(
        tmp_path / "build",
        f"update hub.rows set split = 'test' where configuration = 'sentence_1' and id = {one}",
        "update hub.tokens set lemma = 'ἄλλος' where token = 1 and id = "
        "(select max(id) from hub.rows where configuration = 'sentence_1' and split = 'validation')",
        "delete from hub.rows where configuration = 'sentence_1' and id = "
        "(select max(id) from hub.rows where configuration = 'sentence_1' and split = 'validation2')",
    )
    edition.export(made)
    found = diff.compare(exported.hub, made.hub)
    part = found["compared"]["sentence_1"]
    assert part["rows"] == {"before": 600, "after": 599}
    assert (part["added"], part["removed"], part["changed"]) == (0, 1, 1)
    assert part["moved"] == {"train to test": 1}
    assert not part["is_comparable"]
    assert sum(sum(counts.values()) for counts in part["by_author"].values()) == 3
    assert not any(part["schema"].values())
    assert found["compared"]["sentence_5"]["by_author"] == {}
    told = diff.as_text(found)
    assert "sentence_1: 600 -> 599 rows" in told
    assert "scores are NOT comparable" in told
    assert "moved 1 train to test" in told


def test_an_edition_does_not_differ_from_itself(exported: Settings) -> None:
    found = diff.compare(exported.hub, exported.hub)
    assert diff.is_same(found)
    result = CliRunner().invoke(sphragis.app, ["diff", str(exported.hub), str(exported.hub)])
    assert (result.exit_code, result.stdout) == (0, "No row and no column differs.\n")
    as_json = CliRunner().invoke(sphragis.app, ["diff", "--json", str(exported.hub), str(exported.hub)])
    assert json.loads(as_json.stdout)["configurations"] == {"added": [], "removed": []}


def test_columns_and_configurations_are_compared(exported: Settings, tmp_path: Path) -> None:
    other = tmp_path / "hub"
    shutil.copytree(exported.hub, other)
    shutil.rmtree(other / "data" / "work_held_out_10")
    for path in (other / "data" / "sentence_1").glob("*.parquet"):
        table = pq.read_table(path).drop_columns(["genre"])
        pq.write_table(table.append_column("period", table["work"]), path)
    found = diff.compare(exported.hub, other)
    assert found["configurations"] == {"added": [], "removed": ["work_held_out_10"]}
    assert found["compared"]["sentence_1"]["schema"]["added"] == ["period"]
    assert found["compared"]["sentence_1"]["schema"]["removed"] == ["genre"]
    told = diff.as_text(found)
    assert "Configuration gone: work_held_out_10" in told
    assert "column new: period" in told


def test_a_folder_that_is_no_edition_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(sphragis.app, ["diff", str(tmp_path), str(tmp_path)])
    assert result.exit_code == 1
    assert "is not a dataset folder" in result.stderr


def test_plain_text_has_the_words_and_nothing_else(exported: Settings, tmp_path: Path) -> None:
    rows = pq.read_table(exported.hub / schema.data_file("sentence_10", "test")).to_pylist()
    count = text.write_texts(exported.hub, "sentence_10", "test", tmp_path / "texts")
    assert count == len(rows)
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "texts").iterdir()}
    assert sorted(written.values()) == sorted("\n".join(row["text"]) + "\n" for row in rows)
    words = sum(len(content.split()) for content in written.values())
    assert words == sum(len(unit[0]) for row in rows for unit in row["conllu_human"])
    assert {text.file_class(name) for name in written} == {row["author"] for row in rows}


def test_the_text_command_prints_rows_apart(exported: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_BUILD", str(exported.build))
    result = CliRunner().invoke(sphragis.app, ["text", "sentence_5", "--split", "test"])
    rows = pq.read_table(exported.hub / schema.data_file("sentence_5", "test")).to_pylist()
    assert [block.split("\n") for block in result.stdout.rstrip("\n").split("\n\n")] == [row["text"] for row in rows]
    wrong = CliRunner().invoke(sphragis.app, ["text", "sentence_7"])
    assert wrong.exit_code == 1
    assert "no sentence 'sentence_7' in the warehouse" in wrong.stderr
    assert "of configurations there is: sentence_1, sentence_10" in wrong.stderr


def test_file_names_tell_the_label_or_are_refused() -> None:
    with (CASES / "labels.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if "_" in row["author"]:
                with pytest.raises(ExportError, match="has an underscore"):
                    text.file_name(row["author"], 1)
            else:
                assert text.file_class(text.file_name(row["author"], 1)) == row["class"]


def projects() -> list[dict[str, str]]:
    with (ROOT / "seeds" / "catalogue" / "projects.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_licence_page_of_the_repository_is_that_of_the_catalogue() -> None:
    assert (ROOT / "LICENSES.md").read_text(encoding="utf-8") == licences.render(licences.catalogue())


def test_the_licence_page_names_every_project_with_its_licence(exported: Settings) -> None:
    page = licences.render(licences.catalogue())
    for project in projects():
        assert project["licence"] in page
        assert project["attribution"] in page
    counted = (exported.hub / "LICENSES.md").read_text(encoding="utf-8")
    assert "| CC BY-NC-SA 2.5 | 120 |" in counted


def test_every_row_has_a_known_licence(exported: Settings) -> None:
    known = {"CC BY-SA 4.0", "CC BY-SA 3.0 US", "CC BY-NC-SA 2.5"}
    for path in exported.hub.glob("data/*/*.parquet"):
        for row in pq.read_table(path, columns=["licenses"]).to_pylist():
            assert row["licenses"]
            assert set(row["licenses"]) <= known
