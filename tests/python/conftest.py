"""Builds that the tests share: the bundled sample always, the real input where it lies beside the checkout."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from runtime.checkout import project_checksum

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("runtime", "ingest", "machine", "score", "exports", "portable", "bench")
"""The rooms of the programs: each imports from those before it."""

REAL_TREEBANKS = ROOT.parent / "shared" / "treebanks"
DBT = Path(__file__).with_name("dbt_parsed_once.py")

PARSED: list[Path] = []
"""Where this run of the tests keeps the project as dbt has parsed it; set when the first test begins."""


@dataclass(frozen=True)
class Build:
    """A finished build.

    Attributes:
        build: its folder.
        db: the published warehouse.
        work_db: the warehouse that ingest and dbt wrote.
        hub: the published dataset folder.
        output: what the commands printed.
    """

    build: Path
    db: Path
    work_db: Path
    hub: Path
    output: str


def connection(path: Path) -> duckdb.DuckDBPyConnection:
    """Open a warehouse read-only."""
    return duckdb.connect(str(path), read_only=True)


def build_environment(build: Path, treebanks: Path | None, threads: int = 2, **more: str) -> dict[str, str]:
    """Return the environment of the commands of one build, apart from any other build of this machine."""
    ours = ("SPHRAGIS_", "DBT_", "TESTS_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    environment |= {
        "SPHRAGIS_BUILD": str(build),
        "SPHRAGIS_THREADS": str(threads),
        "DBT_TARGET_PATH": str(build / "target"),
        "DBT_LOG_PATH": str(build / "logs"),
        "DBT_PROFILES_DIR": str(ROOT),
        "DBT_PROJECT_DIR": str(ROOT),
        # The parser of the sample is trained in seconds; that of the real input would take the better part of an hour.
        "SPHRAGIS_MACHINE": "crossfit" if treebanks is None else "none",
        "PYTHONHASHSEED": "0",
        "HF_HUB_OFFLINE": "1",
    }
    if treebanks is not None:
        environment["SPHRAGIS_TREEBANKS"] = str(treebanks)
    environment |= more
    if PARSED and environment["DBT_PROJECT_DIR"] == str(ROOT):
        environment["TESTS_PARSED"] = str(PARSED[0])
    return environment


def run(
    arguments: list[str], environment: dict[str, str], check: bool = True, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run one command of the project from its root and return it finished, with output and errors in `stdout`."""
    finished = subprocess.run(
        arguments, cwd=cwd, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if check and finished.returncode != 0:
        raise AssertionError(f"{' '.join(arguments)} ended with {finished.returncode}:\n{finished.stdout[-8000:]}")
    return finished


def dbt(*arguments: str) -> list[str]:
    """Return a dbt command of this environment, which takes over what an earlier one has parsed."""
    return [sys.executable, str(DBT), *arguments]


def make_build(build: Path, treebanks: Path | None, threads: int = 2, **more: str) -> Build:
    """Ingest, transform and export one input into one folder.

    Args:
        build: folder of the build.
        treebanks: folder of treebanks; None for the bundled sample.
        threads: threads of dbt and DuckDB.
        more: further environment variables.

    Raises:
        AssertionError: when a command ends with another code than 0; the message has its output.
    """
    environment = build_environment(build, treebanks, threads, **more)
    sample = [] if treebanks is not None else ["--source", "sample"]
    # Unit tests ask the SQL, on rows of their own: the build of the sample runs them.
    without = ["--exclude-resource-type", "unit_test"] if treebanks is not None else []
    steps = (
        [sys.executable, "-m", "ingest", *sample],
        dbt("build", *without),
        [sys.executable, "-m", "exports"],
    )
    output = "".join(run(step, environment).stdout for step in steps)
    return Build(build, build / "sphragis.duckdb", build / "work" / "sphragis.duckdb", build / "hub", output)


def copy_build(source: Path, target: Path, *left_out: str) -> None:
    """Copy a build folder with its links, without parts of these names."""
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(*left_out))


def mark_finished(work_db: Path, root: Path = ROOT) -> None:
    """Note that all models are built, as a whole run does: for tests that build them without their tests."""
    with duckdb.connect(str(work_db)) as con:
        con.execute("delete from raw.whole_run")
        con.execute(
            "insert into raw.whole_run (input, project, variables, undone, is_finished) "
            "select input, ?, '{}', []::varchar[], true from raw.present_input",
            [project_checksum(root)],
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample-site", type=Path, help="a site of that build, instead of making one")
    parser.addoption("--sample-build", type=Path, help="a finished build of the sample, instead of making one")
    parser.addoption("--real-build", type=Path, help="a finished build of the real input, instead of making one")
    parser.addoption("--fail-fast", action="store_const", const=1, dest="maxfail", help="stop at the first failure")
    parser.addoption("--match-examples", type=int, default=150, help="requests made at random, of each kind of trees")


LONGEST = (
    "test_splits_reference",  # with the build of the real input
    "test_machine_layer",  # with that of the sample
    "test_end_to_end",
    "test_machine_crossfit",
    "test_export_faults",
    "test_machine_default",
    "test_ingest_readers",
    "test_row_order",
    "test_export_files",
    "test_export_swap",
    "test_kills",
    "test_reported_faults",
    "test_untried_input",
    "test_syntax_fixtures",
)
"""The files that take longest, in the order in which several processes take them, so that these end together."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONGEST)))


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the folder that all processes of this run of the tests see."""
    folder = factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session", autouse=True)
def parsed_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let the first run of dbt leave its parse to the others: it takes longer than what many of them are for."""
    PARSED[:] = [shared_folder(tmp_path_factory) / "partial_parse.msgpack"]
    os.environ["TESTS_PARSED"] = str(PARSED[0])


@pytest.fixture(scope="session", autouse=True)
def without_waiting_for_disks() -> Iterator[None]:
    """Let what runs in this process not wait until a disk has written: nobody cuts the power here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        yield


def given_build(folder: Path, output: str = "") -> Build:
    folder = folder.resolve()
    return Build(folder, folder / "sphragis.duckdb", folder / "work" / "sphragis.duckdb", folder / "hub", output)


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Build]) -> Build:
    """Return a build that all processes of this run of the tests share: the first makes it, the others wait for it.

    Raises:
        AssertionError: it could not be made, here or in another process.
    """
    folder = shared_folder(factory)
    output, failure = folder / f"{name}.output", folder / f"{name}.failure"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if failure.exists():
            raise AssertionError(failure.read_text(encoding="utf-8"))
        if not output.exists():
            try:
                made = make(folder / name)
            except AssertionError as error:
                failure.write_text(str(error), encoding="utf-8")
                raise
            output.write_text(made.output, encoding="utf-8")
    return given_build(folder / name, output.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def sample_build(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The bundled sample, built once a session, with one thread. Nothing may be written into it."""
    given = request.config.getoption("--sample-build")
    if given:
        return given_build(given)
    return made_once(tmp_path_factory, "sample", lambda folder: make_build(folder, None, threads=1))


def folder_made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Path]) -> Path:
    """Return a folder that all processes of this run of the tests share: the first makes it, the others wait for it."""
    shared = shared_folder(factory)
    told = shared / f"{name}.path"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            told.write_text(str(make(shared / name)), encoding="utf-8")
    return Path(told.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What dbt has written about the project, all models compiled."""
    from exports.site.dbt_docs import generate

    def make(folder: Path) -> Path:
        command = dbt()
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TESTS_PARSED", os.environ.get("TESTS_PARSED", ""))
            return generate(ROOT, folder / "scratch", command)

    return folder_made_once(tmp_path_factory, "target-of-dbt", make)


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the sample, dbt's own within, made once. Nothing may be written into it."""
    from exports.site import write

    if given := request.config.getoption("--sample-site"):
        return Path(given).resolve()
    build: Build = request.getfixturevalue("sample_build")
    compiled: Path = request.getfixturevalue("target")

    def make(folder: Path) -> Path:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(write, "generate", lambda *_: compiled)
            write.write_site(build.db, build.hub, folder / "site")
        assert [path.name for path in folder.iterdir()] == ["site"]
        return folder / "site"

    return folder_made_once(tmp_path_factory, "site-of-the-sample", make)


@pytest.fixture(scope="session")
def real_treebanks() -> Path:
    """The folder of the real treebanks; the test is skipped where there is none."""
    if not REAL_TREEBANKS.is_dir():
        pytest.skip("the real treebanks do not lie beside this checkout")
    return REAL_TREEBANKS


@pytest.fixture(scope="session")
def real_build(request: pytest.FixtureRequest, real_treebanks: Path, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The real input, built once a session; skipped where it does not lie beside the checkout."""
    given = request.config.getoption("--real-build")
    if given:
        return given_build(given)
    return made_once(tmp_path_factory, "real", lambda folder: make_build(folder, real_treebanks))
