"""The audit of one warehouse: fits that are kept by content, and the report that they are part of.

The fits of a layer are kept in ``<build>/leakage/<key>.json``; the key is a checksum of everything that the fits read,
of their settings, of their code and of the versions of the libraries. A second audit of the same content fits nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.leakage import markup as counted
from exports.warehouse import rows
from score.core.predictions import FORMAT

if TYPE_CHECKING:
    import duckdb

REPORTS = {"human": "leakage_report.json", "machine": "leakage_report_conllu_machine.json"}
"""File of the report about each layer."""
INPUTS = {"human": "conllu_human", "machine": "conllu_machine"}
"""Column of the dataset that each layer stands in."""
PREDICTIONS = "leakage"
"""Folder of the predictions, beside the reports."""
TESTED = "test"
"""The split whose predictions are published."""
LIBRARIES = ("numpy", "scikit-learn", "scipy")

TABLES = {
    "information": """
        select category, round(sum(bits_per_word), 6) as bits_per_word, sum(words)::bigint as words
        from audit.project_tells group by category order by bits_per_word desc, category
    """,
    "tells": """
        select category, value, project, words, round(bits_per_word, 6) as bits_per_word,
            round(bits_per_occurrence, 4) as bits_per_occurrence, reason
        from audit.project_tells where is_tell order by bits_per_word desc, category, value
    """,
    "texts": """
        select project, other_project, texts, same_words, same_text
        from audit.annotated_texts order by project, other_project
    """,
    "conventions": """
        select convention, author, project, places, occurrences
        from audit.text_conventions
        where author in (
            select author from audit.text_conventions group by author, convention having count(*) > 1
        )
        order by convention, author, project
    """,
    "variation": """
        select feature_group, feature, round(project_spread, 4) as project_spread,
            round(author_spread, 4) as author_spread, round(annotation_difference, 4) as annotation_difference,
            round(ratio, 4) as ratio, verdict, merged_into, reason
        from audit.annotator_variation order by feature_group, feature
    """,
    "annotators_apart": """
        select track, author, test_annotators, train_annotators from hub.annotators_apart order by track, author
    """,
    "doublets": "select * from hub.doublets order by all",
}
"""What the report about the human layer repeats from the warehouse, by its key there."""


@dataclass(frozen=True)
class Audited:
    """What is known of one layer.

    Attributes:
        layer: human or machine.
        report: the report, as it is published.
        predictions: ids and labels of the test rows of every configuration, by its name.
        was_kept: the fits were there already.
    """

    layer: str
    report: dict[str, Any]
    predictions: Mapping[str, tuple[Sequence[str], Sequence[str]]]
    was_kept: bool

    def texts(self, edition: str | None) -> dict[str, str]:
        """Return the text of every file, by its path in the folder of metadata.

        Args:
            edition: fingerprint of the data that were audited; None for a warehouse that no edition is made of yet.
        """
        report = json.dumps(self.report, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
        return {REPORTS[self.layer]: report} | {
            f"{PREDICTIONS}/{name}.{TESTED}.{INPUTS[self.layer]}.jsonl": predictions(
                edition, self.layer, name, ids, labels
            )
            for name, (ids, labels) in self.predictions.items()
        }

    def write(self, folder: Path) -> None:
        """Write report and predictions into a folder; they are of no edition."""
        for name, text in self.texts(None).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def audit(
    con: duckdb.DuckDBPyConnection, cache: Path, layer: str, say: Callable[[str], None] = lambda line: None
) -> Audited | None:
    """Measure one layer of a warehouse; None when the warehouse does not have the layer.

    Args:
        con: the warehouse.
        cache: folder of the fits that are kept.
        layer: human or machine.
        say: called with a line about each finished step.

    Raises:
        ExportError: the warehouse has no leakage models, or a sentence without markup.
    """
    markup = counted.load_markup(con, layer)
    if markup is None:
        return None
    query = "select configuration from hub.configurations where is_built order by configuration"
    names = [str(row["configuration"]) for row in rows(con, query)]
    splits = {name: counted.load_rows(con, markup, name) for name in names}
    parts = counted.load_parts(con, markup)
    pairs = counted.load_pairs(con, markup) if layer == "human" else []
    path = cache / f"{content_key(markup, splits, parts, pairs)}.json"
    kept = _kept(path)
    fits = kept or _fit(markup, splits, parts, pairs, say)
    if kept is None:
        _keep(path, fits)
    tables = {name: rows(con, query) for name, query in TABLES.items()} if layer == "human" else {}
    predicted = {name: (list(by_split[TESTED].ids), fits["labels"][name]) for name, by_split in splits.items()}
    return Audited(layer, fits["report"] | tables, predicted, kept is not None)


def _kept(path: Path) -> dict[str, Any] | None:
    """Return fits that are kept; None where there are none, or none that can be read to the end."""
    try:
        fits: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return fits


def _keep(path: Path, fits: Mapping[str, Any]) -> None:
    """Keep fits: written aside and renamed, so that a stopped run leaves no half of them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.new")
    aside.write_text(json.dumps(fits, ensure_ascii=False, sort_keys=True), encoding="utf-8")
    aside.replace(path)


def settings() -> dict[str, Any]:
    """Return everything that decides the fits beside the content, for the key and for the report."""
    from exports.leakage import fits
    from score.baselines import logistic

    return {
        "classifier": "L2 logistic regression on standardised rates",
        **logistic.SETTINGS,
        "block": fits.BLOCK,
        "folds": fits.FOLDS,
        "min_blocks": fits.MIN_BLOCKS,
        "digits": fits.DIGITS,
        "libraries": {name: version(name) for name in LIBRARIES},
    }


def content_key(
    markup: counted.Markup,
    splits: Mapping[str, Mapping[str, counted.Rows]],
    parts: list[counted.Part],
    pairs: list[counted.Pair],
) -> str:
    """Return the checksum of what the fits read: the same content has the same key, whatever its row numbers."""
    from exports.leakage import fits
    from score.baselines import logistic

    code = [Path(str(module.__file__)).read_text(encoding="utf-8") for module in (fits, logistic)]
    digest = hashlib.sha256()

    def add(*values: object) -> None:
        digest.update(json.dumps(values, ensure_ascii=False, sort_keys=True).encode() + b"\n")

    add(settings(), counted.GROUPS, code)
    add(markup.layer, list(markup.features), markup.counts.shape)
    digest.update(markup.counts.astype("<i4").tobytes() + markup.words.astype("<i4").tobytes())
    for configuration, by_split in splits.items():
        for split, part in by_split.items():
            add(configuration, split, list(part.ids), part.authors.tolist(), part.members.tolist())
    for part_of_author in parts:
        add(part_of_author.author, part_of_author.project, part_of_author.members.tolist())
    for pair in pairs:
        add(pair.project, pair.other_project, pair.members.tolist())
    return digest.hexdigest()[:32]


def _fit(
    markup: counted.Markup,
    splits: Mapping[str, Mapping[str, counted.Rows]],
    parts: list[counted.Part],
    pairs: list[counted.Pair],
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Fit everything: the figures, and the labels of the test rows of every configuration in the order of their ids."""
    from exports.leakage import fits

    found: dict[str, Any] = {
        "layer": markup.layer,
        "input": INPUTS[markup.layer],
        "settings": settings(),
        "features": {
            group: [name for kind, name in markup.features if kind == group]
            for group in sorted({kind for kind, _ in markup.features})
        },
        "groups": {name: list(groups) for name, groups in counted.GROUPS.items()},
        "authors": {},
    }
    labels = {}
    for configuration, by_split in splits.items():
        found["authors"][configuration], predicted = fits.authors(markup, by_split)
        labels[configuration] = predicted[TESTED].tolist()
        say(f"leakage: {configuration} from markup, {markup.layer} layer")
    found["project_within_author"] = fits.projects_within_authors(markup, parts)
    found["doubly_annotated"] = fits.doubly_annotated(markup, pairs)
    return {"report": found, "labels": labels}


def predictions(edition: str | None, layer: str, configuration: str, ids: Sequence[str], labels: Sequence[str]) -> str:
    """Return a prediction file: a header and one row per row of the test split.

    >>> print(predictions(None, "human", "sentence_1", ["s-1"], ["Lysias"]).splitlines()[1])
    {"id": "s-1", "author": "Lysias"}
    """
    header = {
        "format": FORMAT,
        "edition": edition,
        "configuration": configuration,
        "split": TESTED,
        "system": "leakage",
        "inputs": [INPUTS[layer]],
        "trained_on": [f"{configuration}/train"],
        "selected_on": [],
        "pretrained": None,
        "seed": None,
        "url": None,
    }
    lines = [header, *({"id": one, "author": label} for one, label in zip(ids, labels, strict=True))]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
