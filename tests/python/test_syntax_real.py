"""What the conversion has to reach on the real input."""

from __future__ import annotations

import pytest
from conftest import Build, connection

pytestmark = pytest.mark.real

NATIVE = ("agdt", "gorman", "harrington", "pedalion")
LEAST_AGREEMENT = {
    "head": 0.995,
    "head_coordinators_first_side": 0.95,
    "deprel": 0.98,
    "upos": 0.999,
    "feats": 0.999,
    "full_relation": 0.93,
    "full_upos_without_proper_nouns": 0.97,
    "full_feats": 0.999,
}


def test_sentences_of_agdt_and_ud_perseus_agree(real_build: Build) -> None:
    with connection(real_build.db) as warehouse:
        measured = warehouse.execute(
            "select measure, share, sentences from audit.conversion_agreement "
            "where project = 'agdt' and other_project = 'ud_perseus'"
        ).fetchall()
    shares = {measure: share for measure, share, _ in measured}
    assert {sentences for _, _, sentences in measured} == {2441}
    assert {measure: shares[measure] >= least for measure, least in LEAST_AGREEMENT.items()} == dict.fromkeys(
        LEAST_AGREEMENT, True
    )


def test_no_function_word_of_a_native_project_has_dependents(real_build: Build) -> None:
    with connection(real_build.db) as warehouse:
        found = warehouse.execute(
            "select project, function_words_with_dependents from audit.conversion_changes"
        ).fetchall()
    assert {project: count for project, count in found if project in NATIVE} == dict.fromkeys(NATIVE, 0)


def test_every_sentence_with_a_word_is_one_tree(real_build: Build) -> None:
    with connection(real_build.db) as warehouse:
        [(sentences, roots)] = warehouse.execute(
            "select count(distinct sentence_id) filter (where token_index is not null), "
            "count(*) filter (where head = 0) from corpus.tokens"
        ).fetchall()
    assert sentences == roots == 88275


def test_shifted_annotation_of_the_memorabilia_is_listed(real_build: Build) -> None:
    with connection(real_build.db) as warehouse:
        found = warehouse.execute(
            "select distinct sentence_id from audit.shifted_annotations "
            "where findings_in_sentence >= 3 and project = 'pedalion' order by sentence_id"
        ).fetchall()
    assert [name for (name,) in found] == [
        f"pedalion/public/xml/xenmem.xml#{position}" for position in (168, 38, 667, 777)
    ]
