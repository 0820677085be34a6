{#- The kinds of findings in the order in which they are told; their numbers are the column step. -#}
{%- set steps = [
    'source', 'text', 'fate', 'survivor', 'exact_duplicate', 'quotation', 'near_duplicate', 'fragment',
    'same_project_repetition', 'below_threshold'
] -%}
with

sentences as (

    select * from {{ ref('corpus_sentences').include(database=false) }}

),

fates as (

    select * from {{ ref('corpus_sentence_fates').include(database=false) }}

),

pair_sides as (

    select * from {{ ref('int_dedup__pair_sides').include(database=false) }}

),

fragments as (

    select * from {{ ref('int_dedup__fragments').include(database=false) }}

),

{{ wanted_sentence() }},

-- one row per pair of the sentence; an exact duplicate has those of its chosen copy
own_pairs as (

    select
        coalesce(pair_sides.rule, 'below_threshold') as rule,
        pair_sides.decision || if(pair_sides.is_deciding, ' (this pair decided)', '') as finding,
        others.sentence_id as other_id,
        pair_sides.shared,
        pair_sides.set_size as own_size,
        pair_sides.other_size,
    from subjects
    inner join sentences as standing
        on
            case
                when subjects.fate = 'exact_duplicate' then subjects.survivor_id
                else subjects.sentence_id
            end = standing.sentence_id
    inner join pair_sides on standing.sentence_number = pair_sides.sentence_number
    inner join sentences as others on pair_sides.other_number = others.sentence_number

),

-- one row per finding about the sentence; what a kind of finding does not have is null
findings as (

    select
        'source' as rule,
        project || ', ' || path || ', sentence ' || position || coalesce(', line ' || line, '')
        || coalesce('; ' || author || ', ' || work, '; no author') as finding,
    from subjects
    union all by name
    select
        'text' as rule,
        coalesce(text, '(no words)') as finding,
    from subjects
    union all by name
    select
        'fate' as rule,
        fates.fate || coalesce(': ' || fates.reason, '') as finding,
    from subjects
    inner join fates on subjects.sentence_id = fates.sentence_id
    union all by name
    select
        'survivor' as rule,
        'stands for it' as finding,
        survivor_id as other_id,
    from subjects
    where survivor_id is not null
    union all by name
    select
        'exact_duplicate' as rule,
        'has the same letters' as finding,
        sentences.sentence_id as other_id,
    from subjects
    inner join sentences
        on
            subjects.dedup_key = sentences.dedup_key
            and subjects.sentence_id <> sentences.sentence_id
    where
        subjects.fate not in ('excluded_work', 'skipped_document')
        and sentences.fate not in ('excluded_work', 'skipped_document')
    union all by name
    select * from own_pairs
    union all by name
    select
        'fragment' as rule,
        'stands beside it, a near-duplicate' as finding,
        neighbours.sentence_id as other_id,
    from subjects
    inner join fragments on subjects.sentence_number = fragments.sentence_number
    inner join sentences as neighbours
        on neighbours.sentence_number in (fragments.previous_number, fragments.next_number)

),

-- one row per finding, with the other sentence
explanations as (

    select
        list_position({{ steps }}, findings.rule)::integer as step,
        findings.rule,
        findings.finding,
        findings.other_id as other_sentence_id,
        findings.shared::integer as shared,
        findings.own_size::integer as set_size,
        findings.other_size::integer as other_set_size,
        others.author as other_author,
        others.fate as other_fate,
        others.text as other_text,
    from findings
    left join sentences as others on findings.other_id = others.sentence_id
    order by
        step asc,
        findings.shared desc nulls last,
        others.sentence_number asc,
        findings.finding asc

)

select * from explanations
