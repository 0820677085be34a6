"""The artefact of a parse: made once, whole or not there, made again when it is damaged."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import ROOT
from machine_fixture import PARSES, SENTENCES, Counting, changed, corpus

from machine.artefact import artefact_key, machine_layer
from machine.check import load_inventories
from machine.interface import Corpus, MachineError

CONLLU = """\
# sent_id = s-01
1	ὁ	_	DET	_	_	2	det	_	_
2	ἀνὴρ	_	NOUN	_	Case=Nom|Number=Sing	3	nsubj:outer	_	_
3	λέγει	_	VERB	_	Mood=Ind|VerbForm=Fin	0	root	_	_

# sent_id = s-02
1	ναί	_	INTJ	_	_	0	root	_	_

# sent_id = s-03
1	καὶ	_	CCONJ	_	_	2	cc	_	_
2	λέγε	_	VERB	_	Gender=Masc,Neut	0	root	_	_

"""


def only_folder(cache: Path) -> Path:
    (folder,) = (path for path in cache.iterdir() if not path.name.startswith("."))
    return folder


def test_a_second_call_parses_nothing_and_gives_the_same(tmp_path: Path) -> None:
    provider, said = Counting(), list[str]()
    first = machine_layer(corpus(), provider, tmp_path / "machine", said.append)
    second = machine_layer(corpus(), provider, tmp_path / "machine", said.append)
    assert provider.calls == 1
    assert first == second
    assert first[0] == PARSES
    assert said[-1].endswith("of an earlier run stands")


def test_the_artefact_is_plain_conllu_and_a_manifest(tmp_path: Path) -> None:
    parses = changed(0, heads=[0, 3, 0], deprels=["root", "nsubj:outer", "root"])
    _, manifest = machine_layer(corpus(), Counting(parses, {"note": "α"}), tmp_path, lambda line: None)
    folder = only_folder(tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "parse.conllu"]
    assert json.loads((folder / "manifest.json").read_text(encoding="utf-8")) == manifest
    assert manifest["key"].startswith(folder.name)
    assert len(folder.name) == 16
    assert manifest | {"key": 0, "sentences_sha256": 0} == {
        "provider": "counting",
        "model": "fixture",
        "revision": "1",
        "seed": 917,
        "note": "α",
        "key": 0,
        "sentences_sha256": 0,
        "sentences": 3,
        "tokens": 6,
        "repairs": {"extra_root": 1},
        "foreign_features": {},
        "sha256": hashlib.sha256((folder / "parse.conllu").read_bytes()).hexdigest(),
    }


def test_the_text_of_the_artefact(tmp_path: Path) -> None:
    machine_layer(corpus(), Counting(), tmp_path, lambda line: None)
    assert (only_folder(tmp_path) / "parse.conllu").read_text(encoding="utf-8") == CONLLU


def test_folds_stand_in_the_text_where_the_provider_has_them(tmp_path: Path) -> None:
    machine_layer(corpus(folds=True), Counting(facts={"folds": []}), tmp_path, lambda line: None)
    text = (only_folder(tmp_path) / "parse.conllu").read_text(encoding="utf-8")
    assert "# sent_id = s-02\n# fold = 1\n1\tναί" in text
    assert text.replace("# fold = 0\n", "").replace("# fold = 1\n", "") == CONLLU


def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("left", "right"):
        machine_layer(corpus(), Counting(), tmp_path / name, lambda line: None)
    left, right = only_folder(tmp_path / "left"), only_folder(tmp_path / "right")
    assert left.name == right.name
    assert all((left / name).read_bytes() == (right / name).read_bytes() for name in ("parse.conllu", "manifest.json"))


def test_the_key_covers_provider_sentences_and_inventories() -> None:
    inventories = load_inventories()
    base = artefact_key({"a": 1, "b": 2}, SENTENCES, inventories)
    assert artefact_key({"b": 2, "a": 1}, SENTENCES, inventories) == base
    fewer = type(inventories)(inventories.upos - {"SYM"}, inventories.relations, inventories.feats)
    other = [SENTENCES[0]._replace(forms=["ὁ", "ἀνὴρ", "ἔλεγε"]), *SENTENCES[1:]]
    others = {
        artefact_key({"a": 1, "b": 3}, SENTENCES, inventories),
        artefact_key({"a": 1, "b": 2}, other, inventories),
        artefact_key({"a": 1, "b": 2}, SENTENCES[:2], inventories),
        artefact_key({"a": 1, "b": 2}, SENTENCES, fewer),
    }
    assert len(others | {base}) == 5


def test_an_identity_that_json_does_not_have_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="identity of a provider: expected values that JSON has"):
        artefact_key({"path": tmp_path}, SENTENCES, load_inventories())


@pytest.mark.parametrize("damage", ["flip", "truncate", "manifest", "no manifest", "empty", "file"])
def test_a_damaged_artefact_is_made_again_with_a_note(tmp_path: Path, damage: str) -> None:
    provider, said = Counting(), list[str]()
    machine_layer(corpus(), provider, tmp_path, said.append)
    folder = only_folder(tmp_path)
    parse, manifest = folder / "parse.conllu", folder / "manifest.json"
    sound = parse.read_bytes(), manifest.read_bytes()
    if damage == "flip":
        parse.write_bytes(sound[0].replace(b"VERB", b"NOUN", 1))
    elif damage == "truncate":
        parse.write_bytes(sound[0][:-40])
    elif damage == "manifest":
        manifest.write_bytes(b"[]")
    elif damage == "no manifest":
        manifest.unlink()
    else:
        parse.unlink()
        manifest.unlink()
        if damage == "file":
            folder.rmdir()
            folder.write_text("nothing")
    parses, _ = machine_layer(corpus(), provider, tmp_path, said.append)
    assert provider.calls == 2
    assert parses == PARSES
    assert f"machine layer: the artefact {folder.name} is damaged and is made again" in said
    assert (parse.read_bytes(), manifest.read_bytes()) == sound


def test_parses_that_cannot_be_used_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="expected a token on the root, found none"):
        machine_layer(corpus(), Counting(changed(2, heads=[2, 1])), tmp_path, lambda line: None)
    assert [path for path in tmp_path.iterdir() if not path.name.endswith(".lock")] == []


def test_two_runs_at_once_parse_once(tmp_path: Path) -> None:
    started, said, results = threading.Event(), list[str](), list[object]()
    waiting = threading.Event()

    def slow() -> None:
        started.set()
        assert waiting.wait(20)

    def say(line: str) -> None:
        said.append(line)
        if "waiting" in line:
            waiting.set()

    first, second = Counting(before=slow), Counting()
    thread = threading.Thread(
        target=lambda: results.append(machine_layer(corpus(), first, tmp_path, lambda line: None))
    )
    thread.start()
    assert started.wait(20)
    results.append(machine_layer(corpus(), second, tmp_path, say))
    thread.join()
    assert (first.calls, second.calls) == (1, 0)
    assert results[0] == results[1]
    assert any("another run makes the parse" in line for line in said)


def test_a_killed_run_leaves_no_half_artefact(tmp_path: Path) -> None:
    script = f"""
import os, signal, sys
from pathlib import Path
sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "tests" / "python")!r}]
from machine_fixture import Counting, corpus
from machine import artefact
artefact._sync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
artefact.machine_layer(corpus(), Counting(), Path({str(tmp_path)!r}), print)
"""
    finished = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False)
    assert finished.returncode == -signal.SIGKILL
    assert any(path.name.endswith(".new") for path in tmp_path.iterdir())
    parses, _ = machine_layer(corpus(), Counting(), tmp_path, lambda line: None)
    assert parses == PARSES
    only_folder(tmp_path)
    assert not any(path.name.endswith(".new") for path in tmp_path.iterdir())


def test_a_full_disk_is_told_in_one_message(tmp_path: Path) -> None:
    # A limit on file sizes fails as a full disk does: while the parse is written.
    script = f"""
import resource, signal, sys
from pathlib import Path
sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "tests" / "python")!r}]
from machine_fixture import Counting, corpus
from machine import artefact, interface
artefact.load_inventories()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    artefact.machine_layer(corpus(), Counting(), Path({str(tmp_path)!r}), lambda line: None)
except interface.MachineError as error:
    sys.stderr.write(str(error))
"""
    finished = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"the machine layer cannot be written to {tmp_path}: File too large; free the disk" in finished.stderr
    assert [path for path in tmp_path.iterdir() if not path.name.endswith(".lock")] == []


def test_a_place_that_cannot_be_written_is_told_in_one_message(tmp_path: Path) -> None:
    (tmp_path / "machine").write_text("a file where the folder should be")
    with pytest.raises(MachineError, match=r"machine layer cannot be written to .*SPHRAGIS_BUILD to another folder"):
        machine_layer(corpus(), Counting(), tmp_path / "machine", lambda line: None)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for the superuser")
def test_a_read_only_artefact_is_read_and_a_read_only_folder_told(tmp_path: Path) -> None:
    machine_layer(corpus(), Counting(), tmp_path, lambda line: None)
    tmp_path.chmod(0o555)
    try:
        assert machine_layer(corpus(), Counting(), tmp_path, lambda line: None)[0] == PARSES
        with pytest.raises(MachineError, match="Permission denied"):
            machine_layer(corpus(), Counting(revision="2"), tmp_path, lambda line: None)
    finally:
        tmp_path.chmod(0o755)


def test_a_failure_of_the_provider_is_not_blamed_on_the_disk(tmp_path: Path) -> None:
    def fail() -> None:
        raise ConnectionResetError(104, "Connection reset by peer")

    with pytest.raises(ConnectionResetError):
        machine_layer(corpus(), Counting(before=fail), tmp_path, lambda line: None)


def test_a_corpus_without_sentences_has_an_empty_layer(tmp_path: Path) -> None:
    provider = Counting([])
    for _ in range(2):
        parses, manifest = machine_layer(Corpus([]), provider, tmp_path, lambda line: None)
        assert (parses, manifest["tokens"]) == ([], 0)
    assert provider.calls == 1
