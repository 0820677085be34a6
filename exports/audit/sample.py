"""A stratified sample of the published sentences for annotation, the same for the same seed.

Every author gets one sentence, the largest first, as far as the sample reaches; every further sentence goes to the
author with the largest quotient of sentences and sentences drawn so far plus one half (the method of Webster and
Sainte-Laguë). The same method divides an author's share over the bands of length. Within a band the sentences stand in
the pseudo-random order of sha256 over seed, purpose and id. A larger sample therefore holds every
smaller one of its seed.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from exports.audit import dataset
from exports.audit.dataset import Published
from exports.warehouse import ExportError
from runtime.conllu import EMPTY, render_conllu, sent_id

PURPOSE = "audit_sample"
"""The purpose in the hash, so that this order has nothing to do with that of the splits."""

BANDS = (10, 20, 30)
"""Words at which a new band of length begins."""

BLANK, PARSED = "sample.conllu", "sample_parse.conllu"
"""The file to annotate, and the one with the parse, which the annotator does not open."""

Key = TypeVar("Key", bound=Hashable)


def band(words: int) -> str:
    """Return the band of a sentence of so many words.

    >>> band(9), band(10), band(30)
    ('under 10', '10 to 19', '30 and more')
    """
    below = [limit for limit in BANDS if words >= limit]
    if not below:
        return f"under {BANDS[0]}"
    if len(below) == len(BANDS):
        return f"{BANDS[-1]} and more"
    return f"{below[-1]} to {BANDS[len(below)] - 1}"


def order(seed: int, name: str) -> tuple[str, str]:
    """Return the place of a sentence in the pseudo-random order: the rule of the macro `hash_order`, on the id."""
    return hashlib.sha256(f"{seed}|{PURPOSE}|{name}".encode()).hexdigest(), name


def apportion(counts: Mapping[Key, int], size: int, each: int = 0) -> dict[Key, int]:
    """Divide `size` over strata in proportion to their counts, never more than a stratum has.

    Args:
        counts: sentences of each stratum; of equal claims the first in the mapping comes first.
        size: at most the sum of the counts.
        each: what every stratum gets before, 0 or 1, those with most sentences first.

    >>> apportion({"a": 60, "b": 30, "c": 10}, 10)
    {'a': 6, 'b': 3, 'c': 1}
    >>> apportion({"a": 97, "b": 2, "c": 1}, 10, each=1)
    {'a': 8, 'b': 1, 'c': 1}
    """
    given = dict.fromkeys(counts, 0)
    places = {key: place for place, key in enumerate(counts)}
    if each:
        for key in sorted(counts, key=lambda key: (-counts[key], places[key]))[:size]:
            given[key] = min(1, counts[key])

    def claim(key: Key) -> tuple[Fraction, int, Key]:
        return -Fraction(2 * counts[key], 2 * given[key] + 1), places[key], key

    waiting = [claim(key) for key in counts if given[key] < counts[key]]
    heapq.heapify(waiting)
    for _ in range(size - sum(given.values())):
        key = heapq.heappop(waiting)[2]
        given[key] += 1
        if given[key] < counts[key]:
            heapq.heappush(waiting, claim(key))
    return given


def draw(sentences: Iterable[Published], size: int, seed: int) -> list[Published]:
    """Draw a sample, in an order that tells nothing of author and length.

    Raises:
        ExportError: there are fewer sentences than wanted.
    """
    strata: dict[str, dict[str, list[Published]]] = {}
    for sentence in sorted(sentences, key=lambda sentence: (sentence.author, sentence.id)):
        bands = strata.setdefault(sentence.author, {band(words): [] for words in (1, *BANDS)})
        bands[band(len(sentence.forms))].append(sentence)
    sizes = {author: sum(map(len, bands.values())) for author, bands in strata.items()}
    if size > sum(sizes.values()):
        raise ExportError(f"a sample of {size:,} cannot be drawn: there are {sum(sizes.values()):,} sentences")
    drawn: list[Published] = []
    for author, share in apportion(sizes, size, each=1).items():
        bands = strata[author]
        for name, number in apportion({name: len(members) for name, members in bands.items()}, share).items():
            drawn += sorted(bands[name], key=lambda sentence: order(seed, sentence.id))[:number]
    return sorted(drawn, key=lambda sentence: order(seed, sentence.id))


def named_in(paths: Sequence[Path]) -> set[str]:
    """Return every sent_id of these files, whatever else is in them."""
    names: set[str] = set()
    for path in paths:
        lines = path.read_bytes().decode("utf-8-sig", errors="replace").split("\n")
        found = {name for line in lines if (name := sent_id(line))}
        if not found:
            raise ExportError(f"{path}: expected sentences with a comment # sent_id, found none")
        names |= found
    return names


def comments(sentence: Published, with_source: bool) -> dict[str, str]:
    """Return the comments that tell where a sentence comes from, when they are asked for."""
    known = {"author": sentence.author, "work": sentence.work, "passage": sentence.passage}
    return {key: value for key, value in known.items() if value} if with_source else {}


def render_blank(sentence: Published, with_source: bool = False) -> str:
    r"""Return a sentence to annotate: ids and forms, everything else `_`.

    >>> print(render_blank(Published("s-1", "Lysias", "For Mantitheus", None, ("εἰ", "μὴ"))), end="")
    ... # doctest: +NORMALIZE_WHITESPACE
    # sent_id = s-1
    # text = εἰ μὴ
    1  εἰ  _  _  _  _  _  _  _  _
    2  μὴ  _  _  _  _  _  _  _  _
    <BLANKLINE>
    """
    tokens = [
        {"id": number, "form": form, "lemma": None, "upos": None, "feats": None, "head": EMPTY, "deprel": None}
        for number, form in enumerate(sentence.forms, start=1)
    ]
    return render_conllu([tokens], [sentence.id], comments(sentence, with_source))


def files(folder: Path, drawn: Sequence[Published], with_source: bool = False) -> dict[str, str]:
    """Return the text of the files of a sample by name: that with the parse only where the edition has one."""
    texts = {BLANK: "".join(render_blank(sentence, with_source) for sentence in drawn)}
    try:
        trees: dict[str, Any] = dict(dataset.machine_rows(folder, {sentence.id for sentence in drawn}))
    except dataset.NoMachineLayerError:
        return texts
    parsed = [render_conllu([trees[sentence.id]], [sentence.id], comments(sentence, with_source)) for sentence in drawn]
    return texts | {PARSED: "".join(parsed)}


def write(target: Path, texts: Mapping[str, str]) -> None:
    """Write the files of a sample, each aside and renamed.

    Raises:
        ExportError: a file is there with another content: somebody may have annotated it. Nothing is written then.
    """
    for name, text in texts.items():
        path = target / name
        if path.exists() and path.read_bytes() != text.encode():
            raise ExportError(
                f"{path} exists and is another sample, or has been annotated: move it away, or name another --out"
            )
    target.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        aside = target / f".{name}.new"
        aside.write_bytes(text.encode())
        aside.replace(target / name)


def without(sentences: Iterable[Published], taken: Collection[str]) -> list[Published]:
    """Return the sentences whose id is not among those taken."""
    return [sentence for sentence in sentences if sentence.id not in taken]


def as_text(drawn: Sequence[Published]) -> str:
    """Return how a sample is made up: sentences per author and band."""
    names = list(dict.fromkeys(band(words) for words in (1, *BANDS)))
    counts = Counter((sentence.author, band(len(sentence.forms))) for sentence in drawn)
    authors = sorted({author for author, _ in counts})
    width = max(len(author) for author in [*authors, "all"]) + 2
    lines = ["".ljust(width) + "".join(f"{name:>13}" for name in [*names, "sentences"])]
    for author in [*authors, "all"]:
        row = [sum(counts[who, name] for who in (authors if author == "all" else [author])) for name in names]
        lines.append(author.ljust(width) + "".join(f"{count:>13,}" for count in [*row, sum(row)]))
    return "\n".join(lines)
