"""The source registry: which files of which projects, at which revision, with which checksum.

The facts stand in ``seeds/catalogue/projects.csv`` and ``seeds/catalogue/source_files.csv``, which are also
dbt seeds; this module only reads them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.checkout import project_root
from ingest.errors import IngestError

FORMATS = ("native_xml", "conllu")


@dataclass(frozen=True)
class Project:
    """One treebank project, a row of ``projects.csv``.

    Attributes:
        name: key of the project and prefix of its raw tables.
        repository: owner and name of the git repository.
        revision: the pinned commit, 40 hexadecimal digits.
        format: ``native_xml`` or ``conllu``, which decides the reader and the shape of the raw tables.
        files: glob pattern of the data files inside the repository.
        metadata_file: path of a file with authors, titles and editors, or None.
    """

    name: str
    repository: str
    revision: str
    format: str
    files: str
    metadata_file: str | None


@dataclass(frozen=True)
class SourceFile:
    """One data file that the registry expects, a row of ``source_files.csv``.

    Attributes:
        project: name of the project.
        path: path inside the repository, with forward slashes.
        sha256: checksum at the pinned revision, None where it is not known.
    """

    project: str
    path: str
    sha256: str | None


@dataclass(frozen=True)
class Registry:
    """All projects, in the order of the seed, and the files expected of each."""

    projects: tuple[Project, ...]
    files: tuple[SourceFile, ...]

    def files_of(self, project: str) -> dict[str, SourceFile]:
        """Return the expected files of one project by path."""
        return {file.path: file for file in self.files if file.project == project}

    def layout_only(self) -> Registry:
        """Return the same projects without any expected file (the bundled sample has files of its own)."""
        return Registry(self.projects, ())


def registry_folder() -> Path:
    """Return the folder of the catalogue seeds: of the checkout that is current, else of this package."""
    return project_root(IngestError) / "seeds" / "catalogue"


def load_registry(folder: Path | None = None) -> Registry:
    """Read and check the registry.

    Args:
        folder: where ``projects.csv`` and ``source_files.csv`` lie; default: the seeds of the checkout.

    Raises:
        IngestError: a column is missing, a format unknown, a pin no commit id, or a file listed twice.
    """
    folder = folder or registry_folder()
    projects = tuple(_projects(folder / "projects.csv"))
    known = {project.name for project in projects}
    files: dict[tuple[str, str], SourceFile] = {}
    for number, row in _rows(folder / "source_files.csv", ("project", "path", "sha256")):
        key = (row["project"], row["path"])
        if row["project"] not in known:
            raise IngestError(
                f"source_files.csv line {number}: expected a project of projects.csv, found {row['project']!r}"
            )
        if key in files:
            raise IngestError(f"source_files.csv line {number}: expected each file once, found {row['path']!r} again")
        files[key] = SourceFile(row["project"], row["path"], row["sha256"] or None)
    return Registry(projects, tuple(files.values()))


def matching_paths(root: Path, pattern: str) -> list[str]:
    """Return the paths of the files below ``root`` that match a glob pattern, sorted by code point."""
    found = (path for path in root.glob(pattern) if path.is_file() and not path.name.startswith("."))
    return sorted(path.relative_to(root).as_posix() for path in found)


def _projects(path: Path) -> Iterator[Project]:
    columns = ("project", "repository", "revision", "format", "files", "metadata_file")
    for number, row in _rows(path, columns):
        if row["format"] not in FORMATS:
            raise IngestError(
                f"projects.csv line {number}: expected format native_xml or conllu, found {row['format']!r}"
            )
        if len(row["revision"]) != 40 or set(row["revision"]) - set("0123456789abcdef"):
            raise IngestError(
                f"projects.csv line {number}: expected a commit id of 40 hexadecimal digits, found {row['revision']!r}"
            )
        yield Project(
            name=row["project"],
            repository=row["repository"],
            revision=row["revision"],
            format=row["format"],
            files=row["files"],
            metadata_file=row["metadata_file"] or None,
        )


def _rows(path: Path, columns: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            reader = csv.DictReader(handle)
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise IngestError(f"{path.name}: expected the columns {', '.join(missing)}, found none such")
            for row in reader:
                yield reader.line_num, {key: value or "" for key, value in row.items() if key}
    except OSError as error:
        raise IngestError(f"expected the source registry {path.name}, found {error.strerror}") from error
