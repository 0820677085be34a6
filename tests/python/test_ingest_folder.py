"""What a folder of treebanks may hold besides treebanks: nothing of it ends or holds a run."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, build_environment, connection

from ingest import raw
from ingest.cli import report
from ingest.raw import Summary, run
from ingest.readers import reading
from ingest.readers.encoding import shown
from ingest.readers.files import list_files, look_at, open_regular
from ingest.readers.native_xml import read_native
from ingest.registry import write_pins, write_rates
from ingest.sources import PinnedAttributes, Project, Registry, SourceFile, load_registry
from runtime.errors import FileError, IngestError
from runtime.settings import Settings

GOOD = (
    '<treebank><sentence id="1"><word id="1" form="ναί" lemma="ναί" postag="d--------" relation="PRED" head="0"/>'
    "</sentence></treebank>"
)
UD = "# sent_id = 1\n1\tναί\tναί\tINTJ\t_\t_\t0\troot\t_\t_\n"
REGISTRY = Registry(
    (
        Project("agdt", "someone/agdt", "a" * 40, "native_xml", "texts/*.xml", None),
        Project("harrington", "someone/harrington", "b" * 40, "native_xml", "public/**/*.xml", "src/config.json"),
        Project("ud_ptnk", "someone/ptnk", "c" * 40, "conllu", "*.conllu", None),
    ),
    (SourceFile("agdt", "texts/expected.xml", None),),
)


@pytest.fixture
def treebanks(tmp_path: Path) -> Path:
    """A folder of treebanks with one good file per project."""
    root = tmp_path / "treebanks"
    for path, text in (
        ("agdt/texts/good.xml", GOOD),
        ("harrington/public/a/b/good.xml", GOOD),
        ("ud_ptnk/good.conllu", UD),
    ):
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def settings(tmp_path: Path) -> Settings:
    build = tmp_path / "build"
    return Settings(tmp_path / "treebanks", build, build / "s.duckdb", build / "work" / "s.duckdb", build / "hub")


def ingest(tmp_path: Path, registry: Registry = REGISTRY, **options: Any) -> Summary:
    return run(settings(tmp_path), registry=registry, workers=1, quiet=True, **options)


def rejected(summary: Summary) -> dict[str, tuple[str, str]]:
    """What was expected and found of each file that is not in the tables."""
    return {one.path: (one.reject.expected, one.reject.found) for one in summary.losses}


def notices(summary: Summary) -> dict[str, tuple[str, str]]:
    return {one.path: (one.reject.expected, one.reject.found) for one in summary.notices}


def test_only_regular_files_are_opened(tmp_path: Path, treebanks: Path) -> None:
    folder = treebanks / "agdt" / "texts"
    os.mkfifo(folder / "expected.xml")
    (folder / "folder.xml").mkdir()
    (folder / "nothing.xml").symlink_to("no such file")
    (folder / "ring.xml").symlink_to("ring.xml")
    (folder / "null.xml").symlink_to("/dev/null")
    (folder / "zero.xml").symlink_to("/dev/zero")
    (folder / "link.xml").symlink_to("good.xml")
    (folder / ".hidden.xml").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as door:
        # The name of a socket is short; it is reached by a shorter way.
        here = os.open(folder, os.O_RDONLY)
        door.bind(f"/proc/self/fd/{here}/socket.xml")
        os.close(here)
        summary = ingest(tmp_path)
    assert {file.path for file in summary.with_status("read")} == {
        "texts/good.xml", "texts/link.xml", "public/a/b/good.xml", "good.conllu",
    }  # fmt: skip
    found = rejected(summary)
    assert found.pop("texts/nothing.xml") == ("a regular file", "a link to nothing")
    assert found.pop("texts/ring.xml")[0] == "a readable file"
    assert found == {
        "texts/expected.xml": ("a regular file", "a named pipe"),
        "texts/folder.xml": ("a regular file", "a folder"),
        "texts/null.xml": ("a regular file", "a device"),
        "texts/zero.xml": ("a regular file", "a device"),
        "texts/socket.xml": ("a regular file", "a socket"),
    }
    assert summary.with_status("absent") == []
    # The same again: nothing of it is remembered as unchanged.
    assert rejected(ingest(tmp_path)).keys() == rejected(summary).keys()


def test_a_pipe_that_takes_the_place_of_a_file_holds_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("x")
    before = (tmp_path / "file").stat()
    monkeypatch.setattr(os, "stat", lambda place: before)
    with pytest.raises(FileError, match="found a named pipe"), open_regular(os.fsencode(tmp_path / "pipe")):
        pass


NAMES = {
    b"not \xff utf8.xml": "texts/not \\xff utf8.xml",
    b"\xce\xb1\xce.xml": "texts/α\\xce.xml",
    b"\xed\xa0\x80.xml": "texts/\\xed\\xa0\\x80.xml",
}


def test_a_name_that_is_not_utf8_is_shown_escaped_and_the_rest_is_read(tmp_path: Path, treebanks: Path) -> None:
    folder = os.fsencode(treebanks / "agdt" / "texts")
    good = [
        "line\nend.xml",
        "quo'te\".xml",
        "tab\tbell\a.xml",
        "\u202e\u2028.xml",
        "ά.xml",
        "x" * 251 + ".xml",
        "[a]*.xml",
    ]
    for name in [*NAMES, *(name.encode() for name in good), b"not \\xff utf8.xml"]:
        (Path(os.fsdecode(folder)) / os.fsdecode(name)).write_text(GOOD, encoding="utf-8")
    deep = treebanks / "harrington" / "public" / os.fsdecode(b"\xfe") / "x"
    deep.mkdir(parents=True)
    (deep / "a.xml").write_text(GOOD, encoding="utf-8")
    summary = ingest(tmp_path)
    read = {file.path for file in summary.with_status("read") if file.project == "agdt"}
    assert read == {f"texts/{name}" for name in [*good, "good.xml", "not \\xff utf8.xml"]}
    # A name that is written like an escaped one has it; the escaped one gets a backslash more.
    shown_as = {path + "\\" if path.endswith("utf8.xml") else path for path in NAMES.values()}
    assert rejected(summary).keys() == {*shown_as, "public/\\xfe/x/a.xml"}
    assert {expected for expected, _ in rejected(summary).values()} == {"a file name in UTF-8"}
    assert all(line.isprintable() for line in report(summary).split("\n"))
    with connection(settings(tmp_path).work_db) as database:
        paths = database.execute("select path from raw.agdt_documents").fetchall()
    assert {path for (path,) in paths} == read


def test_names_do_not_depend_on_the_locale(tmp_path: Path, treebanks: Path) -> None:
    (treebanks / "agdt" / "texts" / "ά.xml").write_text(GOOD, encoding="utf-8")
    (treebanks / "agdt" / "texts" / os.fsdecode(b"\xe1.xml")).write_text(GOOD, encoding="utf-8")
    environment = build_environment(tmp_path / "build", treebanks, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    code = (
        "import os, sys; from pathlib import Path; from ingest.readers.files import list_files; "
        "print(ascii([one.path for one in list_files(Path(sys.argv[1]), 'texts/*.xml')[0]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(treebanks / "agdt")], cwd=ROOT, env=environment, text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == ascii(["texts/\\xe1.xml", "texts/good.xml", "texts/ά.xml"])


def refuse(monkeypatch: pytest.MonkeyPatch, *closed: Path) -> None:
    """Make folders and files that may not be entered or read, also for the superuser."""
    places = {os.fsencode(path) for path in closed}
    real = {name: getattr(os, name) for name in ("scandir", "open", "stat")}

    def guarded(name: str) -> Any:
        def call(place: Any, *arguments: Any, **more: Any) -> Any:
            whole = b"" if isinstance(place, int) else os.fsencode(place)
            inside = any(whole.startswith(folder + b"/") for folder in places)
            if inside or (whole in places and name != "stat"):
                raise PermissionError(13, "Permission denied")
            return real[name](place, *arguments, **more)

        return call

    for name in real:
        monkeypatch.setattr(os, name, guarded(name))


def test_a_folder_that_may_not_be_entered_is_named_and_the_rest_is_read(
    tmp_path: Path, treebanks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (treebanks / "agdt" / "texts" / "expected.xml").write_text(GOOD, encoding="utf-8")
    (treebanks / "harrington" / "public" / "z.xml").write_text(GOOD, encoding="utf-8")
    closed = [
        treebanks / "agdt" / "texts",
        treebanks / "harrington" / "public" / "a",
        treebanks / "ud_ptnk" / "good.conllu",
    ]
    refuse(monkeypatch, *closed)
    summary = ingest(tmp_path)
    assert [file.path for file in summary.with_status("read")] == ["public/z.xml"]
    assert notices(summary) == {
        "texts": ("a folder that can be listed", "Permission denied"),
        "public/a": ("a folder that can be listed", "Permission denied"),
    }
    assert rejected(summary) == {
        "texts/expected.xml": ("a readable file", "Permission denied"),
        "good.conllu": ("a readable file", "Permission denied"),
    }


def test_where_nothing_can_be_entered_the_error_says_which_folder(
    tmp_path: Path, treebanks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = [treebanks / "agdt" / "texts", treebanks / "harrington" / "public", treebanks / "ud_ptnk"]
    refuse(monkeypatch, *closed)
    with pytest.raises(IngestError, match=r"agdt/texts: expected a folder that can be listed, found Permission denied"):
        ingest(tmp_path, Registry(REGISTRY.projects, ()))
    refuse(monkeypatch, treebanks)
    with pytest.raises(IngestError, match=r"expected a folder that can be listed .*found: Permission denied"):
        ingest(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may enter every folder")
def test_rights_of_the_system_are_told(tmp_path: Path, treebanks: Path) -> None:
    (treebanks / "agdt" / "texts").chmod(0)
    try:
        assert notices(ingest(tmp_path)) == {"texts": ("a folder that can be listed", "Permission denied")}
    finally:
        (treebanks / "agdt" / "texts").chmod(0o755)


@pytest.mark.parametrize(
    ("manifest", "expected", "found"),
    [
        (b"", "JSON", "Expecting value in column 1"),
        (b"[1, 2]", "an object in the whole file", "a list"),
        (b"\xff", "UTF-8", "the byte 0xff, invalid start byte"),
        (b"[" * 200_000, "JSON that can be read", "too many levels"),
        (b'{"agdt": []}', "an object in agdt", "a list"),
        (b'{"agdt": {"revision": 7}}', "a text in revision", "a number"),
        (b'{"agdt": {"substituted": ["a"]}}', "an object in substituted", "a list"),
        (b'{"agdt": {"substituted": {"texts/good.xml": 1}}}', "a text in substituted", "a number"),
        (
            b'{"agdt": {"revision": "a\\ud800"}}',
            "a text in revision",
            "a text with control characters or half characters",
        ),
    ],
)
def test_a_manifest_of_another_shape_is_a_finding(
    tmp_path: Path, treebanks: Path, manifest: bytes, expected: str, found: str
) -> None:
    (treebanks / "MANIFEST.json").write_bytes(manifest)
    summary = ingest(tmp_path)
    assert notices(summary) == {"MANIFEST.json": (expected, found)}
    assert str(summary.notices[0]).startswith("MANIFEST.json")
    assert len(summary.with_status("read")) == 3
    assert {file.revision for file in summary.files} == {"a" * 40, "b" * 40, "c" * 40}


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "nothing"])
def test_descriptions_that_are_no_files_are_findings(tmp_path: Path, treebanks: Path, kind: str) -> None:
    (treebanks / "harrington" / "src").mkdir()
    for place in (treebanks / "MANIFEST.json", treebanks / "harrington" / "src" / "config.json"):
        if kind == "folder":
            place.mkdir()
        elif kind == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to("/dev/zero" if kind == "device" else "nowhere")
    summary = ingest(tmp_path)
    assert notices(summary).keys() == {"MANIFEST.json", "src/config.json"}
    assert len(summary.with_status("read")) == 3


def test_damaged_metadata_is_a_finding_that_goes_when_it_is_mended(tmp_path: Path, treebanks: Path) -> None:
    config = treebanks / "harrington" / "src" / "config.json"
    config.parent.mkdir()
    config.write_text('{"collections": [7, {"publications": [{"work": "W", "sections": [{"xml": "a/b/good.xml"}]}]}]}')
    for _ in range(2):
        assert notices(ingest(tmp_path)) == {"src/config.json": ("an object in collections[]", "a number")}
    with connection(settings(tmp_path).work_db) as database:
        assert database.execute("select title from raw.harrington_documents").fetchall() == [("W",)]
    config.write_text('{"collections": []}')
    assert notices(ingest(tmp_path)) == {}


def test_what_a_reader_raises_names_the_file_and_the_rest_is_read(
    tmp_path: Path, treebanks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sometimes(data: bytes, facts: Any) -> Any:
        if facts.path.startswith("texts/"):
            raise MemoryError
        return read_native(data, facts)

    monkeypatch.setattr("ingest.readers.reading.read_native", sometimes)
    summary = ingest(tmp_path)
    assert rejected(summary) == {"texts/good.xml": ("a file that its reader can take", "MemoryError")}
    assert [file.path for file in summary.with_status("rejected")] == ["texts/good.xml"]
    assert len(summary.with_status("read")) == 2


class UnpicklableError(Exception):
    """An error that a worker cannot hand over."""

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("not this one")


def test_a_result_that_a_worker_cannot_hand_over_rejects_the_file(treebanks: Path) -> None:
    tasks = [reading.Task("agdt", "native_xml", treebanks / "agdt", "texts/good.xml", None)] * 2
    odd = reading.Task("agdt", "native_xml", treebanks / "agdt", "odd.xml", None, size=1, metadata=UnpicklableError())  # type: ignore[arg-type]
    results = [result for _, result in reading.read_files([tasks[0], odd, tasks[1]], 2)]
    assert [result.reading.is_read for result in results] == [True, False, True]
    assert results[1].reading.rejects[0].found == "TypeError: not this one"


def test_files_without_a_word_are_read_and_named(tmp_path: Path, treebanks: Path) -> None:
    (treebanks / "agdt" / "texts" / "header.xml").write_text("<treebank><header/></treebank>")
    (treebanks / "agdt" / "texts" / "no word.xml").write_text('<treebank><sentence id="1"/></treebank>')
    (treebanks / "ud_ptnk" / "empty.conllu").write_text("")
    for _ in range(2):
        summary = ingest(tmp_path)
        assert notices(summary) == {
            "texts/header.xml": ("a sentence", "none in the whole file"),
            "texts/no word.xml": ("a word", "none in the whole file"),
            "empty.conllu": ("a sentence", "none in the whole file"),
        }
        assert len(summary.with_status("read")) == 6
        assert summary.losses == []
        assert "found: agdt/texts/header.xml: expected a sentence, found none in the whole file" in report(summary)


# How many words have what.


def words(count: int, **missing: int) -> str:
    """A file of words of which so many, from the first on, lack an attribute."""
    values = {"form": "ναί", "lemma": "ναί", "postag": "d--------", "relation": "PRED", "head": "0"}
    rows = [
        f'<word id="{number}" '
        + " ".join(f'{name}="{value if number > missing.get(name, 0) else ""}"' for name, value in values.items())
        + "/>"
        for number in range(1, count + 1)
    ]
    return f'<treebank><sentence id="1">{"".join(rows)}</sentence></treebank>'


def test_a_file_whose_words_lack_an_attribute_is_named(tmp_path: Path, treebanks: Path) -> None:
    texts = treebanks / "agdt" / "texts"
    (texts / "form.xml").write_text(words(100, form=100))
    (texts / "all.xml").write_text(words(100, form=2, lemma=16, postag=16, relation=6, head=6))
    (texts / "few.xml").write_text(words(100, form=1, lemma=15, postag=15, relation=5, head=5))
    summary = ingest(tmp_path)
    found = [(one.path, one.reject.expected, one.reject.found) for one in summary.notices]
    assert found == [
        ("texts/all.xml", "at least 85 % of the words with a lemma", "84.0 % (84 of 100)"),
        ("texts/all.xml", "at least 85 % of the words with a tag", "84.0 % (84 of 100)"),
        ("texts/all.xml", "at least 95 % of the words with a head", "94.0 % (94 of 100)"),
        ("texts/all.xml", "at least 95 % of the words with a relation", "94.0 % (94 of 100)"),
        ("texts/all.xml", "at least 99 % of the words with a form", "98.0 % (98 of 100)"),
        ("texts/form.xml", "at least 99 % of the words with a form", "0.0 % (0 of 100)"),
    ]
    assert all((one.reject.scope, one.reject.rows_lost) == ("file", 0) for one in summary.notices)
    with connection(settings(tmp_path).work_db) as database:
        table = database.execute("select * from raw.file_attributes").fetchall()
    assert table[:5] == [
        ("agdt", "texts/all.xml", name, 100, filled)
        for name, filled in (("form", 98), ("lemma", 84), ("tag", 84), ("head", 94), ("relation", 94))
    ]
    assert ("ud_ptnk", "good.conllu", "tag", 1, 1) in table
    # Nothing is read again, and the same is said.
    again = ingest(tmp_path)
    assert (again.changed, again.findings) == (0, summary.findings)


def test_ranges_and_empty_nodes_are_no_words(tmp_path: Path, treebanks: Path) -> None:
    lines = [
        "1-2\tx" + "\t_" * 8,
        "1" + "\tx" * 5 + "\t0" + "\tx" * 3,
        "2\t_\t_\t_\t_\t_\t1\t_\t_\t_",
        "2.1" + "\t_" * 9,
    ]
    (treebanks / "ud_ptnk" / "good.conllu").write_text("# sent_id = 1\n" + "\n".join(lines) + "\n")
    ingest(tmp_path)
    with connection(settings(tmp_path).work_db) as database:
        query = "select attribute, words, filled from raw.file_attributes where project = 'ud_ptnk'"
        counts = database.execute(query).fetchall()
    assert counts == [("form", 2, 1), ("lemma", 2, 1), ("tag", 2, 1), ("head", 2, 2), ("relation", 2, 1)]


def test_a_fall_below_the_pinned_revision_comes_first(tmp_path: Path, treebanks: Path) -> None:
    def pinned(path: str, count: int, *filled: int) -> PinnedAttributes:
        return PinnedAttributes("agdt", path, "0" * 64, count, filled)

    texts = treebanks / "agdt" / "texts"
    for name in ("lemma", "steady", "short"):
        text = words(100, lemma=10 if name == "lemma" else 5, form=50 if name == "short" else 0)
        (texts / f"{name}.xml").write_text(text)
    rates = (
        pinned("texts/lemma.xml", 100, 100, 96, 100, 100, 100),
        pinned("texts/steady.xml", 105, 105, 105, 105, 105, 105),
        pinned("texts/short.xml", 106, 106, 50, 106, 106, 106),
    )
    summary = ingest(tmp_path, Registry(REGISTRY.projects, (), rates))
    assert [(one.path, one.reject.expected, one.reject.found) for one in summary.falls] == [
        ("texts/lemma.xml", "96.0 % of the words with a lemma, as at the pinned revision", "90.0 % (90 of 100)"),
        ("texts/short.xml", "100.0 % of the words with a form, as at the pinned revision", "50.0 % (50 of 100)"),
        ("texts/short.xml", "at least 95 % of the 106 words at the pinned revision", "100"),
    ]
    assert summary.notices == []
    first = report(summary).split("\n")[0]
    assert first.startswith("LESS THAN PINNED: agdt/texts/lemma.xml: expected 96.0 % of the words with a lemma")
    # When the pin changes, the files stay as they are and the findings follow.
    again = ingest(tmp_path, REGISTRY)
    assert (again.changed, again.falls) == (0, [])
    assert [one.reject.found for one in again.notices] == ["50.0 % (50 of 100)"]


def test_the_counts_of_the_pinned_files_are_written_by_a_command(tmp_path: Path, treebanks: Path) -> None:
    ingest(tmp_path)
    catalogue = tmp_path / "catalogue"
    catalogue.mkdir()
    (catalogue / "projects.csv").write_text(
        "project,repository,revision,format,files,metadata_file\n"
        + "".join(
            f"{one.name},{one.repository},{one.revision},{one.format},{one.files},\n" for one in REGISTRY.projects
        )
    )
    with connection(settings(tmp_path).work_db) as database:
        [(sha256,)] = database.execute("select sha256 from raw.files where path = 'texts/good.xml'").fetchall()
    (catalogue / "source_files.csv").write_text(
        f"project,path,sha256\nud_ptnk,good.conllu,{'0' * 64}\nagdt,texts/good.xml,{sha256}\nagdt,gone.xml,{'1' * 64}\n"
    )
    (catalogue / "source_file_attributes.csv").write_text(
        "project,path,sha256,words,form,lemma,tag,head,relation\n"
        f"agdt,gone.xml,{'1' * 64},9,8,7,6,5,4\nagdt,texts/good.xml,{'2' * 64},9,9,9,9,9,9\n"
    )
    assert write_rates(settings(tmp_path).work_db, catalogue) == 2
    assert (catalogue / "source_file_attributes.csv").read_text() == (
        "project,path,sha256,words,form,lemma,tag,head,relation\n"
        f"agdt,gone.xml,{'1' * 64},9,8,7,6,5,4\nagdt,texts/good.xml,{sha256},1,1,1,1,1,1\n"
    )
    assert [rate.path for rate in load_registry(catalogue).rates] == ["gone.xml", "texts/good.xml"]
    assert write_pins(settings(tmp_path).work_db, catalogue, "ud_ptnk") == 1
    lines = (catalogue / "source_files.csv").read_text().splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == ["good.conllu", "texts/good.xml", "gone.xml"]
    assert lines[1] != f"ud_ptnk,good.conllu,{'0' * 64}"
    with pytest.raises(IngestError, match=r"expected one of the projects .*, found 'nobody'"):
        write_pins(settings(tmp_path).work_db, catalogue, "nobody")
    (catalogue / "source_file_attributes.csv").write_text(
        "project,path,sha256,words,form,lemma,tag,head,relation\nagdt,gone.xml,1,x,1,1,1,1,1\n"
    )
    with pytest.raises(IngestError, match="line 2: expected whole numbers"):
        load_registry(catalogue)


def test_the_registry_has_counts_of_every_pinned_file_that_was_read() -> None:
    registry = load_registry()
    pinned = {(file.project, file.path) for file in registry.files if file.sha256}
    counted = {(rate.project, rate.path) for rate in registry.rates}
    assert counted <= pinned and len(counted) == 255
    assert all(0 < max(rate.filled) <= rate.words for rate in registry.rates)


def test_a_database_of_an_older_version_gets_the_new_table(tmp_path: Path, treebanks: Path) -> None:
    import duckdb

    ingest(tmp_path)
    with duckdb.connect(str(settings(tmp_path).work_db)) as database:
        database.execute("drop table raw.file_attributes")
        database.execute("update raw.files set reader = '1-0'")
    assert ingest(tmp_path).changed == 3
    with connection(settings(tmp_path).work_db) as database:
        assert database.execute("select count(*) from raw.file_attributes").fetchall() == [(15,)]


def test_text_of_the_input_is_shown_on_one_line() -> None:
    assert shown("ναί 'x'") == "ναί 'x'"
    assert shown("a\nb\x1b[31m\u202e\udcff\u2028\ue000") == "a\\nb\\x1b[31m\\u202e\\udcff\\u2028\\ue000"


def test_a_pattern_matches_what_the_layout_says(tmp_path: Path) -> None:
    for path in ("a.xml", "x/b.xml", "x/y/c.xml", "x/y/.d.xml", "x/y/e.txt", "[z]/f.xml"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "x" / "again").symlink_to("..")

    def matches(pattern: str) -> list[str]:
        return [one.path for one in list_files(tmp_path, pattern)[0]]

    assert matches("*.xml") == ["a.xml"]
    assert matches("x/*.xml") == ["x/b.xml"]
    assert matches("**/*.xml") == ["[z]/f.xml", "a.xml", "x/b.xml", "x/y/c.xml"]
    assert matches("[z]/*.xml") == ["[z]/f.xml"]
    assert matches("nowhere/*.xml") == matches("a.xml/*.xml") == []
    assert look_at(tmp_path, "nowhere.xml") is None
    assert look_at(tmp_path, "a.xml/b.xml") is None


def test_the_error_without_any_file_names_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "treebanks").mkdir()
    with pytest.raises(IngestError, match=r"agdt/texts/\*\.xml"):
        ingest(tmp_path)
    with pytest.raises(IngestError, match="found no such folder"):
        raw.run(
            Settings(tmp_path / "none", tmp_path, tmp_path / "s.duckdb", tmp_path / "w" / "s.duckdb", tmp_path / "hub"),
            registry=REGISTRY,
        )
