"""Between the warehouse and the providers: Arrow tables in, Arrow tables out.

The models ``int_machine__parse_provider`` and ``int_machine__manifest_provider`` are all that calls this module. Equal
strings are one object, so that a million tokens take the memory of their lists.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from machine.artefact import KEY_LENGTH, MANIFEST, machine_layer
from machine.interface import Corpus, MachineError, Parsed, Sentence
from machine.providers.choice import choose_provider
from runtime.settings import load_settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

PARSE_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("token", pa.int32()),
        ("upos", pa.string()),
        ("feats", pa.string()),
        ("head", pa.int32()),
        ("deprel", pa.string()),
        ("fold", pa.int32()),
        ("artefact", pa.string()),
    ]
)
"""One row per published token; `artefact` names the folder of the parse."""

MANIFEST_SCHEMA = pa.schema(
    [("provider", pa.string()), ("model", pa.string()), ("revision", pa.string()), ("manifest", pa.string())]
)
"""One row for a parse, no row for none."""


class ToldError(Exception):
    """A failure that dbt prints as its message alone: where in the program it happened helps nobody."""

    __traceback__ = None


class Tables(NamedTuple):
    """What the warehouse says of the corpus.

    Attributes:
        sentences: the published sentences: columns id, canonical_work, fold, ordered by id.
        tokens: their words: columns id and form, ordered by id and token.
        training: the sentences that may be trained on: columns id, canonical_work, is_published, ordered by id.
        training_words: their words: columns id, form, upos, feats, head, relation, ordered by id and token.
        withheld: columns fold and id.
    """

    sentences: pa.Table
    tokens: pa.Table
    training: pa.Table
    training_words: pa.Table
    withheld: pa.Table


def parse_table(provider: str, tables: Tables, *, is_sample: bool) -> pa.Table:
    """Return the parse of every published token, made now or read from its artefact.

    Args:
        provider: name of the provider; ``none`` gives no rows.
        tables: the corpus.
        is_sample: the corpus is the bundled sample.

    Raises:
        ToldError: the provider cannot parse, or its parses cannot be used.
    """
    settings = replace(load_settings(), machine=provider)
    try:
        chosen = choose_provider(settings)
        if chosen is None:
            return PARSE_SCHEMA.empty_table()
        corpus = corpus_of(tables, is_sample=is_sample)
        parses, manifest = machine_layer(corpus, chosen, settings.machine_cache, say)
    except MachineError as error:
        raise ToldError(str(error)) from None
    folds = corpus.folds if "folds" in manifest else None
    return table_of(parses, folds, manifest["key"][:KEY_LENGTH])


def manifest_table(artefacts: Iterable[str]) -> pa.Table:
    """Return provider, model, revision and the whole manifest as JSON, one row per artefact.

    Args:
        artefacts: the distinct values of the column `artefact` of the parse: one, or none without a machine layer.

    Raises:
        ToldError: the artefact is gone.
    """
    rows = []
    for name in artefacts:
        path = load_settings().machine_cache / name / MANIFEST
        try:
            manifest: dict[str, Any] = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise ToldError(
                f"expected the manifest of the parse {name} in {path.parent}, found none that can be read ({error}); "
                "run `dbt build` again"
            ) from None
        known = {key: manifest.get(key) for key in ("provider", "model", "revision")}
        text = json.dumps(manifest, ensure_ascii=False, sort_keys=True)
        rows.append({key: None if value is None else str(value) for key, value in known.items()} | {"manifest": text})
    return pa.Table.from_pylist(rows, MANIFEST_SCHEMA)


def say(line: str) -> None:
    """Tell the user on the terminal; keep quiet elsewhere."""
    if sys.stderr.isatty():
        print(line, file=sys.stderr, flush=True)


def corpus_of(tables: Tables, *, is_sample: bool) -> Corpus:
    """Return the published sentences as providers are given them, with what models may learn from.

    Raises:
        MachineError: a sentence has no tokens, or the tables are not in the same order.
    """
    sentences, tokens, training, training_words, withheld = tables
    forms = _shared(tokens["form"])
    published = [Sentence(name, forms[start:end]) for name, start, end in _spans(sentences["id"], tokens["id"])]
    forms, upos, feats, relations = (_shared(training_words[name]) for name in ("form", "upos", "feats", "relation"))
    heads = training_words["head"].to_pylist()
    spans = _spans(training["id"], training_words["id"])
    by_fold: dict[int, set[str]] = {}
    for fold, name in zip(withheld["fold"].to_pylist(), withheld["id"].to_pylist(), strict=True):
        by_fold.setdefault(fold, set()).add(name)
    works = {
        name: work
        for table in (sentences, training)
        for name, work in zip(table["id"].to_pylist(), _shared(table["canonical_work"]), strict=True)
    }
    return Corpus(
        sentences=published,
        folds=dict(zip(sentences["id"].to_pylist(), sentences["fold"].to_pylist(), strict=True)),
        gold={
            name: Parsed(name, upos[start:end], feats[start:end], heads[start:end], relations[start:end])
            for name, start, end in spans
        },
        unpublished=[
            Sentence(name, forms[start:end])
            for (name, start, end), is_published in zip(spans, training["is_published"].to_pylist(), strict=True)
            if not is_published
        ],
        works=works,
        withheld={fold: frozenset(names) for fold, names in sorted(by_fold.items())},
        is_sample=is_sample,
    )


def table_of(parses: Sequence[Parsed], folds: dict[str, int] | None, artefact: str) -> pa.Table:
    """Return parses as a table with one row per token, in their order.

    >>> parse = Parsed("s-1", ["PRON", "VERB"], ["", "Tense=Pres"], [2, 0], ["nsubj", "root"])
    >>> list(table_of([parse], {"s-1": 3}, "f").to_pylist()[1].values())
    ['s-1', 2, 'VERB', 'Tense=Pres', 0, 'root', 3, 'f']
    """
    counts = np.array([len(parse.heads) for parse in parses], dtype=np.int64)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    total = int(counts.sum())
    owners = pa.array(np.repeat(np.arange(len(parses), dtype=np.int32), counts))
    numbers = pa.array(
        [None if folds is None else folds[parse.id] for parse in parses],
        pa.int32(),
    )

    def strings(member: int) -> pa.Array:
        return pa.array(chain.from_iterable(parse[member] for parse in parses), pa.string(), size=total)

    return pa.table(
        [
            pa.array([parse.id for parse in parses], pa.string()).take(owners),
            pa.array((np.arange(total) - starts + 1).astype(np.int32)),
            strings(1),
            strings(2),
            pa.array(chain.from_iterable(parse.heads for parse in parses), pa.int32(), size=total),
            strings(4),
            numbers.take(owners),
            pa.array([artefact], pa.string()).take(pa.array(np.zeros(total, dtype=np.int32))),
        ],
        schema=PARSE_SCHEMA,
    )


def _coded(column: pa.ChunkedArray) -> tuple[list[str | None], NDArray[np.int64]]:
    """Return the distinct values of a column in the order they come, and the place among them per row, -1 for null."""
    joined = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    coded = joined.dictionary_encode()
    return coded.dictionary.to_pylist(), np.asarray(coded.indices.cast(pa.int64()).fill_null(-1))


def _shared(column: pa.ChunkedArray) -> list[str]:
    """Return strings of which equal ones are one object; the empty string for null."""
    values, codes = _coded(column)
    found: list[str] = np.array([*values, ""], dtype=object)[codes].tolist()
    return found


def _spans(ids: pa.ChunkedArray, owners: pa.ChunkedArray) -> list[tuple[str, int, int]]:
    """Return the id of each sentence, where its tokens begin, and where they end.

    Raises:
        MachineError: a sentence has no tokens, or sentences and tokens are not in the same order.
    """
    expected = ids.to_pylist()
    names, codes = _coded(owners)
    steps = np.diff(codes, prepend=-1)
    if names != expected or (steps < 0).any():
        lost = sorted(set(expected) ^ {str(name) for name in names})[:3]
        raise MachineError(
            f"expected the tokens of every sentence in the order of ids; only on one side: {lost or 'none'}"
        )
    offsets = [*np.flatnonzero(steps).tolist(), len(codes)]
    return list(zip(expected, offsets[:-1], offsets[1:], strict=True))
