with

members as (

    select * from {{ ref('int_splits__track_members') }}
    where
        split_rule = 'held_out'
        and is_member

),

works as (

    select * from {{ ref('int_splits__held_out_test_works') }}

),

held_out_splits as (

    select * from {{ ref('int_splits__held_out_splits') }}

),

-- one row per track, scope, author and work, the largest first
numbered as (

    select
        *,
        row_number() over (
            partition by track, scope, author
            order by work_rows desc, canonical_work asc
        ) as work_order,
    from works

),

-- one row per track, scope and member with a row in the scope: the works at hand
supply as (

    select
        track,
        scope,
        author,
        sum(work_rows)::bigint as author_rows,
        count(*) as works,
        count(*) filter (where is_candidate) as candidates,
        min(canonical_work) filter (where candidate_rank = 1) as test_work,
        min(canonical_work) filter (where work_order = 1) as largest_work,
        string_agg(
            canonical_work || ' (' || work_rows || ' rows): ' || objection,
            ', ' order by work_rows desc, canonical_work asc
        ) filter (where work_order <= 3) as objections,
    from numbered
    group by track, scope, author

),

-- one row per track, scope and author with a test work
counts as (

    select
        track,
        scope,
        author,
        {{ retention_columns() }},
    from held_out_splits
    group by track, scope, author

),

-- one row per track, scope and member with a row in the scope
held_out_authors as (

    select
        supply.track,
        supply.scope,
        supply.author,
        supply.author_rows,
        supply.works,
        supply.candidates,
        supply.test_work,
        coalesce(counts.train_rows, 0) as train_rows,
        coalesce(counts.validation_rows, 0) as validation_rows,
        coalesce(counts.validation2_rows, 0) as validation2_rows,
        coalesce(counts.test_rows, 0) as test_rows,
        coalesce(counts.has_minima, false) as is_qualified,
        case
            when supply.works = 1
                then
                    'only one work, ' || supply.largest_work || ', with all '
                    || supply.author_rows || ' rows'
            when supply.candidates = 0 then 'no work can be held out: ' || supply.objections
            when not counts.has_minima
                then
                    'with ' || supply.test_work
                    || ' held out, too few rows after the cut to tens: ' || counts.missing_rows
        end as reason,
    from supply
    inner join members
        on
            supply.track = members.track
            and supply.author = members.author
    left join counts
        on
            supply.track = counts.track
            and supply.scope = counts.scope
            and supply.author = counts.author

)

select * from held_out_authors
