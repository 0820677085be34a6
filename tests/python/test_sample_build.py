"""The bundled sample in the pipeline: every fate and every configuration."""

from __future__ import annotations

from conftest import Build, connection

from ingest.sample import constructions

FATES = {
    "published",
    "remainder",
    "author_below_threshold",
    "corrupt",
    "fragment",
    "near_duplicate",
    "quotation",
    "author_conflict",
    "exact_duplicate",
    "excluded_work",
    "skipped_document",
    "no_words",
}


def test_every_fate_occurs(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        found = {row[0] for row in con.sql("select distinct fate from corpus.sentence_fates").fetchall()}
    assert found == FATES


def test_all_configurations_have_rows_in_every_split(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        rows = con.sql("select configuration, split, count(*) from hub.rows group by all").fetchall()
    counts = {(configuration, split): count for configuration, split, count in rows}
    assert len({configuration for configuration, _ in counts}) == 24
    assert len(counts) == 24 * 4


EXPECTED = {
    "author-conflict": {"author_conflict"},
    "beta-code": {"corrupt"},
    "corrupt-fragment": {"corrupt"},
    "formula-inside-a-project": {"published", "remainder"},
    "fragment": {"fragment"},
    "gap-only": {"no_words"},
    "glued-mark": {"corrupt"},
    "language-mixed-letters": {"corrupt"},
    "latin-document": {"skipped_document"},
    "no-words": {"no_words"},
    "no-words-latin": {"no_words"},
    "quotation": {"quotation"},
    "range": {"excluded_work"},
    "three-shared-only": {"published", "remainder"},
}


def test_hand_made_sentences_have_the_fates_they_were_made_for(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        rows = con.sql(
            "select project, path, source_sentence_id, fate from corpus.sentences order by sentence_id"
        ).fetchall()
    fates = {(project, path.split("/")[-1], source): fate for project, path, source, fate in rows}
    for item in constructions():
        found = fates[item.project, item.path.split("/")[-1], item.sentence]
        assert found in EXPECTED.get(item.key, FATES), (item, found)


def test_one_sentence_in_two_schemes_has_one_tree(sample_build: Build) -> None:
    """UD Perseus holds copies of AGDT sentences, composed once with both trees: conversion must give the same tree."""
    with connection(sample_build.db) as con:
        compared, different = con.sql(
            """
            with copies as (
                select
                    min(sentence_id) filter (where project = 'agdt') as native,
                    min(sentence_id) filter (where project = 'ud_perseus') as universal
                from corpus.sentences
                where dedup_key is not null
                group by dedup_key
            )

            select
                count(*),
                sum(case when agdt.head = ud.head and agdt.deprel = ud.deprel and agdt.upos = ud.upos
                    and agdt.feats is not distinct from ud.feats then 0 else 1 end)
            from copies
            inner join corpus.tokens as agdt on copies.native = agdt.sentence_id
            inner join corpus.tokens as ud on copies.universal = ud.sentence_id and agdt.token_index = ud.token_index
            where agdt.word is not null and ud.word is not null
            """
        ).fetchall()[0]
    assert compared > 2_000
    assert different == 0
