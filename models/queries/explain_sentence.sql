with

sentences as (

    select * from {{ ref('corpus_sentences').include(database=false) }}

),

fates as (

    select * from {{ ref('corpus_sentence_fates').include(database=false) }}

),

pairs as (

    select * from {{ ref('audit_near_duplicate_pairs').include(database=false) }}

),

near_duplicates as (

    select * from {{ ref('int_dedup__near_duplicates').include(database=false) }}

),

quotations as (

    select * from {{ ref('int_dedup__quotations').include(database=false) }}

),

fragments as (

    select * from {{ ref('int_dedup__fragments').include(database=false) }}

),

-- one row: the sentence asked for, by its own id, a published id or a dedup key
subjects as (

    select
        sentences.*,
        fates.reason,
        case when sentences.fate = 'exact_duplicate' then sentences.survivor_id else sentences.sentence_id end
            as standing_id,
    from sentences
    inner join fates on sentences.sentence_id = fates.sentence_id
    where
        sentences.sentence_id = wanted
        or sentences.dedup_key = wanted
        or 's-' || left(sentences.dedup_key, 16) = wanted
    order by
        sentences.sentence_id != wanted,
        sentences.fate != 'published',
        sentences.fate in ('exact_duplicate', 'excluded_work', 'skipped_document'),
        sentences.sentence_number
    limit 1

),

-- one row per pair of the sentence (of its chosen copy, when it is an exact duplicate)
own_pairs as (

    select
        coalesce(pairs.rule, 'below_threshold') as rule,
        pairs.decision,
        case when pairs.sentence_id = subjects.standing_id then pairs.other_sentence_id else pairs.sentence_id end
            as other_id,
        pairs.shared,
        case when pairs.sentence_id = subjects.standing_id then pairs.set_size else pairs.other_set_size end
            as own_size,
        case when pairs.sentence_id = subjects.standing_id then pairs.other_set_size else pairs.set_size end
            as other_size,
    from subjects
    inner join pairs on subjects.standing_id in (pairs.sentence_id, pairs.other_sentence_id)

),

-- one row per pair that decided: its other sentence
deciding as (

    select partners.sentence_id as other_id
    from subjects
    inner join sentences as standing on subjects.standing_id = standing.sentence_id
    left join quotations on standing.sentence_number = quotations.sentence_number
    left join near_duplicates on standing.sentence_number = near_duplicates.sentence_number
    inner join sentences as partners
        on coalesce(quotations.partner_number, near_duplicates.partner_number) = partners.sentence_number

),

-- one row per finding about the sentence
findings as (

    select
        1 as step,
        'source' as rule,
        project || ', ' || path || ', sentence ' || position || coalesce(', line ' || line, '')
        || coalesce('; ' || author || ', ' || work, '; no author') as finding,
        null as other_id,
        null as shared,
        null as own_size,
        null as other_size,
    from subjects
    union all
    select 2, 'text', coalesce(text, '(no words)'), null, null, null, null
    from subjects
    union all
    select 3, 'fate', fate || coalesce(': ' || reason, ''), null, null, null, null
    from subjects
    union all
    select 4, 'survivor', 'stands for it', survivor_id, null, null, null
    from subjects
    where survivor_id is not null
    union all
    select 5, 'exact_duplicate', 'has the same letters', sentences.sentence_id, null, null, null
    from subjects
    inner join sentences
        on
            subjects.dedup_key = sentences.dedup_key
            and subjects.sentence_id != sentences.sentence_id
    where
        subjects.fate not in ('excluded_work', 'skipped_document')
        and sentences.fate not in ('excluded_work', 'skipped_document')
    union all
    select
        case own_pairs.rule
            when 'quotation' then 6
            when 'near_duplicate' then 7
            when 'same_project_repetition' then 9
            else 10
        end,
        own_pairs.rule,
        own_pairs.decision || case when deciding.other_id is not null then ' (this pair decided)' else '' end,
        own_pairs.other_id,
        own_pairs.shared,
        own_pairs.own_size,
        own_pairs.other_size,
    from own_pairs
    left join deciding on own_pairs.other_id = deciding.other_id
    union all
    select 8, 'fragment', 'stands beside it, a near-duplicate', neighbours.sentence_id, null, null, null
    from subjects
    inner join fragments on subjects.sentence_number = fragments.sentence_number
    inner join sentences as neighbours
        on neighbours.sentence_number in (fragments.previous_number, fragments.next_number)

),

-- one row per finding, with the other sentence
final as (

    select
        findings.step::integer as step,
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
    order by findings.step, findings.shared desc nulls last, others.sentence_number

)

select * from final
