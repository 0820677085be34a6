"""The Parquet files: types, order, null and empty values, chunks, names, and that two runs are the same bytes."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import hub_fixture
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hub_fixture import MACHINE

from bench.export import plain_rows
from exports.about import card, croissant
from exports.about.record import DEFAULT
from exports.dataset import schema, validation
from exports.dataset.arrays import conform
from exports.dataset.files import write_split
from exports.dataset.plans import load_plans
from exports.dataset.units import load_units
from exports.edition import export as edition
from exports.warehouse import ExportError, open_read_only
from runtime.conllu import render_conllu
from runtime.files import sha256
from runtime.settings import Settings
from score.core.edition import is_held_out

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "fixtures" / "reported"


def settings_of(build: Path) -> Settings:
    return Settings(None, build, build / "sphragis.duckdb", build / "work" / "sphragis.duckdb", build / "hub")


def synthetic(build: Path, *changes: str) -> Settings:
    """A build folder with the synthetic warehouse, changed by SQL statements."""
    settings = settings_of(build)
    settings.work_db.parent.mkdir(parents=True)
    hub_fixture.build(settings.work_db)
    with duckdb.connect(str(settings.work_db)) as con:
        for change in changes:
            con.execute(change)
    return settings


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the Croissant library, which takes seconds to load, to the tests about it."""
    monkeypatch.setattr(croissant, "check", lambda path: None)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = synthetic(tmp_path_factory.mktemp("export") / "build")
    edition.export(settings)
    return settings


def tables(folder: Path) -> Iterator[tuple[str, str, pa.Table]]:
    for path in sorted(folder.glob("data/*/*.parquet")):
        yield path.parent.name, path.name.partition("-")[0], pq.read_table(path)


def test_every_split_of_a_configuration_has_the_published_schema(exported: Settings) -> None:
    seen = 0
    for path in sorted(exported.hub.glob("data/*/*.parquet")):
        track, _, size = path.parent.name.rpartition("_")
        expected = schema.schema_of(chunked=size != "1", held_out=is_held_out(track))
        assert pq.read_schema(path).equals(expected), path
        seen += 1
    assert seen == 6 * len(schema.SPLITS)


def test_an_input_without_any_configuration_is_told_why_and_what_can_be_used(tmp_path: Path) -> None:
    settings = synthetic(
        tmp_path / "build",
        "update hub.configurations set is_built = false, reason = coalesce(reason, 'only 3 rows of 20')",
    )
    with pytest.raises(ExportError) as told:
        edition.export(settings)
    assert str(told.value) == (
        "the input is too small for an edition: no configuration is built (sentence_1 and others: only 3 rows of 20). "
        f"The last edition is as it was; {settings.work_db} is whole and can be queried"
    )
    assert not settings.hub.exists() and not settings.db.exists()


def test_no_column_is_of_the_null_type_even_when_it_has_no_value(exported: Settings) -> None:
    for _, _, table in tables(exported.hub):
        assert "null" not in " ".join(str(field.type) for field in table.schema)
    machine = pq.read_table(exported.hub / schema.data_file("sentence_1", "test"))["conllu_machine"]
    assert machine.type == schema.TREES
    assert machine.to_pylist() == [[]] * len(machine)


def test_text_columns_come_first_and_wide_ones_last() -> None:
    names = [column.name for column in schema.COLUMNS]
    assert names[:4] == ["id", "author", "text", "text_distorted"]
    assert names[-4:] == ["source_records", "native_syntax", "conllu_human", "conllu_machine"]


def test_files_carry_no_metadata_of_a_library(exported: Settings) -> None:
    """Any version of `datasets` can then read them: nothing tells it to look for a type that it does not know."""
    for path in exported.hub.glob("data/*/*.parquet"):
        assert not pq.read_metadata(path).metadata, path


def test_physical_types_are_plain_parquet(exported: Settings) -> None:
    footer = pq.read_metadata(exported.hub / schema.data_file("work_held_out_5", "train"))
    kinds = {footer.schema.column(number).physical_type for number in range(footer.num_columns)}
    assert kinds == {"BYTE_ARRAY", "INT32", "BOOLEAN"}
    assert footer.row_group(0).column(0).compression == "ZSTD"


def test_rows_are_sorted_by_id_and_ids_are_unique(exported: Settings) -> None:
    for configuration, split, table in tables(exported.hub):
        ids = table["id"].to_pylist()
        assert ids == sorted(set(ids)), (configuration, split)


def test_rows_equal_those_built_from_python_dictionaries(exported: Settings) -> None:
    found = {(configuration, split): table.to_pylist() for configuration, split, table in tables(exported.hub)}
    configurations = sorted({configuration for configuration, _ in found})
    with open_read_only(exported.work_db) as con:
        for configuration, split, rows in plain_rows(con, configurations):
            assert found[configuration, split] == rows, (configuration, split)


def test_chunks_can_be_put_together_from_their_one_sentence_rows(exported: Settings) -> None:
    nested = ("text", "conllu_human", "native_syntax", "source_records")
    noted: set[str] = set()
    for track in ("sentence", "work_held_out"):
        for split in schema.SPLITS:
            ones = {
                row["id"]: row
                for row in pq.read_table(exported.hub / schema.data_file(f"{track}_1", split)).to_pylist()
            }
            for size in (5, 10):
                members = []
                for row in pq.read_table(exported.hub / schema.data_file(f"{track}_{size}", split)).to_pylist():
                    parts = [ones[name] for name in row["constituent_ids"]]
                    for column in nested:
                        assert row[column] == [value for part in parts for value in part[column]], column
                    for column in schema.PROVENANCE:
                        values = {part[column] for part in parts}
                        assert row[column] == (values.pop() if len(values) == 1 else None), column
                    notes = dict.fromkeys(part["passage_note"] for part in parts if part["passage_note"])
                    assert row["passage_note"] == ("; ".join(notes) or None)
                    noted |= set(notes)
                    assert row["chunk_size"] == row["chunk_target_size"] == size == len(parts)
                    assert row["licenses"] == sorted({name for part in parts for name in part["licenses"]})
                    assert [part["id"] for part in row["constituent_provenance"]] == row["constituent_ids"]
                    members += row["constituent_ids"]
                assert sorted(members) == sorted(ones)
    assert noted == {"a passage", "another passage"}


def test_layers_of_a_row_have_one_entry_per_sentence_and_are_never_null(exported: Settings) -> None:
    for configuration, _, table in tables(exported.hub):
        for row in table.select(["text", "conllu_human", "native_syntax", "conllu_machine"]).to_pylist():
            assert len(row["text"]) == len(row["conllu_human"]) == len(row["native_syntax"])
            assert row["conllu_machine"] == []
            assert all(len(unit) == 1 for unit in row["conllu_human"]), configuration


def test_null_empty_and_filled_lists_stay_three_states(exported: Settings) -> None:
    rows = pq.read_table(exported.hub / schema.data_file("sentence_1", "train")).to_pylist()
    states = {str(row["source_records"][0]["annotators"]) for row in rows}
    assert states == {"None", "[]", "['annotator']"}
    assert {row["native_syntax"][0] == [] for row in rows if row["treebank_source"] == "ud_perseus"} == {True}
    assert all(len(row["native_syntax"]) == 1 for row in rows)


def test_parts_of_a_cut_word_share_its_token(exported: Settings) -> None:
    rows = pq.read_table(exported.hub / schema.data_file("sentence_1", "train")).to_pylist()
    native = [row["native_syntax"][0] for row in rows if row["treebank_source"] == "gorman"]
    assert native
    assert {tuple(part["token"] for part in parts[:4]) for parts in native} == {(1, 2, 2, 3)}
    assert {tuple(part["source_token"] for part in parts[:4]) for parts in native} == {("2", "3", "3b", "4")}
    for row, parts in zip((row for row in rows if row["treebank_source"] == "gorman"), native, strict=True):
        assert parts[-1]["token"] == len(row["conllu_human"][0][0])


def test_the_three_list_states_of_the_case_survive_the_nesting(tmp_path: Path) -> None:
    """Null list, empty list and list of one null, as DuckDB gives them, after `conform` and Parquet."""
    path = tmp_path / "units.parquet"
    found = duckdb.connect().sql(
        "select * from (values (1, null::varchar[]), (2, []::varchar[]), (3, [null]::varchar[])) as t(id, units) "
        "order by id"
    )
    assert found is not None
    units = conform(found.to_arrow_table()["units"].combine_chunks(), schema.STRINGS)
    pq.write_table(pa.table({"units": units}), path)
    assert pq.read_table(path)["units"].to_pylist() == [None, [], [None]]


def test_columns_of_chunks_and_of_held_out_tracks_stand_there_only(exported: Settings) -> None:
    for configuration, _, table in tables(exported.hub):
        names = set(table.column_names)
        assert ("chunk_size" in names) == (not configuration.endswith("_1"))
        assert ("held_out_work" in names) == configuration.startswith("work_held_out")


def test_names_that_the_hub_cannot_load_are_refused() -> None:
    with (CASES / "names.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            names = ([row["name"]], []) if row["kind"] == "config" else ([], [row["name"]])
            if row["allowed"] == "yes":
                schema.check_names(*names)
            else:
                with pytest.raises(ValueError, match="cannot be loaded"):
                    schema.check_names(*names)


def test_two_runs_give_the_same_checksums(exported: Settings, tmp_path: Path) -> None:
    again = synthetic(tmp_path / "build")
    edition.export(again, processes=1)
    assert (again.hub / "SHA256SUMS").read_bytes() == (exported.hub / "SHA256SUMS").read_bytes()


def test_checksums_cover_every_file(exported: Settings) -> None:
    sums = (exported.hub / "SHA256SUMS").read_text().splitlines()
    listed = dict(line.split("  ")[::-1] for line in sums)
    present = {path.relative_to(exported.hub).as_posix() for path in exported.hub.rglob("*") if path.is_file()}
    assert set(listed) == present - {"SHA256SUMS"}
    assert all(sha256(exported.hub / path) == checksum for path, checksum in listed.items())
    built = {path.split("/")[1] for path in listed if path.startswith("data/")}
    assert {path for path in listed if not path.startswith(("data/", "scripts/scoring/"))} == {
        "LICENSES.md",
        "README.md",
        "croissant.json",
        "metadata/build_report.json",
        "metadata/dataset_variants.json",
        "metadata/leakage_report.json",
        "metadata/figures/fates.svg",
        "metadata/figures/splits.svg",
        *(f"metadata/leakage/{name}.test.conllu_human.jsonl" for name in built),
        "metadata/source_revisions.json",
        "metadata/work_rotation.json",
        "scripts/conllu_units.py",
        "scripts/score.py",
    }


def test_no_file_names_a_path_of_the_machine(exported: Settings) -> None:
    for path in exported.hub.rglob("*"):
        if path.suffix in (".json", ".md"):
            assert str(exported.build) not in path.read_text(encoding="utf-8"), path


def test_a_configuration_that_is_not_built_is_absent_with_its_reason(exported: Settings) -> None:
    assert not (exported.hub / "data" / "archaic_epic_1").exists()
    variants = json.loads((exported.hub / "metadata" / "dataset_variants.json").read_text(encoding="utf-8"))
    assert variants["configurations"]["archaic_epic_1"] == {
        "is_built": False,
        "reason": "no author has enough rows",
        "size": 1,
        "splits": {},
        "track": "archaic_epic",
    }
    assert "no author has enough rows" in (exported.hub / "README.md").read_text(encoding="utf-8")


def test_a_built_configuration_without_rows_stops_the_export(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build", "update hub.configurations set is_built = true")
    with pytest.raises(ExportError, match="archaic_epic_1: split train has no rows"):
        edition.export(settings)
    assert not settings.hub.exists()


def test_the_manifest_lists_every_row_with_its_sentences(exported: Settings) -> None:
    variants = json.loads((exported.hub / "metadata" / "dataset_variants.json").read_text(encoding="utf-8"))
    for configuration, split, table in tables(exported.hub):
        listed = variants["configurations"][configuration]["splits"][split]
        assert listed["rows"] == table.num_rows
        if configuration.endswith("_1"):
            assert listed["ids"] == table["id"].to_pylist()
        else:
            pairs = zip(table["id"].to_pylist(), table["constituent_ids"].to_pylist(), strict=True)
            assert listed["chunks"] == dict(pairs)


def test_the_report_accounts_for_every_sentence_and_names_absent_files(exported: Settings) -> None:
    report = json.loads((exported.hub / "metadata" / "build_report.json").read_text(encoding="utf-8"))
    sentences = report["sentences"]
    assert sum(sentences["by_fate"].values()) == sentences["supplied"] == 600
    assert sum(sum(fates.values()) for fates in sentences["by_author"].values()) == 600
    assert report["files"]["absent"] == ["gorman/absent.xml"]
    assert report["files"]["differs_from_pin"] == ["gorman/changed.xml"]
    assert report["machine_syntax"]["is_present"] is False
    assert report["writer"]["rows_per_group"] == schema.ROWS_PER_GROUP
    assert 0 < report["writer"]["largest_row"] < report["writer"]["largest_row_group"]


def test_row_groups_have_the_stated_number_of_rows(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build")
    with open_read_only(settings.work_db) as con:
        units = load_units(con)
        plan = next(plan for plan in load_plans(con, units) if plan.configuration == "sentence_1")
    old, schema.ROWS_PER_GROUP = schema.ROWS_PER_GROUP, 100
    try:
        written = write_split(units, plan, tmp_path)
    finally:
        schema.ROWS_PER_GROUP = old
    footer = pq.read_metadata(tmp_path / plan.path)
    groups = [footer.row_group(number).num_rows for number in range(footer.num_row_groups)]
    assert groups == [100] * (plan.rows // 100) + [plan.rows % 100] * bool(plan.rows % 100)
    assert written.rows == plan.rows == sum(groups)


def test_a_row_group_over_the_limit_of_the_viewer_stops_the_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "ROW_GROUP_LIMIT", 1000)
    settings = synthetic(tmp_path / "build")
    with pytest.raises(ExportError, match="lower ROWS_PER_GROUP"):
        edition.export(settings)


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """An edition with a machine layer."""
    settings = synthetic(tmp_path_factory.mktemp("parsed") / "build", *MACHINE)
    edition.export(settings)
    return settings


def test_a_machine_layer_is_nested_like_the_human_one(parsed: Settings) -> None:
    for row in pq.read_table(parsed.hub / schema.data_file("sentence_5", "test")).to_pylist():
        assert len(row["conllu_machine"]) == len(row["text_distorted"]) == len(row["text"])
        for human, machine in zip(row["conllu_human"], row["conllu_machine"], strict=True):
            for mine, theirs in zip(human[0], machine[0], strict=True):
                assert {key: theirs[key] for key in ("id", "form", "lemma", "head")} == {
                    key: mine[key] for key in ("id", "form", "lemma", "head")
                }
                assert theirs["upos"] == ["PROPN", "AUX", "ADJ"][mine["id"] % 3]
    names = {path.name for path in (parsed.hub / "metadata").iterdir()}
    assert "machine_manifest.json" in names


def test_rows_with_a_machine_layer_equal_those_built_from_python_dictionaries(parsed: Settings) -> None:
    found = {(configuration, split): table.to_pylist() for configuration, split, table in tables(parsed.hub)}
    with open_read_only(parsed.work_db) as con:
        for configuration, split, rows in plain_rows(con, ["sentence_1", "work_held_out_10"]):
            assert found[configuration, split] == rows, (configuration, split)


def test_card_report_and_manifest_tell_who_parsed(parsed: Settings, exported: Settings) -> None:
    readme = (parsed.hub / "README.md").read_text(encoding="utf-8")
    assert "This edition has no machine layer" not in readme
    assert "The parse: provider `conllu`;" in readme
    assert "| `gorman` | 2,400 | 83.3 | 83.3 | 83.3 | 83.3 |" in readme
    assert "folds of whole works" not in readme
    report = json.loads((parsed.hub / "metadata" / "build_report.json").read_text(encoding="utf-8"))["machine_syntax"]
    assert (report["is_present"], report["provider"], report["repairs"]) == (True, "conllu", {"extra_root": 2})
    assert report["agreement"]["all"] == {"tokens": 3000, "uas": 0.8, "las": 0.8, "upos": 0.8, "feats": 0.8}
    assert set(report["agreement"]["by_project"]) == {"gorman", "ud_perseus"}
    assert report["folds"] == []
    case = {"machine": 8, "precision": 0.5, "recall": 0.8, "f1": None}
    assert report["agreement"]["by_feature"] == {"Case=Nom": case | {"human": 10}}
    assert report["agreement"]["by_project_and_feature"] == {
        "gorman": {"Case=Nom": case | {"human": 7}},
        "ud_perseus": {"Case=Nom": case | {"human": 3}},
    }
    manifest = json.loads((parsed.hub / "metadata" / "machine_manifest.json").read_text(encoding="utf-8"))
    assert (manifest["artefact_parse_conllu_sha256"], manifest["sentence_ids_and_forms_sha256"]) == ("0f", "1f")
    assert not (parsed.hub / "metadata" / "machine_folds.json").exists()
    assert "**This edition has no machine layer**" in (exported.hub / "README.md").read_text(encoding="utf-8")


def test_the_checksum_of_the_manifest_is_that_of_the_published_trees(parsed: Settings) -> None:
    trees: dict[str, str] = {}
    for path in sorted((parsed.hub / "data").glob("*_1/*.parquet")):
        for row in pq.read_table(path, columns=["id", "conllu_machine"]).to_pylist():
            trees[row["id"]] = render_conllu(row["conllu_machine"][0])
    text = "".join(trees[name] for name in sorted(trees))
    manifest = json.loads((parsed.hub / "metadata" / "machine_manifest.json").read_text(encoding="utf-8"))
    assert manifest["published_conllu_machine_sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_the_card_tells_what_occurs_in_the_machine_layer(parsed: Settings) -> None:
    readme = (parsed.hub / "README.md").read_text(encoding="utf-8")
    assert (
        "What occurs in it: 3 of the 8 classes and 3 of the 6 relations of Universal Dependencies, 1 subtype of "
        "relations, 3 values of features. Not in the human layer are the classes `ADJ`, `AUX`, `PROPN`; the relations "
        "`nsubj`, `vocative`; the features `NumType=Card`." in readme
    )
    _, machine_part = readme.split("## The machine layer")
    assert "| `nsubj:pass` | 600 |" in machine_part
    assert "full inventor" not in readme + (parsed.hub / "croissant.json").read_text(encoding="utf-8")


def test_a_layer_in_the_inventory_of_the_human_one_is_said_to_be_so(tmp_path: Path) -> None:
    settings = synthetic(
        tmp_path / "build",
        *MACHINE,
        "update hub.tokens set machine_upos = upos, machine_deprel = deprel, machine_feats = null",
        "update hub.sentences set text_distorted = ("
        "select string_agg(if(upos = 'ADV', form, upos), ' ' order by token) from hub.tokens "
        "where tokens.id = sentences.id"
        ")",
    )
    edition.export(settings)
    readme = (settings.hub / "README.md").read_text(encoding="utf-8")
    assert "no subtypes of relations, 0 values of features. The human one has all of them." in readme


def test_card_and_report_tell_the_folds(tmp_path: Path) -> None:
    fold = {"fold": 0, "works": ["v", "w"], "sentences": 600, "words": 4200, "withheld_sentences": 3}
    manifest = {
        "provider": "crossfit",
        "model": "m",
        "key": "0123456789abcdef01",
        "folds": [fold | {"training_sentences": 1500, "unpublished_sentences": 20}],
    }
    settings = synthetic(
        tmp_path / "build",
        *MACHINE,
        f"update intermediate.int_machine__manifest set manifest = '{json.dumps(manifest)}'",
        "update intermediate.int_machine__parse set fold = if(id < 's-8', 0, 3)",
    )
    edition.export(settings)
    readme = (settings.hub / "README.md").read_text(encoding="utf-8")
    assert "in 1 folds of whole works: **no sentence is parsed by a model that has seen its work**" in readme
    assert "| 0 | 2 | 600 | 4,200 | 1,500 | 20 | 3 |" in readme
    report = json.loads((settings.hub / "metadata" / "build_report.json").read_text(encoding="utf-8"))
    assert report["machine_syntax"]["folds"] == manifest["folds"]
    folds = json.loads((settings.hub / "metadata" / "machine_folds.json").read_text(encoding="utf-8"))
    with open_read_only(settings.work_db) as con:
        ids = [name for (name,) in con.execute("select id from hub.sentences order by id").fetchall()]
    assert folds == {"0": [name for name in ids if name < "s-8"], "3": [name for name in ids if name >= "s-8"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("update hub.tokens set machine_head = null where token = 2", "the machine layer lacks machine_head of"),
        ("update hub.tokens set machine_upos = null where token = 2", "the machine layer lacks machine_upos of"),
        ("update hub.tokens set machine_deprel = null", "the machine layer lacks machine_deprel of"),
        ("update hub.sentences set text_distorted = null where sentence_number = 2", "1 rows without text_distorted"),
        ("alter table hub.sentences drop column text_distorted", "has no column text_distorted"),
        ("delete from intermediate.int_machine__manifest", "has a machine layer, and .* has 0 rows"),
        (
            "update intermediate.int_machine__manifest set manifest = replace(manifest, '\"0123', '\"f123')",
            "is of the parse f123456789abcdef, expected intermediate.int_machine__parse .* found 0123456789abcdef",
        ),
        (
            "update hub.tokens set machine_artefact = 'f' where token = 1",
            "expected hub.tokens to be of the same, found 0123456789abcdef, f: a part of the models was built alone",
        ),
        ("update hub.tokens set machine_artefact = null", "expected hub.tokens to be of the same, found None"),
        ("alter table hub.tokens drop column machine_artefact", "found no such column"),
        (
            "update hub.tokens set machine_upos = null, machine_head = null, machine_deprel = null",
            "0 rows without text_distorted, but the tokens have no machine layer",
        ),
    ],
)
def test_a_machine_layer_that_is_not_whole_stops_the_export(change: str, message: str, tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build", *MACHINE, change)
    with pytest.raises(ExportError, match=message):
        edition.export(settings)
    assert not settings.hub.exists()


def test_a_machine_layer_of_nulls_is_none(exported: Settings, tmp_path: Path) -> None:
    settings = synthetic(
        tmp_path / "build",
        *MACHINE,
        "update hub.tokens set machine_upos = null, machine_feats = null, machine_head = null, machine_deprel = null",
        "update hub.sentences set text_distorted = null",
        "delete from intermediate.int_machine__manifest",
    )
    edition.export(settings)
    assert (settings.hub / "SHA256SUMS").read_bytes() == (exported.hub / "SHA256SUMS").read_bytes()


def test_the_card_resolves_to_the_files_and_their_features(exported: Settings) -> None:
    _, front, _ = (exported.hub / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    meta = yaml.safe_load(front)
    names = [config["config_name"] for config in meta["configs"]]
    assert names == [info["config_name"] for info in meta["dataset_info"]]
    assert [name for config in meta["configs"] if config.get("default") for name in [config["config_name"]]] == [
        DEFAULT
    ]
    for config, info in zip(meta["configs"], meta["dataset_info"], strict=True):
        assert [file["split"] for file in config["data_files"]] == list(schema.SPLITS)
        label = next(feature for feature in info["features"] if feature["name"] == "author")
        names = label["dtype"]["class_label"]["names"]
        for file in config["data_files"]:
            found = pq.read_table(exported.hub / file["path"], columns=["author"])
            assert found.schema.field("author").type == pa.string(), "the files have the name, whoever reads them"
            assert set(found["author"].to_pylist()) <= set(names.values())
    assert meta["language"] == ["grc"]
    assert (exported.hub / meta["license_link"]).is_file()


def test_the_card_states_the_known_limits(exported: Settings) -> None:
    text = (exported.hub / "README.md").read_text(encoding="utf-8")
    assert "share fewer, and can stand in train and in test: no rule here removes them" in text
    assert "Enhanced dependencies (DEPS), XPOS and MISC are not published" in text
    assert "gorman/absent.xml" in text
    assert "one work only" in text


def test_the_yaml_of_the_features_is_that_of_the_library() -> None:
    datasets = pytest.importorskip("datasets")
    for chunked in (False, True):
        for held_out in (False, True):
            published = schema.schema_of(chunked=chunked, held_out=held_out)
            mine = [card.named_feature(field.name, field.type) for field in published]
            features = datasets.Features.from_arrow_schema(published)
            assert mine == features._to_yaml_list()
            assert datasets.Features._from_yaml_list(mine) == features


def load_everything(folder: Path, cache: Path) -> dict[str, dict[str, int]]:
    """Load all configurations of a folder as a stranger would, in a fresh process without network."""
    script = """
import json, sys, yaml, datasets
datasets.disable_progress_bars()
folder, cache = sys.argv[1:]
front = open(folder + "/README.md", encoding="utf-8").read().split("---\\n", 2)[1]
found = {}
for info in yaml.safe_load(front)["dataset_info"]:
    name = info["config_name"]
    loaded = datasets.load_dataset(folder, name, cache_dir=cache)
    declared = datasets.Features._from_yaml_list(info["features"])
    for split, rows in loaded.items():
        assert rows.features == declared, (name, split)
        row = rows[0]
        assert isinstance(row["conllu_human"][0][0][0]["form"], str)
    found[name] = {split: rows.num_rows for split, rows in loaded.items()}
    loaded.cleanup_cache_files()
print(json.dumps(found))
"""
    environment = os.environ | {
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(cache / "home"),
        "HF_DATASETS_CACHE": str(cache / "datasets"),
        # Whatever tries to reach the network fails at once.
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
    }
    finished = subprocess.run(
        [sys.executable, "-c", script, str(folder), str(cache / "datasets")],
        env=environment,
        text=True,
        capture_output=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    loaded: dict[str, dict[str, int]] = json.loads(finished.stdout.splitlines()[-1])
    return loaded


def test_an_edition_of_equal_size_is_not_taken_from_the_cache_of_the_last(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    settings = synthetic(tmp_path / "build", "update hub.sentences set work = 'Title 1'")
    edition.export(settings)
    first = settings.current.resolve()
    sizes = [path.stat().st_size for path in sorted(settings.hub.glob("data/*/*.parquet"))]
    script = """
import sys, datasets
datasets.disable_progress_bars()
for _ in sys.stdin:
    rows = datasets.load_dataset(sys.argv[1], "sentence_1", split="test", cache_dir=sys.argv[2])
    print(*sorted(set(rows["work"])), flush=True)
"""
    arguments = [sys.executable, "-c", script, str(settings.hub), str(tmp_path / "cache")]
    with subprocess.Popen(
        arguments,
        env=os.environ | {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as reader:
        assert reader.stdin is not None and reader.stdout is not None
        print("load", file=reader.stdin, flush=True)
        assert reader.stdout.readline().strip() == "Title 1"
        with duckdb.connect(str(settings.work_db)) as con:
            con.execute("update hub.sentences set work = 'Title 2'")
        edition.export(settings)
        assert settings.current.resolve() != first
        assert [path.stat().st_size for path in sorted(settings.hub.glob("data/*/*.parquet"))] == sizes
        print("load", file=reader.stdin, flush=True)
        assert reader.stdout.readline().strip() == "Title 2"
        reader.stdin.close()


def written_rows(folder: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for path in sorted(folder.glob("data/*/*.parquet")):
        found.setdefault(path.parent.name, {})[path.name.partition("-")[0]] = pq.read_metadata(path).num_rows
    return found


def test_every_configuration_loads_with_the_declared_features(exported: Settings, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    assert load_everything(exported.hub, tmp_path) == written_rows(exported.hub)


def test_all_24_configurations_of_the_sample_load(sample_build: Any, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    loaded = load_everything(sample_build.hub, tmp_path)
    assert loaded == written_rows(sample_build.hub)
    assert len(loaded) == 24
    assert all(set(splits) == set(schema.SPLITS) and all(splits.values()) for splits in loaded.values())


@pytest.mark.real
def test_every_configuration_of_the_real_input_loads(real_build: Any, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    loaded = load_everything(real_build.hub, tmp_path)
    assert loaded == written_rows(real_build.hub)
    assert {"sentence_1", "sentence_5", "sentence_10"} <= set(loaded)


@pytest.mark.real
def test_the_real_edition_is_valid(real_build: Any) -> None:
    with open_read_only(real_build.db) as con:
        inventories = validation.load_inventories(con)
    assert validation.validate_folder(real_build.hub, inventories) > 0


def test_everything_made_from_the_sample_says_so(tmp_path: Path) -> None:
    settings = synthetic(tmp_path / "build", "update raw.source set kind = 'sample'")
    summary = edition.export(settings)
    readme = (settings.hub / "README.md").read_text(encoding="utf-8")
    assert "pretty_name: Sphragis (sample)" in readme
    assert "# Sphragis (sample)" in readme
    assert "This is a sample." in readme
    for name in ("build_report", "source_revisions"):
        assert json.loads((settings.hub / "metadata" / f"{name}.json").read_text())["input"] == "sample"
    assert "sample" in json.loads((settings.hub / "croissant.json").read_text())["name"]
    assert edition.report(summary).startswith("This is the bundled SAMPLE")


def test_croissant_validates_and_its_records_can_be_read(exported: Settings) -> None:
    pytest.importorskip("mlcroissant")
    import mlcroissant

    from exports.about import croissant

    path = exported.hub / "croissant.json"
    assert croissant.validate(path) == []
    description = json.loads(path.read_text(encoding="utf-8"))
    assert {record["@id"] for record in description["recordSet"]} == {"splits", *written_rows(exported.hub)}
    read = mlcroissant.Dataset(str(path))
    assert [row["splits/name"] for row in read.records("splits")] == list(schema.SPLITS)
    assert read.metadata.ctx.issues.warnings == set(), "not even a date is missed"
    record = next(iter(mlcroissant.Dataset(str(path)).records("sentence_1")))
    assert record["sentence_1/text"][0].decode().split()
    assert record["sentence_1/conllu_human"][0]["sentence_1/conllu_human/form"]


def test_a_croissant_description_with_a_fault_is_found(exported: Settings, tmp_path: Path) -> None:
    pytest.importorskip("mlcroissant")
    from exports.about import croissant

    description = json.loads((exported.hub / "croissant.json").read_text(encoding="utf-8"))
    del next(item for item in description["distribution"] if item["@type"] == "cr:FileObject")["sha256"]
    (tmp_path / "croissant.json").write_text(json.dumps(description))
    assert croissant.validate(tmp_path / "croissant.json")
