with

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

texts as (

    select * from {{ ref('int_text__sentences') }}

),

exact_groups as (

    select * from {{ ref('int_dedup__exact_groups') }}

),

quotations as (

    select * from {{ ref('int_dedup__quotations') }}

),

near_duplicates as (

    select * from {{ ref('int_dedup__near_duplicates') }}

),

fragments as (

    select * from {{ ref('int_dedup__fragments') }}

),

-- one row per sentence read: the first rule that applies, in the order of the rules
decisions as (

    select
        sentences.sentence_number,
        case
            when sentences.decision = 'skip' then 'skipped_document'
            when sentences.decision = 'exclude' then 'excluded_work'
            when texts.dedup_key is null then 'no_words'
            when exact_groups.is_author_conflict then 'author_conflict'
            when exact_groups.chosen_number <> sentences.sentence_number then 'exact_duplicate'
            when quotations.sentence_number is not null then 'quotation'
            when near_duplicates.sentence_number is not null then 'near_duplicate'
            when fragments.sentence_number is not null then 'fragment'
            when texts.is_corrupt then 'corrupt'
            else 'entered'
        end as outcome,
        sentences.decision_reason,
        texts.corruption,
        texts.corrupt_source_index,
        texts.word_count,
        exact_groups.authors,
        exact_groups.copies,
        exact_groups.chosen_number,
        near_duplicates.survivor_number as near_duplicate_survivor,
        coalesce(quotations.partner_number, near_duplicates.partner_number) as partner_number,
        coalesce(quotations.shared, near_duplicates.shared) as shared,
        coalesce(quotations.set_size, near_duplicates.set_size) as set_size,
        coalesce(quotations.partner_size, near_duplicates.partner_size) as partner_size,
        fragments.previous_number,
        fragments.next_number,
    from sentences
    inner join texts on sentences.sentence_number = texts.sentence_number
    -- excluded and skipped documents take no part in the groups
    left join exact_groups
        on
            sentences.decision = 'keep'
            and texts.dedup_key = exact_groups.dedup_key
    left join quotations on sentences.sentence_number = quotations.sentence_number
    left join near_duplicates on sentences.sentence_number = near_duplicates.sentence_number
    left join fragments on sentences.sentence_number = fragments.sentence_number

)

select * from decisions
