"""The source registry: which files of which projects, at which revision, with which checksum, and how many words.

The facts stand in ``seeds/catalogue/projects.csv``, ``source_files.csv`` and ``source_file_attributes.csv``, which are
also dbt seeds; this module only reads them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from runtime.checkout import project_root
from runtime.errors import IngestError

FORMATS = ("native_xml", "conllu")
ATTRIBUTES = ("form", "lemma", "tag", "head", "relation")
"""What a word can have, in the order of the columns of ``source_file_attributes.csv``."""

RATES = "source_file_attributes.csv"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")


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
class PinnedAttributes:
    """What the words of a file had at the pinned revision, a row of ``source_file_attributes.csv``.

    Attributes:
        project: name of the project.
        path: path inside the repository.
        sha256: checksum of the content that was counted.
        words: its words.
        filled: how many of them had each of ATTRIBUTES.
    """

    project: str
    path: str
    sha256: str
    words: int
    filled: tuple[int, ...]


@dataclass(frozen=True)
class Registry:
    """All projects, the files expected of each, and what their words had when counted.

    All are sorted: the order of rows in the seeds says nothing.
    """

    projects: tuple[Project, ...]
    files: tuple[SourceFile, ...]
    rates: tuple[PinnedAttributes, ...] = ()

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
        folder: where ``projects.csv``, ``source_files.csv`` and, perhaps, ``source_file_attributes.csv`` lie; default:
            the seeds of the checkout.

    Raises:
        IngestError: a column is missing, a format unknown, a repository no owner and name, a pin no commit id, a file
            listed twice, or a count no number.
    """
    folder = folder or registry_folder()
    projects = tuple(sorted(_projects(folder / "projects.csv"), key=lambda project: project.name))
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
    # Counts of another content than the pinned one say nothing.
    rates = (rate for rate in _rates(folder / RATES) if _is_pinned(rate, files))
    return Registry(
        projects,
        tuple(files[key] for key in sorted(files)),
        tuple(sorted(rates, key=lambda rate: (rate.project, rate.path))),
    )


def _projects(path: Path) -> Iterator[Project]:
    columns = ("project", "repository", "revision", "format", "files", "metadata_file")
    for number, row in _rows(path, columns):
        if row["format"] not in FORMATS:
            raise IngestError(
                f"projects.csv line {number}: expected format native_xml or conllu, found {row['format']!r}"
            )
        if not _NAME.fullmatch(row["project"]) or row["project"] in FORMATS:
            raise IngestError(
                f"projects.csv line {number}: expected a project named by small letters, digits and _, and not like a "
                f"format, found {row['project']!r}"
            )
        if not _REPOSITORY.fullmatch(row["repository"]):
            raise IngestError(
                f"projects.csv line {number}: expected a repository as owner/name, found {row['repository']!r}"
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


def _rates(path: Path) -> Iterator[PinnedAttributes]:
    if not path.exists():
        return
    for number, row in _rows(path, ("project", "path", "sha256", "words", *ATTRIBUTES)):
        counts = [row[name] for name in ("words", *ATTRIBUTES)]
        if not all(count.isascii() and count.isdecimal() for count in counts):
            raise IngestError(f"{path.name} line {number}: expected whole numbers, found {', '.join(counts)}")
        words, *filled = map(int, counts)
        yield PinnedAttributes(row["project"], row["path"], row["sha256"], words, tuple(filled))


def _is_pinned(rate: PinnedAttributes, files: Mapping[tuple[str, str], SourceFile]) -> bool:
    file = files.get((rate.project, rate.path))
    return file is not None and file.sha256 == rate.sha256


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
