"""A small warehouse of sentences held in dictionaries: the tables that a request reads, without a build."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

import duckdb
from match_reference import Sentence

FEATURES = ("Aspect", "Case", "Degree", "Gender", "Mood", "Number", "Person", "Tense", "VerbForm", "Voice")
OWN = ("form", "folded", "lemma", "lemma_folded", "xpos", "upos")
NODES = (
    "layer varchar, scope integer, sentence_number integer, position integer, node_key bigint, head_key bigint, "
    "head integer, label varchar, form varchar, folded varchar, lemma varchar, lemma_folded varchar, xpos varchar, "
    "upos varchar, feats varchar, "
    + ", ".join(f"feat_{name.lower()} varchar" for name in FEATURES)
    + ", depth integer, subtree_first integer, subtree_last integer, subtree_size integer, subtree_gaps integer[], "
    "is_projective boolean, source_index integer"
)
TABLES = f"""
create schema corpus;
create table corpus.nodes ({NODES});
create table corpus.trees (
    sentence_id varchar, layer varchar, scope integer, node_count integer, depth integer, is_projective boolean,
    is_tree boolean, is_forest boolean, is_cyclic boolean, unanchored integer[], anchor_key bigint,
    sentence_number integer
);
create table corpus.sentences (
    sentence_id varchar, project varchar, path varchar, line integer, author varchar, work varchar,
    canonical_work varchar, genre varchar, passage varchar, cts_urn varchar, text varchar, fate varchar,
    split varchar, citation varchar, sentence_number integer
);
create table corpus.tokens (sentence_number integer, source_index integer, deprel varchar, native_relation varchar,
    native_form varchar, native_head varchar, relation varchar, head integer, machine_upos varchar,
    machine_head integer, machine_deprel varchar);
create table corpus.projects (project varchar, license varchar);
create table corpus.inventory (layer varchar, project varchar, feature varchar, value varchar, node_count integer);
"""
FACTOR = 65536


def warehouse(layers: Mapping[str, Sequence[Sentence]], path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """Return a warehouse with the sentences of some layers; every third sentence is no published one."""
    con = duckdb.connect(path, config={"threads": 1, "memory_limit": "1GB"})
    con.execute(TABLES)
    con.execute("insert into corpus.projects values ('agdt', 'CC BY-SA'), ('gorman', 'CC BY')")
    numbers: dict[int, Sentence] = {}
    for layer, sentences in layers.items():
        rows: list[list[object]] = []
        trees: list[list[object]] = []
        for sentence in sentences:
            numbers[sentence.number] = sentence
            scope = 1 + (sentence.number % 3 == 0)
            rows += [[layer, scope, *row] for row in node_rows(sentence)]
            apart = [node for node in range(1, len(sentence.heads)) if not sentence.dominates(0, node)]
            trees.append(
                [
                    *(f"t#{sentence.number}", layer, scope, len(sentence.heads) - 1, None),
                    *(sentence.is_projective, sentence.is_tree, not sentence.is_cyclic, sentence.is_cyclic),
                    *(apart or None, sentence.number * FACTOR, sentence.number),
                ]
            )
        insert(con, "nodes", rows)
        insert(con, "trees", trees)
    insert(
        con,
        "sentences",
        [
            [
                *(f"t#{number}", "agdt" if number % 2 else "gorman", "t", number, sentence.metadata.get("author")),
                *("Work", None, None, str(number), None, " ".join(item["form"] for item in sentence.features[1:])),
                *("published", None, f"cited {number}", number),
            ]
            for number, sentence in numbers.items()
        ],
    )
    con.execute(
        "insert into corpus.inventory select layer, 'agdt', 'label', label, count(*) from corpus.nodes "
        "where label is not null group by all"
    )
    return con


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[object]]) -> None:
    """Put rows into a table."""
    values = [list(row) for row in rows]
    if values:
        con.executemany(f"insert into corpus.{table} values ({', '.join('?' * len(values[0]))})", values)


def node_rows(sentence: Sentence) -> list[list[object]]:
    """Return the rows of the nodes of a sentence, from sentence_number on."""
    rows: list[list[object]] = []
    for node in range(1, len(sentence.heads)):
        features = sentence.features[node]
        below = [other for other in range(1, len(sentence.heads)) if sentence.dominates(node, other)]
        gaps = [other for other in range(below[0], below[-1]) if other not in below]
        head = sentence.heads[node]
        universal = sorted((name, value) for name, value in features.items() if name[0].isupper())
        rows.append(
            [
                *(sentence.number, node, sentence.number * FACTOR + node),
                *(None if head is None else sentence.number * FACTOR + head, head, sentence.labels[node]),
                *(features.get(name) for name in OWN),
                "|".join(f"{name}={value}" for name, value in universal) or None,
                *(features.get(name) for name in FEATURES),
                *(None, below[0], below[-1], len(below), gaps or None, not gaps, node),
            ]
        )
    return rows


def random_sentence(number: int, chance: random.Random, is_odd: bool = False) -> Sentence:
    """Return a sentence of one to seven words, projective or not.

    Args:
        number: its key.
        chance: source of all choices.
        is_odd: words may lack a head or label, be their own head, or form cycles.
    """
    size = chance.randint(1, 7)
    features: list[dict[str, str]] = [{"form": "__0__"}]
    for _ in range(size):
        word = {"form": chance.choice("αβγ"), "upos": chance.choice(("NOUN", "VERB", "ADJ"))}
        for name, values in (
            ("lemma", ("α", "β")),
            ("Case", ("Nom", "Gen")),
            ("Number", ("Sing", "Plur", "Nom")),
            ("Person", ("1", "2", "3")),
            ("Poss", ("Yes",)),
        ):
            if chance.random() < 0.6:
                word[name] = chance.choice(values)
        features.append(word)
    heads: list[int | None] = [None] * (size + 1)
    if is_odd:
        for node in range(1, size + 1):
            heads[node] = chance.choice([None, *range(size + 1)])
    else:
        order = chance.sample(range(1, size + 1), size)
        for place, node in enumerate(order):
            heads[node] = 0 if place == 0 else chance.choice([0, *order[:place], *order[:place]])
    separator = "_" if is_odd else ":"
    labels: list[str | None] = [None]
    for node in range(1, size + 1):
        common = ("obj", "nsubj", f"nsubj{separator}pass", f"obl{separator}x{separator}y")
        label: str | None = "root" if heads[node] == 0 and chance.random() < 0.8 else chance.choice(common)
        labels.append(None if heads[node] is None or (is_odd and chance.random() < 0.1) else label)
    metadata = {"author": chance.choice(("Lysias", "Homer"))} if chance.random() < 0.8 else {}
    return Sentence(number, features, heads, labels, separator, metadata)


LOADED = """
    select nodes.sentence_number, nodes.form, nodes.lemma, nodes.upos, nodes.feats, nodes.head, nodes.label
    from corpus.nodes as nodes
    where nodes.layer = ? and nodes.scope <= 2
    order by nodes.sentence_number, nodes.position
"""


def loaded(con: duckdb.DuckDBPyConnection, layer: str) -> list[Sentence]:
    """Return the sentences of a layer of a warehouse that are no duplicates, read into dictionaries."""
    found: dict[int, Sentence] = {}
    separator = "_" if layer == "native" else ":"
    for number, form, lemma, upos, feats, head, label in con.execute(LOADED, [layer]).fetchall():
        sentence = found.get(number)
        if sentence is None:
            sentence = found[number] = Sentence(number, [{"form": "__0__"}], [None], [None], separator)
        word = {"form": form, "lemma": lemma, "upos": upos}
        features = {name: value for name, value in word.items() if value is not None}
        features |= dict(pair.split("=", 1) for pair in (feats or "").split("|") if pair)
        sentence.features.append(features)
        sentence.heads.append(head)
        sentence.labels.append(label)
    return list(found.values())
