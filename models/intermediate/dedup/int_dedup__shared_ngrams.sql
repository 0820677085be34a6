with

candidates as (

    select * from {{ ref('int_dedup__candidate_pairs') }}

),

recurring as (

    select * from {{ ref('int_dedup__recurring_ngrams') }}

),

sizes as (

    select * from {{ ref('int_dedup__set_sizes') }}

),

chosen as (

    select * from {{ ref('int_dedup__chosen_sentences') }}

),

-- one row per candidate pair that shares at least one 4-gram
counted as (

    select
        candidates.left_number,
        candidates.right_number,
        count(*)::integer as shared,
    from candidates
    inner join recurring as left_ngrams
        on candidates.left_number = left_ngrams.sentence_number
    inner join recurring as right_ngrams
        on
            candidates.right_number = right_ngrams.sentence_number
            and left_ngrams.ngram_number = right_ngrams.ngram_number
    group by candidates.left_number, candidates.right_number

),

-- one row per candidate pair, with what the rules ask about it
described as (

    select
        candidates.left_number,
        candidates.right_number,
        coalesce(counted.shared, 0) as shared,
        left_sizes.set_size as left_size,
        right_sizes.set_size as right_size,
        least(left_sizes.set_size, right_sizes.set_size) as smaller_size,
        left_chosen.author as left_author,
        right_chosen.author as right_author,
        left_chosen.project as left_project,
        right_chosen.project as right_project,
        left_chosen.author = right_chosen.author as is_same_author,
        {% if var('cross_project_by') == 'treebank_source' %}
            left_chosen.project <> right_chosen.project as is_cross_project,
        {% elif var('cross_project_by') == 'provenance' %}
            not list_has_any(left_chosen.projects, right_chosen.projects) as is_cross_project,
        {% else %}
            {{ exceptions.raise_compiler_error(
                "cross_project_by must be treebank_source or provenance, not "
                ~ var('cross_project_by')) }}
        {% endif %}
    from candidates
    left join counted
        on
            candidates.left_number = counted.left_number
            and candidates.right_number = counted.right_number
    inner join sizes as left_sizes on candidates.left_number = left_sizes.sentence_number
    inner join sizes as right_sizes on candidates.right_number = right_sizes.sentence_number
    inner join chosen as left_chosen on candidates.left_number = left_chosen.sentence_number
    inner join chosen as right_chosen on candidates.right_number = right_chosen.sentence_number

),

-- one row per candidate pair, with what its numbers reach for authors that differ and for one author
judged as (

    select
        *,
        shared >= {{ var('quotation_min_shared') }}
        and shared >= {{ var('quotation_min_share') }} * smaller_size as is_quotable,
        shared >= {{ var('near_duplicate_min_shared') }}
        and shared >= {{ var('near_duplicate_min_share') }} * smaller_size as is_similar,
    from described

),

-- one row per candidate pair, with the rule whose thresholds it reaches
shared_ngrams as (

    select
        left_number,
        right_number,
        shared,
        left_size,
        right_size,
        left_author,
        right_author,
        left_project,
        right_project,
        is_same_author,
        is_cross_project,
        is_similar,
        case
            when not is_same_author and is_quotable then 'quotation'
            when is_same_author and is_similar and is_cross_project then 'near_duplicate'
            when is_same_author and is_similar then 'same_project_repetition'
        end as rule,
    from judged

)

select * from shared_ngrams
