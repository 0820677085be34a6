with

decisions as (

    select * from {{ ref('int_dedup__decisions') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

-- one row per sentence that went because of one token or one flag of the source
damages as (

    select
        decisions.sentence_number,
        case decisions.corruption
            when 'source_flag' then 'the source flags it: ' || sentences.source_flag
            when 'too_long'
                then
                    'has ' || decisions.word_count || ' words, more than any sentence '
                    || '({{ var("max_sentence_words") }})'
            else
                'token ' || decisions.corrupt_source_index || ' (' || tokens.native_form || ') '
                || case decisions.corruption
                    when 'mixed_script' then 'mixes Greek letters with letters of another script'
                    when 'beta_code' then 'holds remains of beta code'
                    when 'glued_mark' then 'joins two words by a mark'
                    else 'cannot be published: ' || decisions.corruption
                end
        end as damage,
    from decisions
    inner join sentences
        on decisions.sentence_number = sentences.sentence_number
    left join tokens
        on
            decisions.sentence_number = tokens.sentence_number
            and decisions.corrupt_source_index = tokens.source_index
    where decisions.outcome = 'corrupt'

),

-- one row per sentence that shares 4-grams with another: the numbers that decided
sharings as (

    select
        decisions.sentence_number,
        'shares ' || decisions.shared || ' 4-grams (own set ' || decisions.set_size
        || ', other set ' || decisions.partner_size || ') with ' || partners.sentence_id as sharing,
        partners.author as partner_author,
        case
            when decisions.partner_number <> decisions.near_duplicate_survivor
                then
                    '; that one is itself a near-duplicate, and ' || survivors.sentence_id
                    || ' stands for both'
            else ''
        end as detour,
    from decisions
    inner join sentences as partners
        on decisions.partner_number = partners.sentence_number
    left join sentences as survivors
        on decisions.near_duplicate_survivor = survivors.sentence_number

),

-- one row per sentence read, with the reason in words
outcomes as (

    select
        decisions.sentence_number,
        decisions.outcome,
        case decisions.outcome
            when 'exact_duplicate' then decisions.chosen_number
            when 'near_duplicate' then decisions.near_duplicate_survivor
        end as survivor_number,
        case decisions.outcome
            when 'skipped_document'
                then coalesce(decisions.decision_reason, 'not a text of an author')
            when 'excluded_work'
                then coalesce(decisions.decision_reason, 'out by the authorship policy')
            when 'no_words' then 'no token has a Greek letter'
            when 'author_conflict'
                then 'the same letters stand under ' || array_to_string(decisions.authors, ' and ')
            when 'exact_duplicate'
                then
                    'the same letters as ' || chosen.sentence_id
                    || ' (' || decisions.copies || ' copies)'
            when 'quotation' then sharings.sharing || ' of ' || sharings.partner_author
            when 'near_duplicate'
                then sharings.sharing || ', whose source has priority' || sharings.detour
            when 'fragment'
                then
                    'stands between ' || earlier.sentence_id || ' and ' || later.sentence_id
                    || ', both near-duplicates of another project'
            when 'corrupt' then damages.damage
        end as reason,
    from decisions
    left join sharings on decisions.sentence_number = sharings.sentence_number
    left join damages on decisions.sentence_number = damages.sentence_number
    left join sentences as chosen on decisions.chosen_number = chosen.sentence_number
    left join sentences as earlier on decisions.previous_number = earlier.sentence_number
    left join sentences as later on decisions.next_number = later.sentence_number

)

select * from outcomes
