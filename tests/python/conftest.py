"""Builds that the tests share: the bundled sample always, the real input where it lies beside the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from runtime.checkout import project_checksum

ROOT = Path(__file__).resolve().parents[2]
REAL_TREEBANKS = ROOT.parent / "shared" / "treebanks"


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
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SPHRAGIS_", "DBT_"))}
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
    return environment | more


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
    """Return a dbt command of this environment."""
    return [str(Path(sys.executable).with_name("dbt")), *arguments]


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
    steps = (
        [sys.executable, "-m", "ingest", *sample],
        dbt("build"),
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
    parser.addoption("--sample-build", type=Path, help="a finished build of the sample, instead of making one")
    parser.addoption("--real-build", type=Path, help="a finished build of the real input, instead of making one")


def given_build(folder: Path) -> Build:
    folder = folder.resolve()
    return Build(folder, folder / "sphragis.duckdb", folder / "work" / "sphragis.duckdb", folder / "hub", "")


@pytest.fixture(scope="session")
def sample_build(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """The bundled sample, built once a session, with one thread."""
    given = request.config.getoption("--sample-build")
    yield given_build(given) if given else make_build(tmp_path_factory.mktemp("sample"), None, threads=1)


@pytest.fixture(scope="session")
def real_treebanks() -> Path:
    """The folder of the real treebanks; the test is skipped where there is none."""
    if not REAL_TREEBANKS.is_dir():
        pytest.skip("the real treebanks do not lie beside this checkout")
    return REAL_TREEBANKS


@pytest.fixture(scope="session")
def real_build(
    request: pytest.FixtureRequest, real_treebanks: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Build]:
    """The real input, built once a session; skipped where it does not lie beside the checkout."""
    given = request.config.getoption("--real-build")
    yield given_build(given) if given else make_build(tmp_path_factory.mktemp("real"), real_treebanks)
