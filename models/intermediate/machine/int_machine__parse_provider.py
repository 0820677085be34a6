"""One row per published token: the parse that the provider of the machine layer gives; no row without one."""

from machine.tables import Tables, parse_table


def model(dbt, session):
    """Return the parse, ordered by sentence and token; made once for the same sentences and provider."""
    dbt.config(materialized="table")
    sentences = dbt.ref("int_machine__sentences").project("id, canonical_work, fold")
    tokens = dbt.ref("int_splits__published_tokens").project("id, token, form")
    training = dbt.ref("int_machine__training").project("id, canonical_work, is_published")
    training_words = dbt.ref("int_machine__training_words").project("id, token, form, upos, feats, head, relation")
    withheld = dbt.ref("int_machine__withheld").project("fold, id")
    source = dbt.source("raw", "source").project("kind")
    return parse_table(
        dbt.config.meta_get("provider"),
        Tables(
            sentences.order("id").to_arrow_table(),
            tokens.order("id, token").to_arrow_table(),
            training.order("id").to_arrow_table(),
            training_words.order("id, token").to_arrow_table(),
            withheld.order("fold, id").to_arrow_table(),
        ),
        is_sample=("sample",) in source.fetchall(),
    )
