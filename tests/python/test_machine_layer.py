"""The machine layer from the parse to the dataset folder, on the sample with a parse made elsewhere.

The parse stands in for one of a parser: the human layer, in the full inventories and with the mistakes and habits that
matter here (proper nouns, the positive degree, coordinators that nothing coordinates, wrong heads).
"""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import ROOT, Build, build_environment, connection, copy_build, dbt, mark_finished, run

from exports.dataset import schema
from machine.interface import MachineError, Parsed, Sentence
from machine.tables import Tables, corpus_of
from runtime.conllu import render_conllu

LAYER = ("int_machine__parse_provider+", "int_machine__manifest_provider+")
"""All models that depend on the parse; the others are those of the sample."""

BUILT_AND_TESTED = (
    *("build", "--quiet", "--no-write-json", "--select", "path:tests/machine", *LAYER),
    *("--exclude-resource-type", "unit_test"),
)
RUN = ("run", "--quiet", "--no-write-json", "--select")
REDUCED = {"PROPN": "NOUN", "AUX": "VERB", "DET": "PRON", "PART": "ADV", "CCONJ": "ADV", "SCONJ": "ADV"}
CONTENT = {"NOUN", "PROPN", "ADJ", "VERB"}


def seed(name: str) -> list[dict[str, str]]:
    """Return the rows of a seed of the annotation."""
    with (ROOT / "seeds" / "annotation" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


REDUCTION = {row["relation"]: row["deprel"] for row in seed("relation_reduction")}
OF_A_COORDINATOR = {row["relation"] for row in seed("relation_reduction") if row["coordinator_deprel"] == "advmod"}
COORDINATORS = {row["lemma"] for row in seed("coordinators")}


class Word(NamedTuple):
    """One token of the stand-in parse."""

    form: str
    upos: str
    feats: str
    head: int
    relation: str


def disturbed(words: list[Word]) -> list[Word]:
    """Return a human tree as a parser might have given it."""
    children = Counter(word.head for word in words)
    made = []
    for number, word in enumerate(words, 1):
        upos, feats, head, relation = word.upos, word.feats, word.head, word.relation
        if upos == "NOUN" and number % 3 == 1:
            upos = "PROPN"
        if upos == "ADV" and number == 2:
            upos = "CCONJ" if not children[number] else "PART"
        if upos == "CCONJ" and relation == "advmod":
            relation = "cc:preconj"
        if upos == "ADJ" and "Degree" not in feats:
            feats = "|".join(sorted([*filter(None, feats.split("|")), "Degree=Pos"]))
        if relation == "nsubj" and number % 5 == 0:
            relation = "vocative"
        if relation == "nmod" and words[head - 1].head and not children[number] and number % 4 == 0:
            head = words[head - 1].head
        made.append(Word(word.form, upos, feats, head, relation))
    return made


def shown(words: list[Word]) -> list[Word]:
    """Return a tree without the positive degree: the human features are what forms show already."""
    return [
        word._replace(feats="|".join(pair for pair in word.feats.split("|") if pair != "Degree=Pos")) for word in words
    ]


def with_coordinators(words: list[Word]) -> list[Word]:
    """Apply R14 as the specification words it."""
    moved = list(words)
    conjuncts: dict[int, list[int]] = defaultdict(list)
    for number, word in enumerate(words, 1):
        if word.relation.partition(":")[0] == "conj":
            conjuncts[word.head].append(number)
    for number, word in enumerate(words, 1):
        if word.relation.partition(":")[0] != "cc":
            continue
        above = words[word.head - 1]
        if conjuncts[word.head]:
            group = [word.head, *conjuncts[word.head]]
        elif above.relation.partition(":")[0] == "conj":
            group = [above.head, *conjuncts[above.head]]
        else:
            moved[number - 1] = word._replace(relation="advmod")
            continue
        later = [member for member in group if member > number]
        moved[number - 1] = word._replace(head=min(later) if later else max(group))
    return moved


def named_by_lemma(words: list[Word], lemmas: list[str | None]) -> list[Word]:
    """Call every function word with the lemma of a coordinator advmod."""
    return [
        word._replace(relation="advmod")
        if lemma in COORDINATORS and word.relation.partition(":")[0] in OF_A_COORDINATOR
        else word
        for word, lemma in zip(words, lemmas, strict=True)
    ]


def lemmas_of_words(warehouse: Path) -> dict[str, list[str | None]]:
    """Return the published lemmas of every published sentence by id."""
    with connection(warehouse) as con:
        rows = con.execute(
            "select id, lemma from intermediate.int_splits__published_tokens order by id, token"
        ).fetchall()
    lemmas: dict[str, list[str | None]] = defaultdict(list)
    for name, lemma in rows:
        lemmas[name].append(lemma)
    return lemmas


def human_words(warehouse: Path) -> dict[str, list[Word]]:
    """Return the human layer of every published sentence by id, with full relations."""
    with connection(warehouse) as con:
        rows = con.execute(
            "select id, form, upos, coalesce(feats, ''), head, relation from intermediate.int_splits__published_tokens "
            "order by id, token"
        ).fetchall()
    words: dict[str, list[Word]] = defaultdict(list)
    for name, *fields in rows:
        words[name].append(Word(*fields))
    return words


def write_parse(path: Path, words: dict[str, list[Word]]) -> None:
    """Write parses as CoNLL-U, in another order than the sentences have."""
    with path.open("w", encoding="utf-8") as file:
        for name in sorted(words, reverse=True):
            file.write(f"# sent_id = {name}\n# model = stand-in 1\n")
            for number, word in enumerate(words[name], 1):
                feats = word.feats or "_"
                file.write(f"{number}\t{word.form}\t_\t{word.upos}\t_\t{feats}\t{word.head}\t{word.relation}\t_\t_\n")
            file.write("\n")


class WithLayer(NamedTuple):
    """A build with a machine layer, and what its parse was made of."""

    build: Build
    human: dict[str, list[Word]]
    parse: dict[str, list[Word]]
    lemmas: dict[str, list[str | None]]
    environment: dict[str, str]

    def published(self, name: str) -> list[Word]:
        """The parse of a sentence after the rules for coordinators, features and classes."""
        return named_by_lemma(with_coordinators(shown(self.parse[name])), self.lemmas[name])


@pytest.fixture(scope="module")
def parsed(sample_build: Build, tmp_path_factory: pytest.TempPathFactory) -> WithLayer:
    """The sample with the stand-in parse, tested and exported."""
    folder = tmp_path_factory.mktemp("machine")
    build = folder / "build"
    copy_build(sample_build.build, build)
    human = human_words(sample_build.work_db)
    parse = {name: disturbed(words) for name, words in human.items()}
    write_parse(folder / "parse.conllu", parse)
    environment = build_environment(build, None, SPHRAGIS_MACHINE="conllu", SPHRAGIS_PARSE=str(folder / "parse.conllu"))
    run(dbt(*BUILT_AND_TESTED), environment)
    mark_finished(build / "work" / "sphragis.duckdb")
    run([sys.executable, "-m", "exports"], environment)
    made = Build(build, build / "sphragis.duckdb", build / "work" / "sphragis.duckdb", build / "hub", "")
    return WithLayer(made, human, parse, lemmas_of_words(sample_build.work_db), environment)


def query(build: Build, sql: str) -> list[tuple[Any, ...]]:
    with connection(build.db) as con:
        return [tuple(row) for row in con.execute(sql).fetchall()]


def sha256_of_the_published_trees(build: Build) -> str:
    """Return the checksum of the machine layer as the Parquet files have it."""
    trees: dict[str, str] = {}
    for path in sorted((build.hub / "data").glob("*_1/*.parquet")):
        for row in pq.read_table(path, columns=["id", "conllu_machine"]).to_pylist():
            trees[row["id"]] = render_conllu(row["conllu_machine"][0])
    return hashlib.sha256("".join(trees[name] for name in sorted(trees)).encode()).hexdigest()


def test_every_published_token_is_parsed_and_coordinators_are_moved(parsed: WithLayer) -> None:
    rows = query(
        parsed.build,
        "select id, form, machine_upos, coalesce(machine_feats, ''), machine_head, machine_deprel from hub.tokens "
        "order by id, token",
    )
    found: dict[str, list[Word]] = defaultdict(list)
    for name, *fields in rows:
        found[name].append(Word(*fields))
    expected = {name: parsed.published(name) for name in parsed.parse}
    assert found == expected
    moved = [
        (before, after)
        for name, words in parsed.parse.items()
        for before, after in zip(words, expected[name], strict=True)
        if before != after
    ]
    assert any(before.head != after.head for before, after in moved)
    assert any(after.relation == "advmod" for _, after in moved)


def test_the_token_table_has_both_layers_side_by_side(parsed: WithLayer) -> None:
    assert query(
        parsed.build,
        """
        select count(*), count(tokens.machine_head), count(*) filter (
            tokens.machine_upos = hub.machine_upos and tokens.machine_head = hub.machine_head
            and tokens.machine_deprel = hub.machine_deprel
            and tokens.machine_feats is not distinct from hub.machine_feats
        )
        from hub.tokens as hub
        inner join hub.sentences as sentences using (id)
        inner join corpus.tokens as tokens
            on
                sentences.sentence_id = tokens.sentence_id
                and hub.token = tokens.token_index
                and hub.form = tokens.word
        """,
    ) == [(len_all := sum(map(len, parsed.parse.values())), len_all, len_all)]
    others = (
        "select count(machine_head) from corpus.tokens where sentence_id not in (select sentence_id from hub.sentences)"
    )
    assert query(parsed.build, others) == [(0,)]
    assert query(parsed.build, "select provider, model, fold, count(*) from corpus.machine_parses group by all") == [
        ("conllu", "stand-in 1", None, len(parsed.parse))
    ]


def test_the_distorted_text_follows_the_layer_word_by_word(parsed: WithLayer) -> None:
    found = dict(query(parsed.build, "select id, text_distorted from hub.sentences"))
    assert found == {
        name: " ".join(word.upos if word.upos in CONTENT else word.form for word in words)
        for name, words in parsed.parse.items()
    }
    published = pq.read_table(parsed.build.hub / schema.data_file("sentence_10", "test")).to_pylist()
    assert all(
        row["text_distorted"] == [found[name] for name in row["constituent_ids"]] and row["text_distorted"]
        for row in published
    )


def test_agreement_is_that_of_a_count_in_python(parsed: WithLayer) -> None:
    def deprel(relation: str) -> str:
        return REDUCTION.get(relation.partition(":")[0], "dep")

    annotated = {
        name for (name,) in query(parsed.build, "select id from intermediate.int_machine__sentences where is_annotated")
    }
    counts: Counter[str] = Counter()
    for name, words in parsed.human.items():
        named = named_by_lemma(words, parsed.lemmas[name])
        for human, machine in zip(named, parsed.published(name), strict=True):
            if name in annotated:
                counts["tokens"] += 1
                counts["uas"] += human.head == machine.head
                counts["las"] += human.head == machine.head and deprel(human.relation) == deprel(machine.relation)
                counts["upos"] += human.upos == REDUCED.get(machine.upos, machine.upos)
    rows = query(parsed.build, "select measure, tokens, agreeing from audit.layer_agreement where scope = 'all'")
    found = {measure: agreeing for measure, _, agreeing in rows}
    assert {tokens for _, tokens, _ in rows} == {counts["tokens"]}
    # The positive degree is not published in the human layer and does not count.
    assert found == {name: counts[name] for name in ("uas", "las", "upos")} | {"feats": counts["tokens"]}
    assert counts["tokens"] > counts["uas"] > counts["las"] > 0
    assert counts["upos"] == counts["tokens"]
    assert query(parsed.build, "select count(*) from audit.layer_agreement where scope = 'fold'") == [(0,)]


def test_the_edition_tells_who_parsed_and_how_well(parsed: WithLayer) -> None:
    metadata = parsed.build.hub / "metadata"
    manifest = json.loads((metadata / "machine_manifest.json").read_text(encoding="utf-8"))
    [kept] = (parsed.build.build / "machine").glob(f"{manifest['key'][:16]}/manifest.json")
    made = json.loads(kept.read_text(encoding="utf-8"))
    assert manifest.pop("published_conllu_machine_sha256") == sha256_of_the_published_trees(parsed.build)
    assert manifest.pop("artefact_parse_conllu_sha256") == made.pop("sha256")
    assert manifest.pop("sentence_ids_and_forms_sha256") == made.pop("sentences_sha256")
    assert manifest == made
    assert not (metadata / "machine_folds.json").exists()
    report = json.loads((metadata / "build_report.json").read_text(encoding="utf-8"))["machine_syntax"]
    assert (report["is_present"], report["provider"], report["model"]) == (True, "conllu", "stand-in 1")
    assert set(report["agreement"]) == {
        "all",
        "by_project",
        "by_fold",
        "by_author",
        "by_feature",
        "by_project_and_feature",
    }
    by_project = report["agreement"]["by_project_and_feature"]
    assert set(by_project) == set(report["agreement"]["by_project"])
    for name, feature in report["agreement"]["by_feature"].items():
        assert feature["human"] == sum(features.get(name, {"human": 0})["human"] for features in by_project.values())
    assert 0.5 < report["agreement"]["by_project"]["gorman"]["las"] < 1
    readme = (parsed.build.hub / "README.md").read_text(encoding="utf-8")
    assert "The parse: provider `conllu`, model `stand-in 1`" in readme
    assert str(parsed.build.build) not in readme + json.dumps(manifest)


def test_every_row_of_every_configuration_has_the_layer(parsed: WithLayer) -> None:
    paths = sorted(parsed.build.hub.glob("data/*/*.parquet"))
    assert len(paths) == 24 * 4
    for path in paths:
        table = pq.read_table(path, columns=["text", "text_distorted", "conllu_human", "conllu_machine"])
        lengths = [pa.compute.list_value_length(table[name]).to_pylist() for name in table.column_names]
        assert lengths[0] == lengths[1] == lengths[2] == lengths[3], path
        assert min(lengths[0]) > 0


def test_commands_know_the_layer(parsed: WithLayer, sample_build: Build) -> None:
    environment = parsed.environment
    sphragis = [sys.executable, "-c", "from sphragis import app; app()"]
    name = min(parsed.parse)
    shown = run([*sphragis, "conllu", name, "--layer", "machine", "--plain"], environment).stdout
    assert [line.split("\t")[3] for line in shown.splitlines() if line] == [word.upos for word in parsed.parse[name]]
    drawn = run([*sphragis, "tree", name, "--layer", "human", "--layer", "machine"], environment).stdout
    assert "parsed" in drawn
    for word in parsed.published(name):
        assert f"{word.form} {word.relation}" in drawn
    compared = run([*sphragis, "diff", str(sample_build.hub), str(parsed.build.hub)], environment).stdout
    assert "changed" in compared
    assert "removed 0" in compared
    again = run([*sphragis, "diff", str(parsed.build.hub), str(parsed.build.hub)], environment).stdout
    assert again == "No row and no column differs.\n"


def test_the_layer_goes_with_the_setting_and_comes_back_from_its_artefact(parsed: WithLayer, tmp_path: Path) -> None:
    build = tmp_path / "build"
    copy_build(parsed.build.build, build)
    count = (
        "select (select count(*) from hub.tokens), (select count(machine_head) from hub.tokens), "
        "(select count(text_distorted) from hub.sentences), (select count(*) from corpus.machine_parses)"
    )
    words, sentences = sum(map(len, parsed.parse.values())), len(parsed.parse)
    paths = {
        "SPHRAGIS_BUILD": str(build),
        "DBT_TARGET_PATH": str(build / "target"),
        "DBT_LOG_PATH": str(build / "logs"),
    }
    without = parsed.environment | paths | {"SPHRAGIS_MACHINE": "none"}
    run(dbt(*BUILT_AND_TESTED), without)
    with connection(build / "work" / "sphragis.duckdb") as con:
        assert con.execute(count).fetchall() == [(words, 0, 0, 0)]
    artefacts = {path: path.stat().st_mtime_ns for path in (build / "machine").glob("*/parse.conllu")}
    run(dbt(*RUN, *LAYER), parsed.environment | paths)
    with connection(build / "work" / "sphragis.duckdb") as con:
        assert con.execute(count).fetchall() == [(words, words, sentences, sentences)]
    assert {path: path.stat().st_mtime_ns for path in (build / "machine").glob("*/parse.conllu")} == artefacts


def test_a_manifest_of_one_parse_is_not_published_with_the_tokens_of_another(
    parsed: WithLayer, sample_build: Build, tmp_path: Path
) -> None:
    build = tmp_path / "build"
    copy_build(sample_build.build, build, "target")
    before = (build / "hub" / "SHA256SUMS").read_bytes()
    environment = build_environment(build, None, SPHRAGIS_MACHINE="conllu")
    environment["SPHRAGIS_PARSE"] = parsed.environment["SPHRAGIS_PARSE"]
    heads = ("int_machine__parse_provider", "int_machine__manifest_provider", "int_machine__manifest")
    run(dbt(*RUN, *heads), environment)
    mark_finished(build / "work" / "sphragis.duckdb")
    refused = run([sys.executable, "-m", "exports"], environment, check=False)
    assert refused.returncode == 1
    assert "expected intermediate.int_machine__parse to be of the same" in refused.stdout
    run(dbt(*RUN, "int_machine__parse"), environment)
    mark_finished(build / "work" / "sphragis.duckdb")
    refused = run([sys.executable, "-m", "exports"], environment, check=False)
    assert refused.returncode == 1
    assert "expected hub.tokens to be of the same" in refused.stdout
    assert "Traceback" not in refused.stdout
    assert (build / "hub" / "SHA256SUMS").read_bytes() == before


def test_a_parse_that_lacks_a_sentence_stops_the_build_and_names_it(parsed: WithLayer, tmp_path: Path) -> None:
    lost = max(parsed.parse)
    write_parse(tmp_path / "short.conllu", {name: words for name, words in parsed.parse.items() if name != lost})
    environment = parsed.environment | {"SPHRAGIS_PARSE": str(tmp_path / "short.conllu")}
    failed = run(dbt(*RUN, "int_machine__parse_provider"), environment, check=False)
    assert failed.returncode == 1
    assert lost in failed.stdout
    assert "Traceback" not in failed.stdout


# The test that must find it, and the damage, as statements on the tables.
BROKEN = (
    (
        "works_of_a_family_are_in_one_fold",
        """
            update intermediate.int_machine__sentences set fold = (fold + 1) % 5
            where id = (select min(id) from intermediate.int_machine__sentences)
        """,
    ),
    (
        "works_of_a_family_are_in_one_fold",
        """
            create temporary table family as
            select
                canonical_work,
                sentence_number,
                row_number() over (partition by canonical_work order by sentence_number) as n
            from intermediate.int_machine__sentences
            where fold = 0 and canonical_work in (
                select canonical_work from intermediate.int_machine__sentences where fold = 0
                group by canonical_work having count(*) >= 10 order by canonical_work limit 2
            );
            insert into intermediate.int_dedup__shared_ngrams (left_number, right_number, shared, left_size, right_size)
            select ones.sentence_number, others.sentence_number, 3, 6, 9
            from family as ones
            inner join family as others on ones.n = others.n and ones.canonical_work < others.canonical_work
            where ones.n <= 10;
            update intermediate.int_machine__sentences set fold = 1
            where canonical_work = (select max(canonical_work) from family)
        """,
    ),
    (
        "no_model_has_seen_the_like_of_what_it_parses",
        "delete from intermediate.int_machine__withheld",
    ),
    (
        "the_machine_layer_is_whole_or_absent",
        """
            delete from intermediate.int_machine__parse
            where token = 2 and id = (select min(id) from intermediate.int_machine__parse)
        """,
    ),
    (
        "coordinators_of_the_parse_coordinate",
        """
            update intermediate.int_machine__trees set relation = 'cc'
            where gid = (
                select min(leaves.gid) from intermediate.int_machine__trees as leaves
                where leaves.relation = 'nsubj' and not exists (
                    select 1 from intermediate.int_machine__trees as others
                    where others.id = leaves.id and others.relation like 'conj%'
                )
            )
        """,
    ),
    (
        "text_distorted_follows_the_machine_layer",
        """
            update hub.sentences set text_distorted = text where id = (select min(id) from hub.sentences)
        """,
    ),
    (
        "has_single_root_int_machine__trees",
        """
            update intermediate.int_machine__trees set head = 0
            where token = 1 and id = (select min(id) from intermediate.int_machine__trees where token = 1 and head > 0)
        """,
    ),
    (
        "has_no_cycle_int_machine__trees",
        """
            update intermediate.int_machine__trees set head = case token when 1 then 2 else 1 end
            where token in (1, 2) and id = (
                select min(ones.id)
                from intermediate.int_machine__trees as ones
                inner join intermediate.int_machine__trees as twos using (id)
                where ones.token = 1 and ones.head > 0 and twos.token = 2 and twos.head > 0
            )
        """,
    ),
    (
        "has_contiguous_ids_int_machine__trees",
        """
            delete from intermediate.int_machine__trees
            where token = 1 and id = (select min(id) from intermediate.int_machine__trees where token = 2)
        """,
    ),
    (
        "has_heads_in_range_int_machine__trees",
        """
            update intermediate.int_machine__trees set head = 99
            where token = 1 and id = (select min(id) from intermediate.int_machine__trees)
        """,
    ),
)


@pytest.fixture(scope="module")
def compiled(parsed: WithLayer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the warehouse, with the tests of the layer compiled against it."""
    folder = tmp_path_factory.mktemp("invariants")
    (folder / "work").mkdir()
    shutil.copy(parsed.build.work_db, folder / "work" / "sphragis.duckdb")
    run(dbt("compile", "--select", "path:tests/machine", "int_machine__trees"), build_environment(folder, None))
    return folder


@pytest.fixture
def warehouse(compiled: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The copy, in a transaction that is rolled back after the test."""
    con = duckdb.connect(str(compiled / "work" / "sphragis.duckdb"))
    con.execute("begin")
    yield con
    con.execute("rollback")
    con.close()


@pytest.mark.parametrize(("name", "damage"), BROKEN, ids=[name for name, _ in BROKEN])
def test_a_broken_invariant_is_found(
    compiled: Path, warehouse: duckdb.DuckDBPyConnection, name: str, damage: str
) -> None:
    [path] = [path for path in (compiled / "target" / "compiled").rglob(f"{name}*.sql") if path.is_file()]
    sql = path.read_text(encoding="utf-8")
    assert warehouse.execute(sql).fetchall() == []
    warehouse.execute(damage)
    assert warehouse.execute(sql).fetchall() != []


def test_every_test_of_the_layer_has_its_damage_and_its_line() -> None:
    names = {path.stem for path in (ROOT / "tests" / "machine").glob("*.sql")}
    assert names <= {name for name, _ in BROKEN}
    table = (ROOT / "docs" / "invariants.md").read_text(encoding="utf-8")
    for name in names:
        text = (ROOT / "tests" / "machine" / f"{name}.sql").read_text(encoding="utf-8")
        identifier = text.removeprefix("-- ").partition(":")[0]
        assert f"| `{identifier}` |" in table
        assert f"`tests/machine/{name}.sql`" in table


TABLES = Tables(
    sentences=pa.table({"id": ["s-1", "s-2"], "canonical_work": ["w", "v"], "fold": pa.array([0, 3], pa.int32())}),
    tokens=pa.table({"id": ["s-1", "s-1", "s-2"], "form": ["ὁ", "παῖς", "ναί"]}),
    training=pa.table({"id": ["s-1", "x/y#1"], "canonical_work": ["w", "z"], "is_published": [True, False]}),
    training_words=pa.table(
        {
            "id": ["s-1", "s-1", "x/y#1"],
            "form": ["ὁ", "παῖς", "ἴθι"],
            "upos": ["DET", "NOUN", "VERB"],
            "feats": [None, "Case=Nom", "Mood=Imp"],
            "head": pa.array([2, 0, 0], pa.int32()),
            "relation": ["det", "root", "root"],
        }
    ),
    withheld=pa.table({"fold": pa.array([3], pa.int32()), "id": ["s-1"]}),
)


def test_the_corpus_of_the_providers_is_what_the_tables_say() -> None:
    corpus = corpus_of(TABLES, is_sample=True)
    assert corpus.sentences == [Sentence("s-1", ["ὁ", "παῖς"]), Sentence("s-2", ["ναί"])]
    assert corpus.unpublished == [Sentence("x/y#1", ["ἴθι"])]
    assert corpus.gold == {
        "s-1": Parsed("s-1", ["DET", "NOUN"], ["", "Case=Nom"], [2, 0], ["det", "root"]),
        "x/y#1": Parsed("x/y#1", ["VERB"], ["Mood=Imp"], [0], ["root"]),
    }
    assert (corpus.folds, corpus.works) == ({"s-1": 0, "s-2": 3}, {"s-1": "w", "s-2": "v", "x/y#1": "z"})
    assert (corpus.withheld, corpus.is_sample) == ({3: frozenset({"s-1"})}, True)


@pytest.mark.parametrize("rows", [[0, 1], [2, 0, 1], [0, 2, 1]])
def test_tokens_in_another_order_than_the_sentences_are_refused(rows: list[int]) -> None:
    with pytest.raises(MachineError, match="in the order of ids"):
        corpus_of(TABLES._replace(tokens=TABLES.tokens.take(rows)), is_sample=True)
