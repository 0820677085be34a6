{#-
    CTE `subjects` of one row: the sentence that is wanted, by its own id, a published id (`s-` and sixteen digits) or a dedup
    key. Of several with the same letters, the published one, then one that is neither an exact copy nor left out with its work
    or document. `wanted` is the parameter of the table macro.
-#}
{% macro wanted_sentence() -%}
-- one row: the sentence asked for, by its own id, a published id or a dedup key
subjects as (

    select sentences.*
    from {{ ref('corpus_sentences').include(database=false) }} as sentences
    where
        sentences.sentence_id = wanted
        or sentences.dedup_key = wanted
        or {{ published_id('sentences.dedup_key') }} = wanted
    order by
        sentences.sentence_id <> wanted,
        sentences.fate <> 'published',
        sentences.fate in ('exact_duplicate', 'excluded_work', 'skipped_document'),
        sentences.sentence_number
    limit 1

)
{%- endmacro %}
