"""The rotation: every work of a held-out track that could be held out is held out once, in folds of published rows.

A fold holds out one work of each author, as the track itself does, and the first holds out what the track holds out.
It trains on every row of the track that has no sentence of these works and no sentence that repeats one of theirs.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from score.core.edition import ROTATION_FILE, ROTATION_FORMAT, SPLITS, Edition, is_held_out, sizes_of


@dataclass(frozen=True)
class Sentence:
    """A published sentence of a track."""

    id: str
    author: str
    work: str
    title: str
    project: str
    split: str
    text: str


def write_rotation(edition: Edition, rules: Mapping[str, Any]) -> None:
    """Write `metadata/work_rotation.json` of a dataset.

    Args:
        edition: the dataset.
        rules: thresholds of the benchmark, by name.
    """
    path = edition.folder / ROTATION_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(make_rotation(edition, rules), ensure_ascii=False, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def make_rotation(edition: Edition, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the folds of every held-out track of an edition.

    Args:
        edition: the dataset.
        rules: thresholds of the benchmark, by name.
    """
    tracks = sorted({name.rpartition("_")[0] for name in edition.configurations})
    # The sentences of a track, of which everything else is made, are its rows of one sentence.
    held_out = [track for track in tracks if is_held_out(track) and 1 in sizes_of(edition.configurations, track)]
    return {"format": ROTATION_FORMAT, "tracks": {track: make_track(edition, track, rules) for track in held_out}}


def make_track(edition: Edition, track: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the folds of one track, and the works that are never held out, each with its reason."""
    sentences = read_sentences(edition, f"{track}_1")
    works, kept = eligible(sentences, rules)
    repeated = repetitions(sentences, rules)
    rows = {size: read_rows(edition, f"{track}_{size}", size) for size in sizes_of(edition.configurations, track)}
    titles = {
        sentence.work: sentence.title for sentence in sorted(sentences, key=lambda each: each.title, reverse=True)
    }
    counts = Counter(sentence.work for sentence in sentences)
    by_work: dict[str, list[str]] = defaultdict(list)
    for sentence in sentences:
        by_work[sentence.work].append(sentence.id)
    folds = []
    for number in range(max(map(len, works.values()), default=0)):
        held_out = [(author, each[number]) for author, each in sorted(works.items()) if number < len(each)]
        chosen = {work for _, work in held_out}
        own = {name for work in chosen for name in by_work[work]}
        near = {name for each in own for name in repeated.get(each, ())} - own
        folds.append(
            {
                "held_out": [
                    {"author": author, "work": work, "title": titles[work], "sentences": counts[work]}
                    for author, work in held_out
                ],
                "repeating_sentences": sorted(near),
                "rows": {str(size): divide(rows[size], chosen, own | near) for size in rows},
            }
        )
    return {"folds": folds, "never_held_out": [{"work": work, "reason": kept[work]} for work in sorted(kept)]}


def read_sentences(edition: Edition, configuration: str) -> list[Sentence]:
    """Return the sentences of all splits, in the order of their ids."""
    names = ("id", "author", "canonical_work", "work", "treebank_source", "split", "text")
    found = []
    for split in SPLITS:
        columns = edition.read(configuration, split, names)
        for name, author, work, title, project, part, texts in zip(*(columns[each] for each in names), strict=True):
            found.append(Sentence(name, author, work, title, project, part, texts[0]))
    return sorted(found, key=lambda sentence: sentence.id)


def read_rows(edition: Edition, configuration: str, size: int) -> list[tuple[str, str | None, list[str]]]:
    """Return id, work (None for several) and sentences of every row of a configuration."""
    found = []
    for split in SPLITS:
        columns = edition.read(configuration, split, ("id", "canonical_work", "constituent_ids"))
        members = columns["constituent_ids"] if size > 1 else [[name] for name in columns["id"]]
        found += list(zip(columns["id"], columns["canonical_work"], members, strict=True))
    return sorted(found)


def divide(
    rows: Iterable[tuple[str, str | None, list[str]]], held_out: set[str], unseen: set[str]
) -> dict[str, list[str]]:
    """Return the rows of the held-out works, and the others that must not train beside them; the rest trains."""
    test, left_out = [], []
    for name, work, members in rows:
        if work in held_out:
            test.append(name)
        elif not unseen.isdisjoint(members):
            left_out.append(name)
    return {"test": test, "left_out": left_out}


def eligible(sentences: Iterable[Sentence], rules: Mapping[str, Any]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the works of each author that are held out, the track's own first, and why the others are not.

    The rules are those of a test work of the track, counted in published rows: enough of them, not more than a share of
    the author's, enough left to train on, and a project in common with another work of the author.
    """
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    projects: dict[str, set[str]] = defaultdict(set)
    own: dict[str, str] = {}
    for sentence in sentences:
        rows[sentence.author][sentence.work] += 1
        projects[sentence.work].add(sentence.project)
        if sentence.split == "test":
            own[sentence.author] = sentence.work
    works: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    for author in sorted(rows):
        total = sum(rows[author].values())
        for work, count in rows[author].items():
            others = set().union(*(projects[other] for other in rows[author] if other != work))
            if work == own.get(author):
                continue
            if count < rules["held_out_min_test_rows"]:
                reasons[work] = f"{count} sentences: fewer than {rules['held_out_min_test_rows']}"
            elif count > total * Fraction(str(rules["held_out_max_share"])):
                reasons[work] = f"{count} of {total} sentences of the author: too large a share"
            elif total - count < rules["min_train_rows"]:
                reasons[work] = f"{total - count} sentences would be left to train on"
            elif not projects[work] & others:
                reasons[work] = "no project in common with another work of the author"
        chosen = [work for work in rows[author] if work not in reasons]
        works[author] = sorted(chosen, key=lambda work: (work != own.get(author), order_key(work, rules), work))
    return works, reasons


def order_key(work: str, rules: Mapping[str, Any]) -> str:
    """Return the place of a work in the pseudo-random order of the rotation."""
    return hashlib.sha256(f"{rules['benchmark_seed']}|rotation|{work}".encode()).hexdigest()


def repetitions(sentences: Iterable[Sentence], rules: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return for each sentence those of other works that repeat it, by the rule of near-duplicates.

    Doublets of one author in two works are repetitions too, which the benchmark keeps as they are his own words.
    """
    size = rules["ngram_size"]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    listed = list(sentences)
    counts = []
    for place, sentence in enumerate(listed):
        words = folded(sentence.text).split()
        grams = {tuple(words[start : start + size]) for start in range(len(words) - size + 1)}
        counts.append(len(grams))
        for gram in grams:
            holders[gram].append(place)
    shared: Counter[tuple[int, int]] = Counter()
    for places in holders.values():
        for number, first in enumerate(places):
            for second in places[number + 1 :]:
                if listed[first].work != listed[second].work:
                    shared[first, second] += 1
    found: dict[str, set[str]] = defaultdict(set)
    for (first, second), count in shared.items():
        smaller = min(counts[first], counts[second])
        if count >= rules["near_duplicate_min_shared"] and count >= smaller * rules["near_duplicate_min_share"]:
            found[listed[first].id].add(listed[second].id)
            found[listed[second].id].add(listed[first].id)
    return found


def folded(text: str) -> str:
    """Return a text without diacritics, by which sentences are compared.

    >>> folded("οὐκ ἐγὼ")
    'ουκ εγω'
    """
    letters = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
