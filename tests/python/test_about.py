"""Card, licence page, manifests and reports as pure functions of a small record that is written here by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
import yaml

from exports.about import build_report, card, croissant, dedup_report, licences, machine_report, manifests, record
from exports.about.read import read, table, typed
from exports.about.record import About, Made
from exports.about.template import render_template
from exports.dataset.files import Written
from exports.dataset.plans import Plan
from exports.dataset.schema import SPLITS, data_file
from exports.warehouse import ExportError
from runtime.checkout import project_root

RULES = yaml.safe_load((project_root(ExportError) / "dbt_project.yml").read_text(encoding="utf-8"))["vars"]


def plan(configuration: str, size: int, names: list[str], members: list[int]) -> Plan:
    return Plan(
        configuration,
        configuration.rpartition("_")[0],
        size,
        "train",
        pa.array(names),
        pa.array(["Author"] * len(names)),
        np.array(members),
        np.arange(len(names) + 1) * size,
        pa.array([False] * len(names)),
        {},
    )


def made(**changes: Any) -> Made:
    """Two sentences in one configuration of one and one of two sentences."""
    written = [
        Written(
            name,
            split,
            data_file(name, split),
            rows,
            bytes=10,
            memory=20,
            largest_row=rows,
            largest_row_id="s-1",
            sha256="0" * 64,
        )
        for name, rows in (("sentence_1", 2), ("sentence_2", 1))
        for split in SPLITS
    ]
    plans = [plan("sentence_1", 1, ["s-1", "s-2"], [0, 1]), plan("sentence_2", 2, ["chunk"], [1, 0])]
    return replace(Made(["s-1", "s-2"], plans, written, validated=2), **changes)


def about(**changes: Any) -> About:
    """An edition of two sentences by one author; nothing was absent, removed or parsed."""
    project = record.Project(
        "gorman",
        "owner/gorman",
        "d823e96d253277bc",
        "2022-08-15",
        "xml",
        "prague",
        "CC BY-SA 4.0",
        "by-sa",
        "Some|body",
    )
    author = record.TrackAuthor(
        "sentence", "Author", 1234, 1200, 20, 10, 4, 1, [], ["gorman", "agdt"], *(None,) * 6
    )  # fmt: skip
    whole = About(
        version="1.0",
        fingerprint="0123456789abcdef",
        libraries={"duckdb": "2"},
        variables=RULES,
        input="folder",
        creators=["The Sphragis authors"],
        url=None,
        made=made(),
        totals=record.Totals(1, 9, 9, 0, 3, 2, 12345, 7, 5, 0, 0, 0, 0),
        projects=[project],
        files=[record.SourceFile("gorman", "a.xml", "read", 3, "aa", False)],
        configurations=[
            record.Configuration("sentence_1", "sentence", 1, True, None),
            record.Configuration("sentence_2", "sentence", 2, True, None),
        ],
        tracks=[record.Track("sentence", "All authors", "main", True, None, 1)],
        authors=[author],
        authors_apart=[],
        doublets=[],
        passage_notes=[],
        absent_authors=[],
        author_labels=[record.AuthorLabel("Author", "author")],
        fates=[record.FateCount("all", "all", "corrupt", 1), record.FateCount("all", "all", "published", 2)],
        fate_examples=[],
        deduplication=[record.Deduplication("all", "all", 3, 3, 0, 0, 0, 0, 0, 0, 1, 2)],
        pairs=[],
        repetitions=[],
        conflicts=[],
        minhash=[],
        annotation=[],
        file_annotation=[],
        flags=[],
        rejects=[],
        labels=[
            record.Label("human", "upos", "NOUN", 9, []),
            record.Label("human", "feature", "Case", 9, ["Acc", "Nom"]),
        ],
        layer_inventories=[],
        agreement=[],
        feature_agreement=[],
        fold_sentences=[],
        licences=[record.LicenceCount("CC BY-SA 4.0", 1234)],
        benchmark={name: [] for name in (*build_report.BENCHMARK_PARTS, "split_remainders")},
    )
    return replace(whole, **changes)


def parsed(**manifest: Any) -> About:
    """The same with a machine layer that has one class and one relation of its own."""
    return about(
        made=made(parse={"provider": "conllu", "model": None, **manifest}),
        labels=[record.Label("machine", "deprel", "nsubj:pass", 4, [])],
        layer_inventories=[
            record.LayerInventory("classes", 3, 17, 0, ["PROPN"]),
            record.LayerInventory("features", 0, 30, 0, []),
            record.LayerInventory("relations", 2, 37, 1, ["nsubj"]),
        ],
        agreement=[
            record.Agreement(scope, value, measure, 100, 0.875)
            for scope, value in (("all", "all"), ("project", "gorman"), ("work", "w"))
            for measure in ("feats", "las", "uas", "upos")
        ],
        feature_agreement=[record.FeatureAgreement("all", "all", "Case=Nom", 2, 0, None, 0.0, 0.123456789)],
    )


def test_numbers_of_the_card_are_those_of_the_record() -> None:
    text = card.render(about())
    assert "This edition has 2 distinct sentences with 12,345 words, in 2 configurations." in text
    assert "| `sentence_1` | 1 | 2 | 2 | 2 | 2 |\n| `sentence_2` | 1 | 1 | 1 | 1 | 1 |\n" in text
    assert "| Author | 1,234 | 1,200 | 20 | 10 | 4 | 1 |  | gorman, agdt |\n" in text
    assert "| fate | sentences |\n|---|---|\n| published | 2 |\n| corrupt | 1 |\n\n## Columns" in text
    assert "| `Case` | Acc, Nom | 9 |" in text
    assert r"Some\|body" in text
    assert "seed 917" in text and "at least 100 train, 50 validation, 10 validation2, 50 test rows" in text
    assert "(version 1.0, edition 0123456789abcdef)" in text


def test_what_an_edition_does_not_have_leaves_no_empty_part() -> None:
    text = card.render(about())
    absent_parts = (
        *("This is a sample", "Not built:", "## Held-out works", "Files of the pinned", "Labels of a corpus"),
        *("## Baselines on", "Doublets", "Disputed", "**Analyses.**", "Annotators in common", "What the markup tells"),
    )
    for absent in absent_parts:
        assert absent not in text
    assert "**This edition has no machine layer**" in text
    assert "\n\n\n" not in text.split("---\n", 2)[2].lstrip("\n")
    assert "This edition stores no baselines: `sphragis baseline --all` makes them" in text


def test_what_an_edition_has_is_named() -> None:
    held_out = replace(
        about().authors[0],
        track="work_held_out",
        held_out_work="w",
        held_out_work_title="Work",
        held_out_genre="epic",
        held_out_group="rival",
    )
    spared = replace(held_out, author="Other", held_out_validation_work="v", held_out_validation_work_title="Second")
    text = card.render(
        about(
            input="sample",
            tracks=[*about().tracks, record.Track("epic", "Epic", "one genre", False, "no author", 0)],
            authors=[held_out, spared],
            authors_apart=[record.AuthorApart("work_held_out", "Other", ["A (& B)", "C"], [])],
            doublets=[
                record.Doublet("work_held_out", "Other", "Test", "3", "6", 9, "Second", "14", "14", 2, "a verdict")
            ],
            passage_notes=[
                record.PassageNote("Poet", "w", "Epic", "Epic 10 (an addition)", 1234),
                record.PassageNote("Poet", "w", "Epic", "Epic 12", 1),
            ],
            absent_authors=[record.AbsentAuthor("work_held_out", "Third", "one work only")],
            author_labels=[record.AuthorLabel("Homeric-Iliad", "corpus")],
            files=[record.SourceFile("gorman", "b.xml", "absent", None, None, False)],
        )
    )
    assert "# Sphragis (sample)\n\n> **This is a sample.**" in text
    assert "Not built:\n\n| track | reason |\n|---|---|\n| `epic` | no author |\n\n## Score" in text
    assert "| Author | Work (`w`) | epic | rival | 4 | drawn from the training works | 1,234 |\n" in text
    assert "| Other | Work (`w`) | epic | rival | 4 | Second (`v`) | 1,234 |\n\nOf these authors nobody" in text
    assert "| `work_held_out` | Other | A (& B); C | nobody named |\n\nWhere an author says nearly the same" in text
    assert (
        "- `work_held_out`, Other: Test 3-6 (9 of the test sentences) and Second 14 (2 of the training sentences): "
        "a verdict.\n\nAuthors who are not on a track:"
    ) in text
    assert "a training work: Other, Test 3-6 and Second 14 (`work_held_out`). Repetitions" in text
    assert "these rows too: Poet, Epic 10 (an addition), 1,234 sentences; Poet, Epic 12, 1 sentence.\n" in text
    assert "| `work_held_out` | Third | one work only |\n\n## Trees" in text
    assert "both the test work and a training work of Other (`work_held_out`): a model cannot" in text
    assert "this build did not have: `gorman/b.xml`.\n\n## Columns" in text
    assert "- Labels of a corpus, without a claim about one poet: Homeric-Iliad.\n\n## Baselines" in text


def leakage(layer: str, accuracy: float) -> dict[str, Any]:
    """A report of the leakage audit, as far as the card has it."""
    test = {"test": {"accuracy": accuracy, "macro_f1": accuracy}}
    return {
        "input": f"conllu_{layer}",
        "settings": {"block": 10},
        "authors": {f"sentence_{size}": {"majority": test, "length": test, "markup": test} for size in (1, 2, 10)},
        "information": [{"category": "deprel", "bits_per_word": 0.0125, "words": 9}],
        "doubly_annotated": [{"side_by_side": share} for share in (1.0, accuracy)],
        "variation": [
            {
                "feature_group": "upos",
                "feature": f"F{place}",
                "project_spread": place + 1.5,
                "author_spread": 4.0,
                "annotation_difference": None,
                "ratio": (place + 1.5) / 4,
                "verdict": "published",
            }
            for place in range(9)
        ],
        "project_within_author": [
            {"author": "Author", "projects": ["agdt", "gorman"], "accuracy": accuracy, "halves": [0.5, None]}
        ],
    }


def test_the_card_tells_what_the_markup_tells() -> None:
    shapes = [*about().configurations, replace(about().configurations[0], configuration="sentence_10", size=10)]
    reports = [leakage("human", 0.75), leakage("machine", 0.5)]
    written = [replace(split, configuration="sentence_10") for split in made().written[:4]]
    text = card.render(about(configurations=shapes, made=made(leakage=reports, written=[*made().written, *written])))
    assert (
        "| configuration | majority | length | `conllu_human` | `conllu_machine` |\n|---|---|---|---|---|\n"
        "| `sentence_1` | 75.0 | 75.0 | 75.0 | 50.0 |\n| `sentence_2` | 75.0 | 75.0 | 75.0 | 50.0 |\n"
        "| `sentence_10` | 75.0 | 75.0 | 75.0 | 50.0 |\n\nHow much of it is the project" in text
    )
    assert (
        "| author | projects | `conllu_human` | `conllu_machine` | halves of each |\n|---|---|---|---|---|\n"
        "| Author | agdt, gorman | 75.0 | 50.0 | 50.0, too few |\n\n![Spread" in text
    )
    assert "by `deprel` (12.5), in thousandths of a bit" in text
    assert "in 75.0 to 100.0 per cent of the blocks" in text
    assert "| upos | F8 | 9.50 | 4.00 | 2.38 |  |\n| upos | F7 |" in text
    assert "| upos | F2 |" not in text, "what tells less of annotators than of authors is not listed"


def test_the_card_tells_who_parsed_and_what_occurs() -> None:
    text = card.render(parsed())
    assert "The parse: provider `conllu`; " in text
    assert (
        "3 of the 17 classes and 2 of the 37 relations of Universal Dependencies, 1 subtype of relations, 0 values of "
        "features. Not in the human layer are the classes `PROPN`; the relations `nsubj`.\n\n| upos" in text
    )
    assert "| all | 100 | 87.5 | 87.5 | 87.5 | 87.5 |\n| `gorman` | 100 | 87.5 | 87.5 | 87.5 | 87.5 |\n" in text
    assert "folds of whole works" not in text and "Manual audits" not in text


def test_the_card_tells_folds_and_audits() -> None:
    fold = {
        "fold": 0,
        "works": ["v"],
        "sentences": 1,
        "words": 2000,
        "training_sentences": 3,
        "unpublished_sentences": 1,
        "withheld_sentences": 4,
    }
    audit = {
        "name": "a",
        "sentences": 5,
        "tokens": 60,
        "uas": 0.5,
        "las": None,
        "upos_accuracy": 1,
        "feats_micro_f1": 0.25,
    }
    whole = parsed(folds=[fold])
    one, two = (card.render(replace(whole, made=replace(whole.made, audits=[audit] * count))) for count in (1, 2))
    assert "| 0 | 1 | 1 | 2,000 | 3 | 1 | 4 |\n\nAgreement" in one
    assert "| `a` | 5 | 60 | 50.0 |  | 100.0 | 25.0 |\n" in one
    assert "has all figures.\n" in one
    assert "has all figures, `metadata/machine_syntax_audit_agreement.json` how far the two audits agree" in two


def test_the_front_matter_names_files_rows_and_bytes() -> None:
    front = card.front_matter(about())
    assert front["configs"][0] == {
        "config_name": "sentence_1",
        "data_files": [{"split": split, "path": data_file("sentence_1", split)} for split in SPLITS],
        "default": True,
    }
    label = {"name": "author", "dtype": {"class_label": {"names": {"0": "Author"}}}}
    assert front["dataset_info"][1]["features"][1] == label
    assert front["dataset_info"][1]["description"].endswith("edition 0123456789abcdef")
    first, second = (info["features"] for info in front["dataset_info"])
    assert first[0] is second[0] and first[1] is second[1], "what configurations share is written once"
    assert front["size_categories"] == ["n<1K"]
    assert "sample" not in front["tags"] and "sample" in card.front_matter(about(input="sample"))["tags"]


def test_a_value_that_a_template_does_not_get_is_an_error() -> None:
    import jinja2

    with pytest.raises(jinja2.UndefinedError):
        render_template("inventory.md.jinja")


def test_the_licence_page_counts_where_there_is_an_edition() -> None:
    counted = licences.render(about().projects, about().licences)
    assert "counts for each):\n\n| licence | sentences |\n|---|---|\n| CC BY-SA 4.0 | 1,234 |\n\n## What" in counted
    assert "at `d823e96d2532` | [CC BY-SA 4.0](by-sa) |" in counted
    assert "| licence | sentences |" not in licences.render(about().projects)


def test_the_manifest_of_variants_has_rows_and_constituents() -> None:
    found = manifests.dataset_variants(about(benchmark={"split_remainders": [{"published_id": "s-3"}]}))
    assert found["configurations"]["sentence_1"]["splits"]["train"] == {"rows": 2, "ids": ["s-1", "s-2"]}
    assert found["configurations"]["sentence_2"]["splits"]["train"] == {"rows": 1, "chunks": {"chunk": ["s-2", "s-1"]}}
    assert found["excluded"] == [{"published_id": "s-3"}]


def test_the_manifest_of_revisions_tells_absent_and_differing_files() -> None:
    files = [
        record.SourceFile("gorman", "a.xml", "read", 3, "aa", True),
        record.SourceFile("gorman", "b.xml", "absent", None, None, False),
    ]
    found = manifests.source_revisions(about(files=files))["projects"]["gorman"]
    assert found["files"] == {"a.xml": {"sha256": "aa", "bytes": 3, "status": "read"}}
    assert (found["absent"], found["differs_from_pin"]) == (["b.xml"], ["a.xml"])


def test_the_report_nests_counts_by_what_they_are_about() -> None:
    found = build_report.report(
        about(
            fates=[
                record.FateCount("all", "all", "published", 2),
                record.FateCount("author", "(none)", "skipped_document", 1),
                record.FateCount("project", "gorman", "published", 2),
            ],
            fate_examples=[
                record.FateExample("corrupt", 1, 2, "g/a#1", "A", "text", None, None, "why"),
                record.FateExample("corrupt", None, 1, "g/a#2", "A", "other", "g/a#3", "third", "why"),
            ],
            rejects=[record.RejectCount("gorman", "a head", "nothing", 4)],
            annotation=[record.ProjectAnnotation("gorman", 3, 1, 1 / 3, 6, 1.0, 2 / 3, 0.5, 1.0)],
            file_annotation=[
                record.FileAnnotation("gorman", "a.xml", 3, 1),
                record.FileAnnotation("gorman", "b.xml", 2, 0),
            ],
            flags=[record.FlagCount("gorman", "control", 1)],
        )
    )
    assert found["sentences"]["by_author"] == {"(none)": {"skipped_document": 1}}
    assert found["sentences"]["by_project"] == {"gorman": {"published": 2}}
    assert found["sentences"]["examples"] == {
        "corrupt": [{"sentence_id": "g/a#1", "author": "A", "survivor_id": None, "reason": "why"}]
    }
    assert [row["sentence_id"] for row in found["deduplication"]["examples"]["corrupt"]] == ["g/a#2", "g/a#1"]
    assert found["deduplication"]["examples"]["corrupt"][0]["survivor_text"] == "third"
    assert found["rejects"] == {"gorman": {"a head": {"nothing": 4}}}
    assert found["annotation"]["by_project"]["gorman"]["share_of_unannotated_sentences"] == 0.333333
    assert found["annotation"]["files_with_unannotated_sentences"] == {
        "gorman/a.xml": {"unannotated": 1, "sentences": 3}
    }
    assert found["annotation"]["flagged_sentences"] == {"gorman": {"control": 1}}
    assert found["configurations"]["sentence_2"] == {
        "rows": dict.fromkeys(SPLITS, 1),
        "bytes": 40,
        "largest_row": {"bytes": 1, "id": "s-1"},
    }
    assert found["machine_syntax"] == {"is_present": False, "provider": "none"}
    assert json.loads(json.dumps(found)) == found


def test_the_report_about_deduplication_names_pairs_and_conflicts() -> None:
    found = dedup_report.report(
        about(
            pairs=[
                record.PairCount("kept_same_project", "gorman", "gorman", 5),
                record.PairCount("kept_same_project", None, None, 5),
                record.PairCount("one_removed", "agdt", "gorman", 2),
                record.PairCount("one_removed", None, None, 2),
            ],
            conflicts=[record.ConflictCount(["A", str(number)], 20 - number, 40) for number in range(12)],
            deduplication=[
                *about().deduplication,
                record.Deduplication("author", "A", 3, 3, 0, 0, 0, 0, 0, 0, 1, 2),
            ],
        )
    )
    assert found["pairs"] == {
        "counted": 7,
        "by_decision": {"kept_same_project": 5, "one_removed": 2},
        "near_duplicates_by_projects": [{"project": "agdt", "other_project": "gorman", "pairs": 2}],
    }
    assert len(found["author_conflicts"]["most_frequent"]) == 10
    assert found["by_author"]["A"] == {"curated": 3, "entered": 2} | dict.fromkeys(dedup_report.RULES, 0) | {
        "corrupt": 1
    }
    assert found["by_project"] == {}


def test_the_report_about_the_machine_layer_rounds_shares() -> None:
    found = machine_report.report(parsed(repairs={"extra_root": 2}))
    assert found["agreement"]["all"] == {"tokens": 100, "uas": 0.875, "las": 0.875, "upos": 0.875, "feats": 0.875}
    assert set(found["agreement"]["by_project"]) == {"gorman"}
    assert found["agreement"]["by_feature"] == {
        "Case=Nom": {"human": 2, "machine": 0, "precision": None, "recall": 0.0, "f1": 0.123457}
    }
    assert (found["repairs"], found["folds"], found["audits"]) == ({"extra_root": 2}, [], [])


def test_the_croissant_description_has_every_file_with_its_checksum() -> None:
    found = croissant.describe(about(input="sample"))
    assert (found["datePublished"], "url" in found) == ("2022-08-15", False)
    assert found["creator"] == [{"@type": "sc:Organization", "name": "The Sphragis authors"}]
    assert croissant.describe(about(url="https://example.org/sphragis"))["url"] == "https://example.org/sphragis"
    fields = {field["name"]: field for field in found["recordSet"][1]["field"]}
    assert fields["author"]["dataType"] == ["sc:Text", "cr:Label"]
    assert fields["split"]["references"] == {"field": {"@id": "splits/name"}}
    files = [item for item in found["distribution"] if item["@type"] == "cr:FileObject"]
    assert [item["contentUrl"] for item in files] == sorted(made().checksums)
    assert found["description"].startswith("A sample, not the treebanks. ")
    assert (found["name"], found["license"]) == ("Sphragis (sample)", ["by-sa"])


def test_a_model_that_was_not_built_is_told(tmp_path: Path) -> None:
    with duckdb.connect() as con, pytest.raises(ExportError, match=r"has no audit.edition: run `dbt build`"):
        table(con, record.Totals)
    with duckdb.connect() as con, pytest.raises(ExportError, match=r"has no benchmark.tracks"):
        read(con, made())
    with pytest.raises(ExportError, match=r"hub.licences has no column sentences"):
        typed(record.LicenceCount, [{"licence": "a"}])


def test_nothing_that_is_written_asks_the_warehouse() -> None:
    """Only the reader holds a connection, and it takes whole tables."""
    folder = project_root(ExportError) / "exports" / "about"
    asking = {path.name for path in folder.glob("*.py") if re.search(r"\bcon\b", path.read_text(encoding="utf-8"))}
    assert asking == {"read.py"}
    queries = re.findall(r"execute\((.*)\)", (folder / "read.py").read_text(encoding="utf-8"))
    assert queries == ['f"select * from {relation} order by {key}"']
