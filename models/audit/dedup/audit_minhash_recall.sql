with

runs as (

    select * from {{ ref('int_dedup__lsh_runs') }}

),

candidates as (

    select * from {{ ref('int_dedup__lsh_candidates') }}

),

pairs as (

    select * from {{ ref('int_dedup__shared_ngrams') }}

),

-- one row: the pairs that reach the thresholds of a rule
totals as (

    select
        count(*)::integer as true_pairs,
        coalesce(
            sum(case when rule <> 'same_project_repetition' then 1 else 0 end), 0
        )::integer as removing_pairs,
    from pairs
    where rule is not null

),

-- one row per setting that found a pair: how many of them are true
hits as (

    select
        candidates.setting,
        count(*)::integer as found,
        sum(case when pairs.rule <> 'same_project_repetition' then 1 else 0 end)::integer
            as removing_found,
    from candidates
    inner join pairs
        on
            candidates.left_number = pairs.left_number
            and candidates.right_number = pairs.right_number
    where pairs.rule is not null
    group by candidates.setting

),

-- one row per setting
recalls as (

    select
        runs.setting,
        runs.bands,
        runs.rows_per_band,
        runs.containment_threshold,
        runs.candidates,
        totals.true_pairs,
        coalesce(hits.found, 0) as found,
        totals.true_pairs - coalesce(hits.found, 0) as missed,
        round(coalesce(hits.found, 0) / nullif(totals.true_pairs, 0)::double, 4) as recall,
        round(coalesce(hits.found, 0) / nullif(runs.candidates, 0)::double, 4) as precision,
        totals.removing_pairs,
        coalesce(hits.removing_found, 0) as removing_found,
        '{{ var("near_duplicate_candidates") }}' as truth,
        round(runs.seconds, 2) as seconds,
    from runs
    cross join totals
    left join hits on runs.setting = hits.setting
    order by runs.setting

)

select * from recalls
