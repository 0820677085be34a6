"""Checks of the written files, on every export; a failure stops the swap.

The files themselves are read again, not the tables they were made from. Every distinct sentence is
looked at once, in the one-sentence configurations (the chunks hold the same sentences):

1. the schema of every file is exactly the published one, and the layers of a row have equal lengths;
2. tokens are numbered 1..n, there is one root, heads are in range, the forms rebuild the text;
3. every string consists of the letters of the seed `published_letters`: lower-case Greek with diacritics that compose;
4. every upos, relation and feature value is in the inventories of the seeds: the human layer in the reduced ones, the
   machine layer in those of Universal Dependencies;
5. the machine layer has the lemmas of the human one, and `text_distorted` follows it word by word; one file has it as
   the others;
6. every row has a licence, and every licence is a known one;
7. the official loader reads every tree of either layer.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from exports.warehouse import ExportError, relations, rows
from machine.check import is_relation, read_feats
from runtime.checkout import project_root
from score.core.edition import is_held_out

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

EXAMPLES = 5
"""Findings that a message names; the rest are counted."""


@dataclass(frozen=True)
class Inventories:
    """The values that may be published; None where the warehouse has no such seed.

    `content` has the classes of the machine layer whose words are replaced by the class in `text_distorted`.
    """

    upos: frozenset[str] | None = None
    deprel: frozenset[str] | None = None
    feats: frozenset[str] | None = None
    machine_upos: frozenset[str] | None = None
    machine_deprel: frozenset[str] | None = None
    machine_feats: frozenset[str] | None = None
    content: frozenset[str] | None = None
    licenses: frozenset[str] | None = None


def load_inventories(con: duckdb.DuckDBPyConnection) -> Inventories:
    """Inventories from the seeds of the warehouse."""
    known = relations(con)

    def values(relation: str, query: str) -> frozenset[str] | None:
        if relation not in known:
            return None
        return frozenset(str(row["value"]) for row in rows(con, query))

    return Inventories(
        upos=values("seeds.tag_to_upos", "select distinct upos as value from seeds.tag_to_upos"),
        deprel=values("seeds.relation_reduction", "select distinct deprel as value from seeds.relation_reduction"),
        feats=values(
            "seeds.tag_to_feats",
            "select distinct feature || '=' || feature_value as value from seeds.tag_to_feats",
        ),
        machine_upos=values("seeds.ud_upos", "select upos as value from seeds.ud_upos"),
        machine_deprel=values("seeds.ud_relations", "select relation as value from seeds.ud_relations"),
        machine_feats=values("seeds.ud_features", "select feature || '=' || value as value from seeds.ud_features"),
        content=values("seeds.ud_upos", "select upos as value from seeds.ud_upos where is_content"),
        licenses=values("seeds.projects", "select distinct licence as value from seeds.projects"),
    )


@lru_cache(maxsize=1)
def published_letters() -> frozenset[str]:
    """Return the letters that a published string may hold: the class of the seed from which the models compose them.

    Raises:
        ExportError: there are no seeds.
    """
    path = project_root(ExportError) / "seeds" / "text" / "published_letters.csv"
    with path.open(encoding="utf-8", newline="") as handle:
        return frozenset(row["letter"] for row in csv.DictReader(handle))


def check_string(value: str) -> str | None:
    """Return what is wrong with a published string, or None.

    >>> check_string("λόγος")
    >>> check_string("Λόγος"), check_string("λόγοs"), check_string("λό γος")
    ('is not lower case', 'has a letter that is not Greek: U+0073', 'has a blank')
    >>> check_string("χώρᾱ"), check_string("δ’")
    ('has a sign that is no published letter: U+1FB1', 'has a sign that is no published letter: U+2019')
    """
    if not value:
        return "is empty"
    wrong = next((letter for letter in value if letter not in published_letters()), None)
    if wrong is None:
        return None
    # The rest only says what is wrong in the words that help most.
    if any(letter.isspace() for letter in value):
        return "has a blank"
    if unicodedata.normalize("NFC", value) != value:
        return "is not NFC"
    if value.lower() != value:
        return "is not lower case"
    category = unicodedata.category(wrong)
    if category in ("Cc", "Cf", "Co", "Cn"):
        return f"has an invisible character: U+{ord(wrong):04X}"
    if category in ("Lu", "Ll", "Lt", "Lo") and "GREEK" not in unicodedata.name(wrong, ""):
        return f"has a letter that is not Greek: U+{ord(wrong):04X}"
    return f"has a sign that is no published letter: U+{ord(wrong):04X}"


def several(pair: str) -> list[str]:
    """Return a feature with several values at once, taken apart.

    >>> several("Gender=Masc,Neut")
    ['Gender=Masc', 'Gender=Neut']
    """
    name, _, values = pair.partition("=")
    return [f"{name}={value}" for value in values.split(",")]


def check_values(column: str, found: set[str], allowed: frozenset[str], is_full: bool) -> Iterator[str]:
    """Yield what is wrong with the distinct values of a column of a layer.

    Args:
        column: upos, deprel or feats.
        found: the values.
        allowed: the inventory; of feats the single pairs.
        is_full: the layer is in the full inventory, and the rules are those by which parses are checked
            (`machine.check`): relations may have a subtype, features are sorted as Universal Dependencies sorts
            them, without regard to case.

    >>> list(check_values("deprel", {"nsubj:pass", "nsubject"}, frozenset({"nsubj"}), True))
    ["deprel outside of the inventory: ['nsubject']"]
    >>> list(check_values("feats", {"Number=Sing|NumType=Card"}, frozenset({"Number=Sing", "NumType=Card"}), True))
    []
    """
    if column == "feats" and is_full:
        read = [read_feats(value, allowed) for value in sorted(found)]
        unknown = {pair for value in read for pair in value.foreign}
    elif column == "feats":
        parts = {part for value in found for part in value.split("|")}
        unknown = {part for part in parts - allowed if not set(several(part)) <= allowed}
    elif column == "deprel" and is_full:
        unknown = {value for value in found if not is_relation(value, allowed)}
    else:
        unknown = found - allowed
    if unknown:
        yield f"{column} outside of the inventory: {sorted(unknown)[:EXAMPLES]}"
    if column == "feats":
        if is_full:
            is_wrong = any(value.fault or value.is_reordered for value in read if not value.foreign)
        else:
            names = [[pair.partition("=")[0] for pair in value.split("|")] for value in found]
            is_wrong = any(listed != sorted(set(listed)) for listed in names)
        if is_wrong:
            yield "feats that are not sorted, repeat a feature or cannot be read"


def _check_table(table: pa.Table, inventories: Inventories) -> Iterator[str]:
    """Yield findings in the one-sentence rows of a table."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = table["id"].to_pylist()
    texts = table["text"].combine_chunks()
    if pc.any(pc.not_equal(pc.list_value_length(texts), 1)).as_py():
        yield "a one-sentence row has not exactly one string of text"
        return
    text = texts.flatten()
    distorted = table["text_distorted"].combine_chunks()
    for layer in ("conllu_human", "conllu_machine"):
        units = table[layer].combine_chunks()
        if units.null_count:
            yield f"{layer}: the list of units is null in {units.null_count} rows"
            continue
        lengths = np.asarray(pc.list_value_length(units))
        if layer == "conllu_machine" and not lengths.any():
            if np.asarray(pc.fill_null(pc.list_value_length(distorted), -1)).any():
                yield "text_distorted: expected empty lists without a machine layer"
            continue
        inner = units.flatten()
        if (lengths != 1).any() or inner.null_count or (np.asarray(pc.list_value_length(inner)) != 1).any():
            yield f"{layer}: a row of one sentence does not hold one unit of one sentence"
            continue
        trees = inner.flatten()
        offsets = np.asarray(trees.offsets)
        offsets = offsets - offsets[0]
        tokens = trees.flatten()
        counts = np.diff(offsets)
        if (counts == 0).any() or trees.null_count:
            yield f"{layer}: a sentence without tokens: {ids[int(np.flatnonzero(counts == 0)[0])]}"
            continue
        starts = offsets[:-1]
        sentence = np.repeat(np.arange(len(counts)), counts)

        def named(bad: np.ndarray, what: str, layer: str = layer, sentence: np.ndarray = sentence) -> Iterator[str]:
            places = np.unique(sentence[bad]) if len(bad) == len(sentence) else np.flatnonzero(bad)
            if len(places):
                yield f"{layer}: {what} in {len(places)} sentences: {[ids[int(n)] for n in places[:EXAMPLES]]}"

        number = np.asarray(tokens.field("id"))
        head = np.asarray(tokens.field("head"))
        yield from named(number != np.arange(len(number)) - np.repeat(starts, counts) + 1, "ids do not run 1..n")
        yield from named((head < 0) | (head > np.repeat(counts, counts)), "a head is out of range")
        yield from named(np.add.reduceat((head == 0).astype(int), starts) != 1, "there is not one root")
        label = np.asarray(pc.equal(pc.fill_null(tokens.field("deprel"), ""), "root"))
        yield from named(label != (head == 0), "the label root and the head 0 do not go together")

        forms = tokens.field("form")
        joined = pc.binary_join(pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), forms), " ")
        yield from named(~np.asarray(pc.fill_null(pc.equal(joined, text), False)), "the forms do not rebuild the text")

        is_machine = layer == "conllu_machine"
        if is_machine:
            human_lemmas = table["conllu_human"].combine_chunks().flatten().flatten().flatten().field("lemma")
            if not tokens.field("lemma").equals(human_lemmas):
                yield f"{layer}: the lemmas are not those of the human layer"
            classes = tokens.field("upos")
            if (np.asarray(pc.list_value_length(distorted)) != 1).any():
                yield "text_distorted: not one string per sentence"
            elif inventories.content is not None:
                is_content = pc.is_in(classes, value_set=pa.array(sorted(inventories.content), pa.string()))
                words = pc.if_else(is_content, classes, forms)
                expected = pc.binary_join(pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), words), " ")
                same = np.asarray(pc.fill_null(pc.equal(expected, distorted.flatten()), False))
                yield from named(~same, "text_distorted does not follow the classes of the tokens")
        for column, allowed in (
            ("upos", inventories.machine_upos if is_machine else inventories.upos),
            ("deprel", inventories.machine_deprel if is_machine else inventories.deprel),
            ("feats", inventories.machine_feats if is_machine else inventories.feats),
        ):
            if column != "feats" and tokens.field(column).null_count:
                yield f"{layer}: {column} is null in {tokens.field(column).null_count} tokens"
            if allowed is None:
                continue
            found = {value for value in pc.unique(tokens.field(column)).to_pylist() if value is not None}
            for finding in check_values(column, found, allowed, is_machine):
                yield f"{layer}: {finding}"
        for column in ("form", "lemma"):
            for value in pc.unique(tokens.field(column)).to_pylist():
                if value is None and column == "lemma":
                    continue
                wrong = "is null" if value is None else check_string(value)
                if wrong is not None:
                    yield f"{layer}: {column} {value!r} {wrong}"

    native = table["native_syntax"].combine_chunks()
    if native.null_count or pc.any(pc.not_equal(pc.list_value_length(native), 1)).as_py():
        yield "native_syntax: not one list per sentence"

    licenses = table["licenses"].combine_chunks()
    lengths = np.asarray(pc.fill_null(pc.list_value_length(licenses), 0))
    if (lengths == 0).any():
        yield f"rows without a licence: {[ids[int(n)] for n in np.flatnonzero(lengths == 0)[:EXAMPLES]]}"
    unknown = set(licenses.flatten().to_pylist()) - (inventories.licenses or set())
    if inventories.licenses is not None and unknown:
        yield f"unknown licences: {sorted(map(str, unknown))}"


def check_schemas(folder: Path) -> list[str]:
    """Files whose schema is not the published one, or that carry metadata of a library."""
    import pyarrow.parquet as pq

    from exports.dataset import schema

    findings = []
    for path in sorted((folder / "data").glob("*/*.parquet")):
        configuration = path.parent.name
        track, _, size = configuration.rpartition("_")
        expected = schema.schema_of(chunked=size != "1", held_out=is_held_out(track))
        footer = pq.read_metadata(path)
        found = footer.schema.to_arrow_schema()
        if not found.equals(expected):
            findings.append(f"{configuration}/{path.name}: the schema is not the published one")
        if footer.metadata:
            keys = sorted(key.decode() for key in footer.metadata)
            findings.append(f"{configuration}/{path.name}: metadata of a library in the footer: {keys}")
    return findings


def check_order(folder: Path) -> list[str]:
    """Files whose rows do not stand in the order of their ids, each once: the place of a row must tell nothing."""
    import numpy as np
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    findings = []
    for path in sorted((folder / "data").glob("*/*.parquet")):
        ids = pq.read_table(path, columns=["id"])["id"].combine_chunks()
        ascends = pc.less(ids.slice(0, max(len(ids) - 1, 0)), ids.slice(1))
        if not pc.all(ascends, min_count=0).as_py():
            place = int(np.flatnonzero(~np.asarray(pc.fill_null(ascends, False)))[0])
            findings.append(f"{path.parent.name}/{path.name}: {ids[place + 1]} stands after {ids[place]}")
    return findings


def validate_folder(folder: Path, inventories: Inventories, processes: int = 2) -> int:
    """Check a written dataset folder and return the number of distinct sentences.

    Raises:
        ExportError: with the findings, named by configuration and sentence.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from exports.dataset.conllu import render_sentences
    from exports.dataset.loader import load_all

    findings = check_schemas(folder) or check_order(folder)
    seen: set[str] = set()
    named: list[tuple[str, str]] = []
    with_layer: set[bool] = set()
    columns = ["id", "text", "text_distorted", "licenses", "native_syntax", "conllu_human", "conllu_machine"]
    if not findings:
        for path in sorted((folder / "data").glob("*_1/*.parquet")):
            footer = pq.ParquetFile(path)
            for batch in footer.iter_batches(batch_size=5000, columns=columns):
                table = pa.Table.from_batches([batch])
                ids = table["id"].to_pylist()
                new = [name not in seen for name in ids]
                seen.update(ids)
                table = table.filter(pa.array(new))
                if not table.num_rows:
                    continue
                found = list(_check_table(table, inventories))
                with_layer.add(bool(len(table["conllu_machine"].combine_chunks().flatten())))
                findings += [f"{path.parent.name}/{path.name}: {finding}" for finding in found]
                if found:
                    continue
                ids = table["id"].to_pylist()
                for layer in ("conllu_human", "conllu_machine"):
                    trees = table[layer].combine_chunks().flatten().flatten()
                    if len(trees):
                        named += zip([f"{layer} of {name}" for name in ids], render_sentences(trees), strict=True)
        findings += [f"{name}: {message}" for name, message in load_all(named, processes)]
        if len(with_layer) > 1:
            findings.append("conllu_machine: some sentences are parsed and others are not")
    if findings:
        listed = "\n  ".join(findings[:20])
        more = f"\n  and {len(findings) - 20} more" if len(findings) > 20 else ""
        raise ExportError(f"the written dataset is not valid:\n  {listed}{more}")
    return len(seen)
