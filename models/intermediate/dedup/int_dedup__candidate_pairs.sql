{%- set method = var('near_duplicate_candidates') -%}
{%- if method not in ['exact', 'minhash'] -%}
    {{ exceptions.raise_compiler_error(
        "near_duplicate_candidates must be exact or minhash, not " ~ method) }}
{%- endif -%}
with

{% if method == 'exact' %}

    recurring as (

        select * from {{ ref('int_dedup__recurring_ngrams') }}

    ),

    sizes as (

        select * from {{ ref('int_dedup__set_sizes') }}

    ),

    -- one row per sentence and recurring 4-gram, with the size of the sentence's set
    sized as (

        select
            recurring.sentence_number,
            recurring.ngram_number,
            recurring.rarity,
            recurring.recurring_in_sentence,
            sizes.set_size,
            sizes.required,
        from recurring
        inner join sizes on recurring.sentence_number = sizes.sentence_number

    ),

    -- one row per sentence and rare 4-gram: whoever shares `required` of its recurring 4-grams
    -- shares at least one of these, because fewer than `required` stand outside them
    rare as (

        select
            sentence_number,
            ngram_number,
            set_size,
        from sized
        where rarity <= recurring_in_sentence - required + 1

    ),

    -- one row per pair of sentences that share a rare 4-gram of the smaller one
    pairs as (

        select distinct
            least(rare.sentence_number, sized.sentence_number) as left_number,
            greatest(rare.sentence_number, sized.sentence_number) as right_number,
        from rare
        inner join sized on rare.ngram_number = sized.ngram_number
        where
            rare.set_size < sized.set_size
            or (
                rare.set_size = sized.set_size
                and rare.sentence_number < sized.sentence_number
            )

    )

{% else %}

    candidates as (

        select * from {{ ref('int_dedup__lsh_candidates') }}

    ),

    -- one row per pair of sentences that fall into one bucket of the chosen setting
    pairs as (

        select
            left_number,
            right_number,
        from candidates
        where setting = '{{ var("minhash_blocking_setting") }}'

    )

{% endif %}

select * from pairs
