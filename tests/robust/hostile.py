"""Folders, names, notes, settings and arguments of somebody who means ill, or has made a mistake that looks like it."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import hub_fixture
import typer

from ingest import raw
from robust.readers import TooSlow, watched
from robust.sources import FIXTURES
from runtime.errors import IngestError
from runtime.settings import load_settings

AGDT = "agdt/v2.1/Greek/texts"
PTNK = "ud_ptnk"
GOOD_XML = (FIXTURES / "cycle.xml").read_bytes()
GOOD_CONLLU = (FIXTURES / "spaceafter.conllu").read_bytes()

Make = Callable[[Path], None]


def _file(name: str | bytes, content: bytes = GOOD_XML, place: str = AGDT) -> Make:
    def make(root: Path) -> None:
        path = os.fsencode(root / place) + b"/" + os.fsencode(name)
        with open(path, "wb") as handle:  # noqa: PTH123 - a name of any bytes is no Path
            handle.write(content)

    return make


def _link(name: str, target: str, place: str = AGDT) -> Make:
    return lambda root: (root / place / name).symlink_to(target)


def _folder(name: str, place: str = AGDT, mode: int = 0o755) -> Make:
    def make(root: Path) -> None:
        (root / place / name).mkdir(parents=True)
        (root / place / name / "inside.xml").write_bytes(GOOD_XML)
        (root / place / name).chmod(mode)

    return make


def _socket(root: Path) -> None:
    # The name of a socket may be no longer than some hundred bytes, so it is bound from its folder.
    with contextlib.chdir(root / AGDT), socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket.xml")


def _unreadable(root: Path) -> None:
    _file("secret.xml")(root)
    (root / AGDT / "secret.xml").chmod(0)


def _note(path: str, content: bytes) -> Make:
    def make(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)

    return make


def _fifo(path: str) -> Make:
    def make(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(root / path)

    return make


NAMES: dict[str, Make] = {
    "a quote and an apostrophe": _file("a\"b'c.xml"),
    "a line end": _file("a\nb.xml"),
    "a carriage return and a tab": _file("a\rb\tc.xml"),
    "the escape of a terminal": _file("\x1b[31mred\x1b]0;title\x07.xml"),
    "dots": _file("...xml"),
    "two dots": _file("..xml"),
    "bytes that are no UTF-8": _file(b"\xff\xfe.xml"),
    "bytes that are no UTF-8 in a folder": _folder(os.fsdecode(b"sub\xff.xml"), "harrington/public/xml"),
    "decomposed Greek": _file("ἄ.xml".encode()),
    "a name of 255 bytes": _file("a" * 251 + ".xml"),
    "signs of formats": _file("%s {} $(touch x) `id` ;--.xml"),
    "a hash and a question mark": _file("a#b?c=d.xml"),
    "a sign that turns the direction of text": _file("a\u202eb.xml"),
    "signs of globs": _file("[a]*?.xml"),
    "a link to itself": _link("self.xml", "self.xml"),
    "a link to its folder": _link("up.xml", "."),
    "a loop of folders": _link("loop", "..", "harrington/public/xml"),
    "a link to nothing": _link("gone.xml", "nowhere"),
    "a link to an endless device": _link("zero.xml", "/dev/zero"),
    "a link to a terminal": _link("tty.xml", "/dev/tty"),
    "a link to random bytes": _link("random.conllu", "/dev/urandom", PTNK),
    "a link to the processes": _link("proc.xml", "/proc/self/fd/0"),
    "a link to a file elsewhere": _link("passwd.xml", "/etc/passwd"),
    "a pipe": _fifo(f"{AGDT}/pipe.xml"),
    "a pipe among CoNLL-U": _fifo(f"{PTNK}/pipe.conllu"),
    "a socket": _socket,
    "a folder that is called like a file": _folder("folder.xml"),
    "a file that may not be read": _unreadable,
    "a folder that may not be entered": _folder("locked", "harrington/public/xml", 0),
    "an empty file": _file("empty.xml", b""),
    "an empty file of CoNLL-U": _file("empty.conllu", b"", PTNK),
    "a file of one byte": _file("one.xml", b"<"),
    "a file of blanks": _file("blanks.conllu", b" \n\t\n" * 100, PTNK),
}
"""Things to be found in a folder of treebanks, beside one good file of each format."""

ONLY_FOR_OTHERS = frozenset(("a file that may not be read", "a folder that may not be entered"))
"""What root may do all the same."""

SHAPES = (
    b"", b"null", b"1", b'"x"', b"[]", b"[1]", b"{}", b"true", b"NaN", b"1e999", b"-" , b"{", b'{"a":',
    b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"{}\x00", b"9" * 6000, b'{"agdt": []}',
    b'{"agdt": null}', b'{"agdt": {"revision": []}}', b'{"agdt": {"revision": {"a": 1}}}',
    b'{"agdt": {"revision": "\\u0000"}}', b'{"agdt": {"revision": "\\ud800"}}',
    b'{"agdt": {"revision": "\\u001b[31mred"}}', b'{"agdt": {"revision": "a\\nb"}}', b'{"agdt": {"substituted": []}}',
    b'{"agdt": {"substituted": "x"}}', b'{"agdt": {"substituted": 1}}', b'{"agdt": {"substituted": {"x": {"y": 1}}}}',
    b'{"agdt": {"substituted": {"\\ud800": "\\ud800"}}}', b'{"agdt": {"revision": 1, "revision": 2}}',
    b'{"collections": null}', b'{"collections": 1}', b'{"collections": "x"}', b'{"collections": {}}',
    b'{"collections": [1]}', b'{"collections": [null]}', b'{"collections": [{"publications": null}]}',
    b'{"collections": [{"publications": 1}]}', b'{"collections": [{"publications": ["x"]}]}',
    b'{"collections": [{"publications": [{"sections": null}]}]}',
    b'{"collections": [{"publications": [{"sections": [1]}]}]}',
    b'{"collections": [{"publications": [{"sections": [{"xml": 1}]}]}]}',
    b'{"collections": [{"publications": [{"sections": [{"xml": ["a"]}]}]}]}',
    b'{"collections": [{"publications": [{"editors": 1, "sections": [{"xml": "good.xml"}]}]}]}',
    b'{"collections": [{"publications": [{"editors": [1], "sections": [{"xml": "good.xml"}]}]}]}',
    b'{"collections": [{"publications": [{"editors": [null, {}], "sections": [{"xml": "good.xml"}]}]}]}',
    b'{"collections": [{"publications": [{"work": 1, "sections": [{"xml": "good.xml"}]}]}]}',
    b'{"collections": [{"publications": [{"work": {"a": []}, "author": ["b"], "sections": [{"xml": "good.xml"}]}]}]}',
    b'{"collections": [{"publications": [{"work": "\\ud800", "sections": [{"xml": "good.xml"}]}]}]}',
    b'{"collections": [{"publications": [{"work": "\\u0000", "sections": [{"xml": "good.xml"}]}]}]}',
)  # fmt: skip
"""Contents of a note in JSON."""

NOTES: dict[str, tuple[str, bytes]] = {
    "MANIFEST.json": ("MANIFEST.json", b"collections"),
    "config.json": ("pedalion/src/config.json", b"agdt"),
}
"""Where each note lies, and what only another note has."""

SETTINGS: dict[str, tuple[str, ...]] = {
    "SPHRAGIS_THREADS": (
        "0", "-1", "1.5", "1e3", "x", " ", "٣", "²", "½", "+1", "0x1", "99999999999999999999", "9" * 5000, "1\n",
        "2 ", "None",
    ),
    "SPHRAGIS_MACHINE": ("CROSSFIT", "none ", "x", "none\nnone", "\x1b[31m", "'; --", "\udcff", "../none"),
    "SPHRAGIS_DB": (
        "/dev/null", "/dev/full", "/", ".", "raw.duckdb", "MAIN.duckdb", "x" * 300, "a\nb.duckdb", "a'b.duckdb",
        "a#b?c.duckdb", "\udcff.duckdb", "/proc/x.duckdb", "no/such/place/x.duckdb", "x.duckdb/", "%s.duckdb",
        "{{ 1 }}.duckdb", ".duckdb", "..", "a;b.duckdb", ":memory:",
    ),
    "SPHRAGIS_TREEBANKS": ("/dev/null", "/dev/zero", "nowhere", "/", "a\nb", "\udcff", "\x1b[31m", "x" * 5000,
    "/proc/self"), "SPHRAGIS_BUILD": (
        "/dev/null", "/dev/null/x", "/proc/x", "/sys/x", "x" * 300, "a\nb", "a'b c", "a#b", "a?b", "a%b", "\udcff",
        "{{ env_var('HOME') }}", "~", "\x1b[31m", "a b", 'a"b', "α", "-x", "--help", "a;b", "a$b", "a\\b",
    ),
}  # fmt: skip
"""Values of settings. Each run is made in a folder of its own, to which relative paths belong."""

ARGUMENTS = (
    "", " ", "-", "--", "-x", "--help", "\udcff", "a\udcff#1", "\x1b[31mred", "a\nb", "a\x07", "\u202e", "'", '"',
    "'; drop table x; --", "%", "_", "../../etc/passwd", "/etc/passwd#1", "s-0000000000000000",
    "s-" + "0" * 16 + "\udcff", "#", "#1", "a#", "a#-1", "a#99999999999999999999", "x" * 70_000,
    "gorman/path 0.xml#0", "*", "[", "sentence_1", "work_held_out_5", "{}", "\x01",
)  # fmt: skip
"""Ids, names and paths of somebody who asks for what there is not."""


def folder_of(place: Path) -> Path:
    """Make a folder of treebanks with one good file of each format and return it."""
    (place / AGDT).mkdir(parents=True)
    (place / PTNK).mkdir()
    (place / "harrington/public/xml").mkdir(parents=True)
    (place / "pedalion/public/xml").mkdir(parents=True)
    (place / AGDT / "good.xml").write_bytes(GOOD_XML)
    (place / PTNK / "good.conllu").write_bytes(GOOD_CONLLU)
    (place / "pedalion/public/xml/good.xml").write_bytes(GOOD_XML)
    return place


@contextlib.contextmanager
def settings(values: dict[str, str]) -> Iterator[None]:
    """Run with these settings of the project and no others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPHRAGIS_", "DBT_"))}
    with mock.patch.dict(os.environ, kept | values, clear=True):
        yield


def read_folder(treebanks: Path, build: Path) -> list[str]:
    """Read a folder and say what is wrong: another end than a plain message, a good file that is not read, silence.

    A thing that is no file may be passed over; a file has a row, and what cannot be read has a finding.
    """
    told = io.StringIO()
    try:
        given = {"SPHRAGIS_TREEBANKS": str(treebanks), "SPHRAGIS_BUILD": str(build)}
        with settings(given), watched(60), contextlib.redirect_stderr(told):
            summary = raw.run(load_settings(), source="folder", workers=1, quiet=True)
    except IngestError as error:
        return [f"everything is given up: {error}"]
    except (Exception, TooSlow) as error:
        return ["".join(traceback.format_exception(error)[-3:])]
    read = {file.path.rpartition("/")[2] for file in summary.with_status("read")}
    wrong = [f"{name} is not read" for name in ("good.xml", "good.conllu") if name not in read]
    rejected = {(file.project, file.path) for file in summary.with_status("rejected")}
    named = {(finding.project, finding.path) for finding in summary.findings}
    wrong += [f"{project}/{path} is rejected without a finding" for project, path in sorted(rejected - named)]
    wrong += [
        f"control characters reach the terminal: {line!r}" for line in told.getvalue().split("\n") if unsafe(line)
    ]
    return wrong


def unsafe(text: str) -> bool:
    """Whether a text holds signs that a terminal obeys, beside line ends and tabs."""
    return any(
        (ord(sign) < 32 and sign not in "\n\t") or 0x7F <= ord(sign) < 0xA0 or sign in "\u202e\u2066" for sign in text
    )


def call(arguments: list[str], values: dict[str, str]) -> tuple[int, str, str]:
    """Call the command line in this process as a strict terminal would see it.

    Returns:
        The exit code, what was printed, and the traceback of what was raised; empty when nothing was.
    """
    from sphragis import app

    buffer = io.BytesIO()
    out = io.TextIOWrapper(buffer, "utf-8", "strict", write_through=True)
    # The stream of errors never fails on a sign, in any Python.
    errors = io.TextIOWrapper(buffer, "utf-8", "backslashreplace", write_through=True)
    code, failure = 0, ""
    with settings(values), contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors), watched(60):
        try:
            with mock.patch.object(sys, "argv", ["sphragis", *arguments]):
                app(arguments, prog_name="sphragis")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except typer.Exit as end:
            code = end.exit_code
        except (Exception, TooSlow) as error:
            failure = "".join(traceback.format_exception(error)[-3:])
    return code, buffer.getvalue().decode("utf-8", "replace"), failure


def names(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Put each hostile thing into a folder of its own, read it, and give what is wrong."""
    for number, (name, make) in enumerate(NAMES.items()):
        if name in ONLY_FOR_OTHERS and os.geteuid() == 0:
            continue
        treebanks = folder_of(folder / f"name {number}" / "treebanks")
        make(treebanks)
        yield name, read_folder(treebanks, folder / f"name {number}" / "build")
        for path in treebanks.rglob("locked"):
            path.chmod(0o755)


def notes(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Give each note each shape, read the folder, and give what is wrong."""
    treebanks = folder_of(folder / "notes")
    for note, (path, foreign) in NOTES.items():
        for shape in SHAPES:
            if shape.startswith(b'{"' + foreign):
                continue
            _note(path, shape)(treebanks)
            yield f"{note} {shape[:80]!r}", read_folder(treebanks, folder / "notes build")
        (treebanks / path).unlink()
        for kind, make in (("a pipe", _fifo(path)), ("a folder", lambda root, path=path: (root / path).mkdir())):
            make(treebanks)
            yield f"{note} is {kind}", read_folder(treebanks, folder / "notes build")
            (treebanks / path).rmdir() if (treebanks / path).is_dir() else (treebanks / path).unlink()


def meanings(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Give each setting each value, read a good folder with it, and give what is wrong."""
    treebanks = folder_of(folder / "good")
    for name, values in SETTINGS.items():
        for number, value in enumerate(values):
            place = folder / f"{name} {number}"
            place.mkdir()
            told = {"SPHRAGIS_TREEBANKS": str(treebanks), "SPHRAGIS_BUILD": str(place / "build")} | {name: value}
            with contextlib.chdir(place):
                code, output, failure = call(["ingest", "--source", "folder", "--workers", "1"], told)
            yield f"{name}={value[:60]!r}", _told(code, output, failure, (0, 1))


def questions(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Ask every command for each thing that there is not, and give what is wrong."""
    build = folder / "asked"
    work = build / "work" / "sphragis.duckdb"
    work.parent.mkdir(parents=True)
    hub_fixture.build(work, count=300)
    told = {"SPHRAGIS_BUILD": str(build)}
    with mock.patch.dict("sys.modules", {"mlcroissant": None}):
        code, output, failure = call(["export", "--processes", "1"], told)
    yield "export", _told(code, output, failure, (0,))
    for argument in ARGUMENTS:
        for command in (
            ["explain", argument], ["tree", argument], ["conllu", argument], ["conllu", argument, "--layer",
            argument], ["text", argument], ["text", "sentence_1", "--split", argument], ["diff", argument, argument],
            ["conllu", "s-1", "--folder", argument],
        ):  # fmt: skip
            code, output, failure = call(command, told)
            yield f"{command[0]} {[word[:60] for word in command[1:]]!r}", _told(code, output, failure, (0, 1, 2))


def _told(code: int, output: str, failure: str, codes: tuple[int, ...]) -> list[str]:
    """Say what is wrong with the end of a command."""
    if failure:
        return [failure]
    wrong = [f"ended with {code}: {output[-500:]}"] if code not in codes else []
    wrong += ["ended with an error and says nothing"] if code and not output.strip() else []
    wrong += ["a traceback is printed"] if "Traceback (most" in output else []
    wrong += [f"control characters reach the terminal: {line[:200]!r}" for line in output.split("\n") if unsafe(line)][
        :1
    ]
    return wrong


def everything(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Give all of it."""
    for number, part in enumerate((names, notes, meanings, questions)):
        place = folder / f"part {number}"
        place.mkdir()
        yield from part(place)
