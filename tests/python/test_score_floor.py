"""The floor is one: the baseline `markup` and the leakage audit count the same, and one classifier gives both."""

from __future__ import annotations

import doctest
import json

import numpy as np
import pytest
from conftest import Build, connection

from exports.leakage.markup import load_markup, load_rows
from score.baselines import markup
from score.baselines.material import Material
from score.baselines.run import run_one
from score.core.edition import open_edition

INPUTS = {"human": "conllu_human", "machine": "conllu_machine"}


@pytest.mark.parametrize("layer", INPUTS)
def test_the_dataset_has_the_counts_of_the_warehouse(sample_build: Build, layer: str) -> None:
    material = Material(open_edition(sample_build.hub), "sentence_1")
    features, counts = markup.markup_counts(material.tokens(INPUTS[layer]), len(material.ids))
    with connection(sample_build.work_db) as con:
        known = load_markup(con, layer)
        assert known is not None
        by_split = load_rows(con, known, "sentence_1")
    order = np.argsort(np.array(material.ids))
    places = {name: place for place, name in zip(order, np.array(material.ids)[order], strict=True)}
    for split in by_split.values():
        mine = counts[[places[name] for name in split.ids]]
        theirs = known.counts[split.members[:, 0]]
        extra = [place for place, feature in enumerate(known.features) if feature not in features]
        shared = [place for place, feature in enumerate(known.features) if feature in features]
        # What no published sentence has is in second annotations only.
        assert not theirs[:, extra].any()
        columns = [features.index(known.features[place]) for place in shared]
        assert set(columns) == set(range(len(features)))
        assert np.array_equal(mine[:, columns], theirs[:, shared])


@pytest.mark.parametrize("column", INPUTS.values())
@pytest.mark.parametrize("configuration", ["sentence_10", "work_held_out_10", "attic_orators_5"])
def test_the_baseline_predicts_what_the_audit_has_published(
    sample_build: Build, configuration: str, column: str
) -> None:
    path = sample_build.hub / "metadata" / "leakage" / f"{configuration}.test.{column}.jsonl"
    published = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    made = run_one(sample_build.hub, "markup", configuration, column, "test").splitlines()[1:]
    predicted = [json.loads(line) for line in made]
    assert [(line["id"], line["author"]) for line in predicted] == [(line["id"], line["author"]) for line in published]


def test_examples_in_docstrings() -> None:
    assert doctest.testmod(markup).failed == 0
