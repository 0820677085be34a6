"""The record that card, manifests and reports are written from: everything an edition says of itself, as values.

A class below `Row` is one row of one model; its fields are the columns that are used, its `source` and `key` say where
the rows are read and in which order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from score.core.edition import is_held_out

if TYPE_CHECKING:
    from exports.about.baselines import Baselines
    from exports.dataset.files import Written
    from exports.dataset.plans import Plan

NAME = "Sphragis"
DEFAULT = "sentence_1"
"""The configuration that `load_dataset` takes when none is named."""

KEYWORDS = ("authorship-attribution", "ancient-greek", "treebank", "universal-dependencies", "stylometry")

DESCRIPTION = (
    "A benchmark for authorship attribution of Ancient Greek prose and verse, built from the human-annotated "
    "dependency treebanks of the language: normalised text, trees in one shared inventory, full provenance."
)

CITATION = (
    "Sphragis: authorship attribution of Ancient Greek from human-annotated treebanks (version {version}, "
    "edition {fingerprint}). Cite the treebanks of the rows you use as well: see LICENSES.md."
)


@dataclass(frozen=True)
class Row:
    """One row of a model: `source` is read in the order of `key`."""

    source: ClassVar[str]
    key: ClassVar[str]


@dataclass(frozen=True)
class Project(Row):
    """A treebank project with its revision and licence."""

    source = "seeds.projects"
    key = "project"
    project: str
    repository: str
    revision: str
    revision_date: date | str
    format: str
    syntax_scheme: str
    licence: str
    licence_url: str
    attribution: str
    licence_remark: str | None = None


@dataclass(frozen=True)
class SourceFile(Row):
    """A file of a project, read, absent or rejected."""

    source = "audit.source_files"
    key = "project, path"
    project: str
    path: str
    status: str
    bytes: int | None
    sha256: str | None
    differs_from_pin: bool

    @property
    def name(self) -> str:
        """Project and path."""
        return f"{self.project}/{self.path}"


@dataclass(frozen=True)
class Totals(Row):
    """The totals of the edition; the model has one row."""

    source = "audit.edition"
    key = "all"
    files_read: int
    rows_in_file: int
    rows_read: int
    rows_rejected: int
    sentences_read: int
    sentences: int
    words: int
    pairs_counted: int
    repeated_pairs: int
    conflict_groups: int
    conflict_sentences: int
    chains: int
    longest_chain: int


@dataclass(frozen=True)
class Configuration(Row):
    """A configuration, built or not."""

    source = "hub.configurations"
    key = "configuration"
    configuration: str
    track: str
    size: int
    is_built: bool
    reason: str | None


@dataclass(frozen=True)
class Track(Row):
    """A track, built or not."""

    source = "benchmark.tracks"
    key = "track"
    track: str
    title: str
    reason: str
    is_built: bool
    not_built_reason: str | None
    authors: int


@dataclass(frozen=True)
class TrackAuthor(Row):
    """An author on a track, with the works held out there."""

    source = "hub.authors"
    key = "track, author"
    track: str
    author: str
    sentences: int
    train: int
    validation: int
    validation2: int
    test: int
    works: int
    genres: list[str]
    projects: list[str]
    held_out_work: str | None
    held_out_work_title: str | None
    held_out_validation_work: str | None
    held_out_validation_work_title: str | None
    held_out_genre: str | None
    held_out_group: str | None


@dataclass(frozen=True)
class AuthorApart(Row):
    """An author on a held-out track of whom nobody is known to have annotated both test work and training works."""

    source = "hub.annotators_apart"
    key = "track, author"
    track: str
    author: str
    test_annotators: list[str]
    train_annotators: list[str]


@dataclass(frozen=True)
class Doublet(Row):
    """A passage of a test work that stands in a training work of its author too, in nearly the same words."""

    source = "hub.doublets"
    key = "all"
    track: str
    author: str
    test_work: str
    test_from_place: str
    test_to_place: str
    test_sentences: int
    train_work: str
    train_from_place: str
    train_to_place: str
    train_sentences: int
    reason: str


@dataclass(frozen=True)
class PassageNote(Row):
    """Published sentences of a work that have a note about a passage of disputed authenticity."""

    source = "hub.passage_notes"
    key = "author, canonical_work, passage_note"
    author: str
    canonical_work: str
    work: str
    passage_note: str
    sentences: int


@dataclass(frozen=True)
class AbsentAuthor(Row):
    """An author who is not on a track."""

    source = "benchmark.authors_absent"
    key = "track, author"
    track: str
    author: str
    reason: str


@dataclass(frozen=True)
class AuthorLabel(Row):
    """A label and what it stands for: `author` or `corpus`, among others."""

    source = "seeds.authors"
    key = "author"
    author: str
    kind: str


@dataclass(frozen=True)
class FateCount(Row):
    """Sentences of one fate in a scope: all, a project, an author."""

    source = "audit.fate_counts"
    key = "scope, scope_value, fate"
    scope: str
    scope_value: str
    fate: str
    sentences: int


@dataclass(frozen=True)
class FateExample(Row):
    """A sentence that is shown for its fate."""

    source = "audit.fate_examples"
    key = "fate, place, place_in_reading"
    fate: str
    place: int | None
    place_in_reading: int | None
    sentence_id: str
    author: str | None
    text: str | None
    survivor_id: str | None
    survivor_text: str | None
    reason: str


@dataclass(frozen=True)
class Deduplication(Row):
    """What each rule of deduplication took in a scope: all, a project, an author."""

    source = "audit.deduplication"
    key = "scope, scope_value"
    scope: str
    scope_value: str
    supplied: int
    curated: int
    no_words: int
    author_conflict: int
    exact_duplicate: int
    quotation: int
    near_duplicate: int
    fragment: int
    corrupt: int
    entered: int


@dataclass(frozen=True)
class PairCount(Row):
    """Counted pairs of sentences by what came of them, over all projects or by two of them."""

    source = "audit.near_duplicate_pair_counts"
    key = "decision, project, other_project"
    decision: str
    project: str | None
    other_project: str | None
    pairs: int


@dataclass(frozen=True)
class Repetition(Row):
    """Pairs of sentences inside a project, which are kept."""

    source = "audit.same_project_repetition"
    key = "author, project, other_project"
    author: str
    project: str
    other_project: str
    pairs: int
    sentences: int
    shared: int


@dataclass(frozen=True)
class ConflictCount(Row):
    """A set of authors under whom the same letters stand."""

    source = "audit.author_conflict_counts"
    key = "place"
    authors: list[str]
    conflict_groups: int
    sentences: int


@dataclass(frozen=True)
class MinhashSetting(Row):
    """How many of the pairs a setting of MinHash finds; without the seconds, which differ from run to run."""

    source = "audit.minhash_recall"
    key = "setting"
    setting: str
    bands: int | None
    rows_per_band: int | None
    containment_threshold: float | None
    candidates: int
    true_pairs: int
    found: int
    missed: int
    recall: float | None
    precision: float | None
    removing_pairs: int
    removing_found: int
    truth: str


@dataclass(frozen=True)
class ProjectAnnotation(Row):
    """How much of a project is annotated."""

    source = "audit.project_annotation"
    key = "project"
    project: str
    sentences: int
    unannotated_sentences: int
    share_unannotated: float
    words: int
    share_with_tag: float
    share_with_relation: float
    share_with_head: float
    share_with_lemma: float


@dataclass(frozen=True)
class FileAnnotation(Row):
    """How many sentences of a file were never annotated as a whole."""

    source = "audit.annotation_coverage"
    key = "project, path"
    project: str
    path: str
    sentences: int
    unannotated_sentences: int


@dataclass(frozen=True)
class FlagCount(Row):
    """Sentences with a flag of their annotators."""

    source = "audit.flag_counts"
    key = "project, flag"
    project: str
    flag: str
    sentences: int


@dataclass(frozen=True)
class RejectCount(Row):
    """Faults of the input of one kind."""

    source = "audit.reject_counts"
    key = "project, expected, found"
    project: str
    expected: str
    found: str
    faults: int


@dataclass(frozen=True)
class Label(Row):
    """A class, relation or feature that occurs in a layer of the published trees."""

    source = "hub.inventory"
    key = "layer, kind, place"
    layer: str
    kind: str
    label: str
    words: int
    feature_values: list[str]


@dataclass(frozen=True)
class LayerInventory(Row):
    """What the machine layer has of a kind of labels, beside the human one and Universal Dependencies."""

    source = "audit.layer_inventories"
    key = "kind"
    kind: str
    machine_labels: int
    universal_labels: int
    machine_subtypes: int
    only_machine: list[str]


@dataclass(frozen=True)
class Agreement(Row):
    """How far the machine layer agrees with the human one in a measure."""

    source = "audit.layer_agreement"
    key = "scope, scope_value, measure"
    scope: str
    scope_value: str
    measure: str
    tokens: int
    share: float


@dataclass(frozen=True)
class FeatureAgreement(Row):
    """How far the machine layer agrees with the human one in a feature."""

    source = "audit.layer_agreement_features"
    key = "scope, scope_value, feature"
    scope: str
    scope_value: str
    feature: str
    human: int
    machine: int
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True)
class FoldSentences(Row):
    """The sentences that a fold of the parse has parsed."""

    source = "audit.fold_sentences"
    key = "fold"
    fold: int
    ids: list[str]


@dataclass(frozen=True)
class LicenceCount(Row):
    """Distinct published sentences under a licence."""

    source = "hub.licences"
    key = "licence"
    licence: str
    sentences: int


@dataclass(frozen=True)
class Coverage:
    """How often the 95 % interval over works has covered the truth, on simulated works (`score/coverage.csv`).

    Attributes:
        works: works of a simulation.
        mean: true mean of the population of works.
        spread: standard deviation between works.
        share: simulations in which the interval covered the mean.
    """

    works: int
    mean: float
    spread: float
    share: float


@dataclass(frozen=True)
class Made:
    """What the export made before it describes it.

    Attributes:
        sentence_ids: ids of the published sentences, sorted.
        plans: the rows of every split, by position in `sentence_ids`.
        written: what was written, per split.
        validated: distinct sentences that were read again and checked.
        parse: manifest of the machine layer as the edition has it, None without one.
        audits: name, checksum and main figures of each audit of the machine layer.
        leakage: report of the leakage audit about each layer that there is.
        baselines: what the scorer says of the stored baselines, None where none are stored.
        example: a row of the default configuration as it is published.
    """

    sentence_ids: Sequence[str]
    plans: Sequence[Plan]
    written: Sequence[Written]
    validated: int
    parse: Mapping[str, Any] | None = None
    audits: Sequence[Mapping[str, Any]] = ()
    leakage: Sequence[Mapping[str, Any]] = ()
    baselines: Baselines | None = None
    example: Mapping[str, Any] | None = None

    @property
    def checksums(self) -> dict[str, str]:
        """Sha256 of every data file by its path in the folder."""
        return {split.path: split.sha256 for split in self.written}


@dataclass(frozen=True)
class About:
    """Everything an edition says of itself.

    Attributes:
        version: version of the distribution.
        fingerprint: first digits of the checksum over all data files.
        libraries: versions of the libraries on which bytes or decisions depend.
        variables: thresholds of the rules, by name.
        input: where the input came from: folder, git or sample.
        creators: who made the dataset, as `CITATION.cff` names them.
        url: where the edition is published (`SPHRAGIS_URL`), None where nobody has said.
        made: what the export made.
        benchmark: tables of the schema `benchmark` that the reports repeat row by row, by name.
        coverage: what the intervals of the scorer are worth.
    """

    version: str
    fingerprint: str
    libraries: Mapping[str, str]
    variables: Mapping[str, Any]
    input: str
    creators: Sequence[str]
    url: str | None
    made: Made
    totals: Totals
    projects: Sequence[Project]
    files: Sequence[SourceFile]
    configurations: Sequence[Configuration]
    tracks: Sequence[Track]
    authors: Sequence[TrackAuthor]
    authors_apart: Sequence[AuthorApart]
    doublets: Sequence[Doublet]
    passage_notes: Sequence[PassageNote]
    absent_authors: Sequence[AbsentAuthor]
    author_labels: Sequence[AuthorLabel]
    fates: Sequence[FateCount]
    fate_examples: Sequence[FateExample]
    deduplication: Sequence[Deduplication]
    pairs: Sequence[PairCount]
    repetitions: Sequence[Repetition]
    conflicts: Sequence[ConflictCount]
    minhash: Sequence[MinhashSetting]
    annotation: Sequence[ProjectAnnotation]
    file_annotation: Sequence[FileAnnotation]
    flags: Sequence[FlagCount]
    rejects: Sequence[RejectCount]
    labels: Sequence[Label]
    layer_inventories: Sequence[LayerInventory]
    agreement: Sequence[Agreement]
    feature_agreement: Sequence[FeatureAgreement]
    fold_sentences: Sequence[FoldSentences]
    licences: Sequence[LicenceCount]
    benchmark: Mapping[str, Sequence[Mapping[str, Any]]]
    coverage: Sequence[Coverage] = ()

    @property
    def shapes(self) -> dict[str, tuple[bool, bool]]:
        """For each built configuration, whether it is chunked and whether its track is held out."""
        return {
            row.configuration: (row.size > 1, is_held_out(row.track)) for row in self.configurations if row.is_built
        }

    @property
    def is_sample(self) -> bool:
        """True when the input was the bundled sample."""
        return self.input == "sample"

    @property
    def title(self) -> str:
        """Name of the dataset; that of the sample says so."""
        return f"{NAME} (sample)" if self.is_sample else NAME

    @property
    def date(self) -> str:
        """Date of the edition: that of the newest revision of its input, which no clock changes."""
        return max(str(project.revision_date) for project in self.projects)

    def labels_of(self, configuration: str) -> list[str]:
        """Return the labels of a configuration, sorted: the authors of its track."""
        track = configuration.rpartition("_")[0]
        return sorted(row.author for row in self.authors if row.track == track)

    @property
    def citation(self) -> str:
        """How to cite this edition."""
        return CITATION.format(version=self.version, fingerprint=self.fingerprint)

    @property
    def bibtex(self) -> str:
        """How to cite this edition, as an entry of BibTeX."""
        fields = {
            "author": " and ".join(f"{{{name}}}" for name in self.creators),
            "title": f"{self.title}: authorship attribution of Ancient Greek from human-annotated treebanks",
            "year": self.date[:4],
            "version": self.version,
            "note": f"Edition {self.fingerprint}",
            **({"url": self.url} if self.url else {}),
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@misc{{sphragis_{self.fingerprint},", *lines, "}"])

    @property
    def fates_of_all(self) -> dict[str, int]:
        """Sentences read by fate, the most frequent first."""
        rows = [row for row in self.fates if row.scope == "all"]
        return {row.fate: row.sentences for row in sorted(rows, key=lambda row: (-row.sentences, row.fate))}

    @property
    def absent_files(self) -> list[str]:
        """Files of the pinned revisions that the build did not have."""
        return [file.name for file in self.files if file.status == "absent"]

    @property
    def differing_files(self) -> list[str]:
        """Files that were read with other content than that of the pinned revision."""
        return [file.name for file in self.files if file.differs_from_pin]
