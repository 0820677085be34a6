"""Fetching pinned commits, tested against local git repositories."""

from __future__ import annotations

import shutil
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ingest import fetch
from ingest.fetch import find_source, git, git_source
from ingest.raw import run
from ingest.sources import Project, Registry, SourceFile, load_registry
from runtime.errors import IngestError
from runtime.settings import Settings

WORD = '<treebank><sentence id="1"><word id="1" form="{}"/></sentence></treebank>'


def commit(repository: Path, files: dict[str, str]) -> str:
    """Commit files and return the commit id."""
    for path, text in files.items():
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text, encoding="utf-8")
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "add", "-A"], cwd=repository, check=True)
    subprocess.run(["git", *who, "commit", "--quiet", "-m", "files"], cwd=repository, check=True)
    return git(["rev-parse", "HEAD"], repository)[1]


@pytest.fixture
def upstream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of two commits under a local base address; yields its folder."""
    repository = tmp_path / "base" / "someone" / "trees"
    repository.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", "-b", "main"], cwd=repository, check=True)
    monkeypatch.setenv("SPHRAGIS_GIT_BASE", f"file://{tmp_path / 'base'}")
    return repository


def registry(revision: str) -> Registry:
    project = Project("gorman", "someone/trees", revision, "native_xml", "xml versions/*.xml", "src/config.json")
    return Registry((project,), (SourceFile("gorman", "xml versions/a b.xml", None),))


def settings(tmp_path: Path) -> Settings:
    build = tmp_path / "build"
    return Settings(None, build, build / "s.duckdb", build / "work" / "s.duckdb", build / "hub")


FILES = {
    "xml versions/a b.xml": WORD.format("α"),
    "src/config.json": "{}",
    "big/unneeded.bin": "x" * 100_000,
}


def test_exactly_the_pinned_commit_is_fetched(tmp_path: Path, upstream: Path) -> None:
    pinned = commit(upstream, FILES)
    commit(upstream, {"xml versions/a b.xml": WORD.format("β")})
    source = git_source(tmp_path / "cache", registry(pinned))
    folder = tmp_path / "cache" / "gorman"
    assert source.kind == "git" and source.revisions == {"gorman": pinned}
    assert git(["rev-parse", "HEAD"], folder) == (0, pinned)
    assert git(["rev-list", "--count", "HEAD"], folder) == (0, "1"), "one commit, no history"
    assert (folder / "xml versions" / "a b.xml").read_text() == WORD.format("α")
    assert (folder / "src" / "config.json").exists()
    assert not (folder / "big").exists(), "only what is read is checked out"


def test_blobs_that_are_not_read_stay_with_a_server_that_can_filter(tmp_path: Path, upstream: Path) -> None:
    pinned = commit(upstream, FILES)
    for name in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        subprocess.run(["git", "config", name, "true"], cwd=upstream, check=True)
    git_source(tmp_path / "cache", registry(pinned))
    folder = tmp_path / "cache" / "gorman"
    objects = subprocess.run(
        ["git", "rev-list", "--objects", "--missing=print", "HEAD"], cwd=folder, text=True, capture_output=True
    ).stdout
    assert objects.count("\n?") == 1, "the one unneeded file was left behind"
    assert fetch.is_complete(folder, registry(pinned).projects[0])


def test_a_server_that_gives_branches_only_is_enough(
    tmp_path: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = commit(upstream, FILES)
    commit(upstream, {"xml versions/a b.xml": WORD.format("β")})
    asked: list[str] = []

    def by_name_only(arguments: list[str], folder: Path | None = None, timeout: float = 120) -> tuple[int, str]:
        asked.append(" ".join(arguments))
        if arguments[0] == "fetch" and pinned in arguments:
            return 128, "Server does not allow request for unadvertised object"
        return git(arguments, folder, timeout)

    monkeypatch.setattr(fetch, "git", by_name_only)
    git_source(tmp_path / "cache", registry(pinned))
    assert (tmp_path / "cache" / "gorman" / "xml versions" / "a b.xml").read_text() == WORD.format("α")
    assert sum(question.startswith("fetch") for question in asked) == 3


def test_a_commit_that_does_not_exist_is_an_error_and_no_sample(tmp_path: Path, upstream: Path) -> None:
    commit(upstream, FILES)
    with pytest.raises(IngestError, match=r"gorman: expected the commit 0{40} .*found none such"):
        find_source(settings(tmp_path), registry("0" * 40))
    assert not (tmp_path / "build" / "treebanks" / "gorman").exists()
    assert list((tmp_path / "build" / "treebanks").iterdir()) == []


def test_what_was_fetched_is_used_again_without_the_server(tmp_path: Path, upstream: Path) -> None:
    pinned = commit(upstream, FILES)
    git_source(tmp_path / "cache", registry(pinned))
    upstream.rename(upstream.with_name("gone"))
    assert git_source(tmp_path / "cache", registry(pinned)).kind == "git"


def test_a_changed_file_of_the_cache_is_fetched_again(tmp_path: Path, upstream: Path) -> None:
    pinned = commit(upstream, FILES)
    git_source(tmp_path / "cache", registry(pinned))
    file = tmp_path / "cache" / "gorman" / "xml versions" / "a b.xml"
    file.write_text(WORD.format("γ"))
    assert not fetch.is_complete(tmp_path / "cache" / "gorman", registry(pinned).projects[0])
    git_source(tmp_path / "cache", registry(pinned))
    assert file.read_text() == WORD.format("α")


def test_a_new_pin_is_fetched(tmp_path: Path, upstream: Path) -> None:
    git_source(tmp_path / "cache", registry(commit(upstream, FILES)))
    git_source(tmp_path / "cache", registry(commit(upstream, {"xml versions/a b.xml": WORD.format("β")})))
    assert (tmp_path / "cache" / "gorman" / "xml versions" / "a b.xml").read_text() == WORD.format("β")


def test_a_damaged_object_is_not_accepted(tmp_path: Path, upstream: Path) -> None:
    pinned = commit(upstream, FILES)
    blob = git(["rev-parse", f"{pinned}:xml versions/a b.xml"], upstream)[1]
    other = git(["rev-parse", f"{pinned}:src/config.json"], upstream)[1]
    place = upstream / ".git" / "objects"
    target = place / blob[:2] / blob[2:]
    target.chmod(0o644)
    target.write_bytes((place / other[:2] / other[2:]).read_bytes())
    with pytest.raises(IngestError):
        find_source(settings(tmp_path), registry(pinned))
    assert not (tmp_path / "build" / "treebanks" / "gorman").exists()


def test_what_a_killed_fetch_left_is_cleared(tmp_path: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = commit(upstream, FILES)
    with monkeypatch.context() as killed:
        killed.setattr(shutil, "rmtree", lambda *_, **__: None)
        killed.setattr(fetch, "fetch_commit", lambda *_: (_ for _ in ()).throw(IngestError("killed")))
        with pytest.raises(IngestError, match="killed"):
            git_source(tmp_path / "cache", registry(pinned))
    assert len(list((tmp_path / "cache").iterdir())) == 1
    git_source(tmp_path / "cache", registry(pinned))
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["gorman"]


def test_two_runs_do_not_fetch_into_one_folder(tmp_path: Path, upstream: Path) -> None:
    pinned = commit(upstream, FILES)
    with fetch.only_fetcher(tmp_path / "cache"), pytest.raises(IngestError, match="found another one; wait"):
        git_source(tmp_path / "cache", registry(pinned))
    git_source(tmp_path / "cache", registry(pinned))


def test_where_nothing_can_be_reached_the_sample_stands_in_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPHRAGIS_GIT_BASE", f"file://{tmp_path / 'nothing'}")
    source = find_source(settings(tmp_path), registry("0" * 40))
    assert source.kind == "sample"
    assert "sample" in source.note and set(source.revisions.values()) == {"sample"}
    assert "bundled SAMPLE" in capsys.readouterr().err
    with pytest.raises(IngestError, match="expected to reach the repositories"):
        find_source(settings(tmp_path), registry("0" * 40), "git")


def test_a_folder_comes_before_the_repositories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "git_source", lambda *_: pytest.fail("asked the repositories"))
    given = replace(settings(tmp_path), treebanks=tmp_path)
    assert find_source(given, registry("0" * 40)).kind == "folder"
    with pytest.raises(IngestError, match="found it unset"):
        find_source(settings(tmp_path), registry("0" * 40), "folder")


def test_the_files_of_a_fetch_are_the_listed_ones(tmp_path: Path, upstream: Path) -> None:
    pinned = commit(upstream, FILES | {"xml versions/other.xml": WORD.format("β")})
    summary = run(settings(tmp_path), workers=1, quiet=True, registry=registry(pinned))
    assert [(file.path, file.revision, file.status) for file in summary.files] == [
        ("xml versions/a b.xml", pinned, "read")
    ]


def test_git_never_asks_and_never_waits_for_ever(tmp_path: Path) -> None:
    code, said = git(["-c", "alias.wait=!sleep 5", "wait"], tmp_path, timeout=0.5)
    assert (code, said) == (124, "no answer within 0 seconds")


@pytest.mark.parametrize(
    "base",
    [
        "--upload-pack=touch pwned;", "-oProxyCommand=x", "ext::sh -c touch% pwned", "fd::17", "http://example.org",
        "https://-x", "ssh://-oProxyCommand=x/y", "user@-host:x", "user@host:-x", "../mirror", "mirror", " /mirror",
        "https://example.org\n", "git://example.org", "file://",
    ],
)  # fmt: skip
def test_a_base_that_is_no_address_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPHRAGIS_GIT_BASE", base)
    monkeypatch.setattr(fetch, "git", lambda *_, **__: pytest.fail("git was run"))
    with pytest.raises(IngestError, match="SPHRAGIS_GIT_BASE: expected the beginning of an address"):
        find_source(settings(tmp_path), registry("0" * 40))
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    "base", ["https://example.org", "ssh://git@example.org:22/a", "file:///a b", "git@example.org:mirror", "/a/b c/"]
)
def test_addresses_are_accepted(monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.setenv("SPHRAGIS_GIT_BASE", base)
    assert fetch.repository_url(registry("0" * 40).projects[0]) == f"{base.rstrip('/')}/someone/trees"


def test_a_local_path_is_enough(tmp_path: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPHRAGIS_GIT_BASE", str(tmp_path / "base"))
    assert git_source(tmp_path / "cache", registry(commit(upstream, FILES))).kind == "git"


def test_git_runs_no_command_for_an_address_and_takes_none_for_an_option(tmp_path: Path) -> None:
    code, said = git(["ls-remote", "--", f"ext::sh -c touch% {tmp_path}/pwned", "HEAD"], tmp_path)
    assert code != 0 and "not allowed" in said
    code, _ = git(["ls-remote", "--", f"--upload-pack=touch {tmp_path}/pwned", str(tmp_path)], tmp_path)
    assert code != 0
    assert list(tmp_path.iterdir()) == []


def test_every_address_stands_behind_a_double_dash(
    tmp_path: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = commit(upstream, FILES)
    asked: list[list[str]] = []

    def noted(arguments: list[str], folder: Path | None = None, timeout: float = 120) -> tuple[int, str]:
        asked.append(list(arguments))
        return git(arguments, folder, timeout)

    monkeypatch.setattr(fetch, "git", noted)
    git_source(tmp_path / "cache", registry(pinned))
    reaching = [arguments for arguments in asked if arguments[0] in ("ls-remote", "fetch", "remote")]
    assert len(reaching) >= 3
    assert all("--" in arguments for arguments in reaching)
    addresses = [arguments.index(word) for arguments in reaching for word in arguments if "://" in word]
    assert addresses and all("://" not in word for arguments in reaching for word in arguments[: arguments.index("--")])


def test_a_helper_of_git_ends_with_it(tmp_path: Path) -> None:
    script = f"sh -c 'sleep 30 & echo $! > {tmp_path}/helper; wait'"
    code, _ = git(["-c", f"alias.helped=!{script}", "helped"], tmp_path, timeout=2)
    assert code == 124
    helper = int((tmp_path / "helper").read_text())
    for _ in range(100):
        # A process that has ended and that nobody has asked for is a zombie.
        state = Path(f"/proc/{helper}/stat")
        if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("the helper outlived git")


def test_a_stopped_run_ends_git(tmp_path: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(upstream, FILES)

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fetch, "fetch_project", stopped)
    with pytest.raises(KeyboardInterrupt):
        git_source(tmp_path / "cache", registry("0" * 40))
    assert git(["--version"], tmp_path)[0] == 0, "the next run may use git again"


@pytest.mark.parametrize("repository", ["-x/y", "a/-b", "../..", "a", "a/b/c", "a b/c"])
def test_a_repository_is_an_owner_and_a_name(tmp_path: Path, repository: str) -> None:
    head = "project,repository,revision,format,files,metadata_file\n"
    (tmp_path / "projects.csv").write_text(f"{head}x,{repository},{'a' * 40},conllu,*,\n")
    (tmp_path / "source_files.csv").write_text("project,path,sha256\n")
    with pytest.raises(IngestError, match="a repository as owner/name"):
        load_registry(tmp_path)
