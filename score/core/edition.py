"""An edition as the scorer sees it: its fingerprint, and the rows of a split with their authors and works."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .faults import ScoreError, proposal

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPLITS = ("train", "validation", "validation2", "test")
ROTATION = "rotation"
"""The name, as a split, of all rows that the folds of the rotation hold out."""

HELD_OUT = "work_held_out"
"""End of the name of a track whose test split is whole works; by itself the one over all authors."""
MAIN_TRACK = "sentence"
"""The track of all authors whose works are in every split."""

ROTATION_FILE = "metadata/work_rotation.json"
BASELINES = "metadata/baselines"
"""Folder of an edition with the predictions of its baselines."""

ROTATION_FORMAT = "sphragis-rotation-1"


@dataclass(frozen=True)
class Unit:
    """What is resampled as one: a work, or the rows of an author that are of several works.

    Attributes:
        name: canonical work; for rows of several works the author and a word that says so.
        title: what people call it.
        author: place of the author among the labels.
        group: rival or singleton on held-out tracks, else None.
    """

    name: str
    title: str
    author: int
    group: str | None


@dataclass(frozen=True)
class Rows:
    """The rows that are scored, in the order of their ids.

    Attributes:
        configuration: for example `work_held_out_10`.
        split: one of SPLITS, or ROTATION.
        is_held_out: every unit is a work that nothing was trained on.
        labels: the authors of the configuration, sorted: the same for every system.
        majority: the label with most rows in training, the first of equal ones.
        ids: ids of the rows.
        truth: place of each row's author among the labels.
        unit: place of each row's unit.
        units: the units, sorted by author and name.
        words: words of each row.
        mixed: rows of several works.
        noted: rows with a passage of disputed authenticity.
    """

    configuration: str
    split: str
    is_held_out: bool
    labels: list[str]
    majority: int
    ids: list[str]
    truth: NDArray[np.int64]
    unit: NDArray[np.int64]
    units: list[Unit]
    words: NDArray[np.int64]
    mixed: NDArray[np.bool_]
    noted: NDArray[np.bool_]


@dataclass(frozen=True)
class Edition:
    """A dataset folder.

    Attributes:
        folder: where it lies.
        fingerprint: first sixteen digits of the checksum over all data files, as the card names the edition.
        checksums: of the data files, by path.
    """

    folder: Path
    fingerprint: str
    checksums: dict[str, str]

    @property
    def configurations(self) -> list[str]:
        """The configurations of the edition, sorted."""
        return sorted({path.split("/")[1] for path in self.checksums})

    def files(self, configuration: str, split: str) -> list[str]:
        """Return the paths of a split inside the folder."""
        start = f"data/{configuration}/{split}-"
        return sorted(path for path in self.checksums if path.startswith(start))

    def read(self, configuration: str, split: str, names: tuple[str, ...]) -> dict[str, list[Any]]:
        """Return those columns of a split that its files have, as lists.

        Raises:
            ScoreError: a file is missing, or is not the one that the edition was made with.
        """
        columns: dict[str, list[Any]] = {}
        for path in self.files(configuration, split):
            place = self.folder / path
            if not place.is_file():
                raise ScoreError("edition-whole", f"expected {path} in {self.folder}, found no such file")
            try:
                known = pq.read_schema(place).names
                table = pq.read_table(place, columns=[name for name in names if name in known])
            except (pa.ArrowException, OSError) as error:
                raise ScoreError("edition-whole", f"{path} cannot be read: {error}") from None
            for name in table.column_names:
                columns.setdefault(name, []).extend(table.column(name).to_pylist())
        return columns

    def check_files(self, configuration: str, split: str) -> None:
        """Compare the files of a split with their checksums: an answer that was changed would score something else.

        Raises:
            ScoreError: one differs.
        """
        for path in self.files(configuration, split):
            place = self.folder / path
            found = hashlib.sha256(place.read_bytes()).hexdigest() if place.is_file() else "no such file"
            if found != self.checksums[path]:
                raise ScoreError(
                    "edition-whole", f"{path}: expected sha256 {self.checksums[path][:16]}, found {found[:16]}"
                )

    def sentences(self, configuration: str, split: str) -> set[str]:
        """Return the ids of all sentences in a split."""
        found = self.read(configuration, split, ("id", "constituent_ids"))
        if "constituent_ids" not in found:
            return set(found.get("id", []))
        return {name for names in found["constituent_ids"] for name in names}

    def rotation(self, configuration: str) -> list[dict[str, Any]]:
        """Return the folds of the rotation: the works held out, test ids, and ids that do not train beside them.

        Raises:
            ScoreError: the edition has none for this configuration.
        """
        path = self.folder / ROTATION_FILE
        if not path.is_file():
            raise ScoreError("prediction-split", f"this edition has no {ROTATION_FILE}")
        track, _, size = configuration.rpartition("_")
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            found = content["tracks"].get(track, {"folds": []})["folds"]
            folds = [{"held_out": fold["held_out"], **fold["rows"][size]} for fold in found]
            is_known = content["format"] == ROTATION_FORMAT
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ScoreError("edition-whole", f"{ROTATION_FILE} cannot be read: {error!r}") from None
        if not folds or not is_known:
            raise ScoreError("prediction-split", f"{ROTATION_FILE} has no folds for {configuration}")
        return folds

    def rows(self, configuration: str, split: str) -> Rows:
        """Return the rows of a split, or all that the rotation holds out.

        Raises:
            ScoreError: there is no such configuration, split or rotation.
        """
        self.check_configuration(configuration)
        known = (*SPLITS, ROTATION)
        if split not in known:
            raise ScoreError(
                "prediction-split",
                f"expected a split among {', '.join(known)}, found {split!r}{proposal(split, known)}",
            )
        names = (
            *("id", "author", "text", "canonical_work", "work", "chunk_is_mixed_work", "passage_note"),
            *("held_out_work", "held_out_work_title", "held_out_group"),
        )
        trained = Counter(self.read(configuration, "train", ("author",))["author"])
        labels = sorted(trained)
        majority = max(labels, key=lambda label: (trained[label], -labels.index(label)))
        columns: dict[str, list[Any]] = {}
        for part in SPLITS if split == ROTATION else (split,):
            self.check_files(configuration, part)
            for name, values in self.read(configuration, part, names).items():
                columns.setdefault(name, []).extend(values)
        if split == ROTATION:
            wanted = {name for fold in self.rotation(configuration) for name in fold["test"]}
            kept = [place for place, name in enumerate(columns["id"]) if name in wanted]
            columns = {name: [values[place] for place in kept] for name, values in columns.items()}
        order = sorted(range(len(columns["id"])), key=columns["id"].__getitem__)
        columns = {name: [values[place] for place in order] for name, values in columns.items()}
        return _rows(configuration, split, labels, labels.index(majority), columns)

    def check_configuration(self, configuration: object) -> None:
        """Refuse a configuration that the edition does not have."""
        if configuration not in self.configurations:
            raise ScoreError(
                "prediction-configuration",
                f"this edition has no configuration {configuration!r}{proposal(configuration, self.configurations)}",
            )


def _rows(configuration: str, split: str, labels: list[str], majority: int, columns: dict[str, list[Any]]) -> Rows:
    count = len(columns["id"])
    nothing = [None] * count
    held_out = "held_out_work" in columns and split in ("test", ROTATION)
    mixed = [bool(value) for value in columns.get("chunk_is_mixed_work", nothing)]
    groups = columns.get("held_out_group", nothing) if split == "test" else nothing
    titles = columns["held_out_work_title"] if held_out and split == "test" else columns["work"]
    places = {label: place for place, label in enumerate(labels)}
    units: dict[tuple[int, str], Unit] = {}
    keys = []
    for author, work, title, group in zip(columns["author"], columns["canonical_work"], titles, groups, strict=True):
        name = work or f"{author}, several works"
        key = (places[author], name)
        known = units.get(key)
        if known is None or (title or name) < known.title:
            units[key] = Unit(name, title or name, places[author], group)
        keys.append(key)
    order = {key: place for place, key in enumerate(sorted(units))}
    return Rows(
        configuration=configuration,
        split=split,
        is_held_out=held_out,
        labels=labels,
        majority=majority,
        ids=columns["id"],
        truth=np.array([places[author] for author in columns["author"]], dtype=np.int64),
        unit=np.array([order[key] for key in keys], dtype=np.int64),
        units=[units[key] for key in sorted(units)],
        words=np.array([sum(len(text.split()) for text in texts) for texts in columns["text"]], dtype=np.int64),
        mixed=np.array(mixed, dtype=np.bool_),
        noted=np.array([bool(note) for note in columns.get("passage_note", nothing)], dtype=np.bool_),
    )


def open_edition(folder: Path) -> Edition:
    """Return the edition in a folder.

    Raises:
        ScoreError: it is none, or its list of checksums is damaged.
    """
    path = folder / "SHA256SUMS"
    if not path.is_file():
        raise ScoreError("edition-whole", f"expected a dataset with SHA256SUMS, found none in {folder}")
    checksums = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or not name:
            raise ScoreError(
                "edition-whole", f"SHA256SUMS, line {number}: expected a checksum and a path, found {line!r}"
            )
        if name.startswith("data/") and name.count("/") == 2:
            checksums[name] = digest
    if not checksums:
        raise ScoreError("edition-whole", f"expected data files in SHA256SUMS, found none in {folder}")
    return Edition(folder, fingerprint(checksums), checksums)


def is_held_out(track: str) -> bool:
    """Return true for a track whose test split is whole works; the name tells.

    >>> is_held_out("tragedians_work_held_out"), is_held_out("sentence")
    (True, False)
    """
    return track.endswith(HELD_OUT)


def twin_of(track: str) -> str:
    """Return the track whose test rows are of works that training has seen too, for a held-out track.

    >>> twin_of("tragedians_work_held_out"), twin_of("work_held_out")
    ('tragedians', 'sentence')
    """
    return track.removesuffix(HELD_OUT).rstrip("_") or MAIN_TRACK


def sizes_of(configurations: Iterable[str], track: str) -> list[int]:
    """Return the sizes in which a track is published, ascending.

    >>> sizes_of(["sentence_10", "sentence_1", "work_held_out_1"], "sentence")
    [1, 10]
    """
    parts = (name.rpartition("_") for name in configurations)
    return sorted(int(size) for name, _, size in parts if name == track)


def fingerprint(checksums: Mapping[str, str]) -> str:
    """Return the name of the edition: the first sixteen digits of the checksum over its data files, by their paths.

    >>> fingerprint({})
    'e3b0c44298fc1c14'
    """
    listed = "".join(f"{checksums[path]}  {path}\n" for path in sorted(checksums))
    return hashlib.sha256(listed.encode()).hexdigest()[:16]
