{#-
    CTEs that choose one of an author's works by the rule for held-out works: enough rows, no more than the greatest share
    of the author's, nothing else against it, closest to a share of the author's rows. Reads a CTE with the columns track,
    scope, author, canonical_work, work_rows, author_rows and own_objection (what this purpose alone has against a work,
    null for nothing); the result is `ranked`: its rows and columns, with objection, distance, is_candidate and
    candidate_rank. The first candidate is the chosen one.
-#}
{% macro work_choice(works, min_rows, target) %}
-- one row per track, scope, author and work: all that speaks against it, and how far it is from the share aimed at
weighed as (

    select
        *,
        nullif(
            concat_ws(
                '; ',
                case when work_rows < {{ min_rows }} then 'fewer than {{ min_rows }} rows' end,
                case
                    when {{ exceeds_share(var('held_out_max_share'), 'work_rows', 'author_rows') }}
                        then 'more than {{ var("held_out_max_share") }} of the rows of the author'
                end,
                own_objection
            ),
            ''
        ) as objection,
        {{ distance_to_share(target, 'work_rows', 'author_rows') }} as distance,
    from {{ works }}

),

-- the same, candidates numbered from the chosen one on
ranked as (

    select
        *,
        objection is null as is_candidate,
        case
            when objection is null
                then
                    row_number() over (
                        partition by track, scope, author
                        order by objection is null desc, distance, canonical_work asc
                    )
        end as candidate_rank,
    from weighed

)
{%- endmacro %}
