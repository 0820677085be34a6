{%- set rules = [
    'no_words', 'author_conflict', 'exact_duplicate', 'quotation', 'near_duplicate', 'fragment', 'corrupt'
] -%}

with

counts as (

    select * from {{ ref('audit_fate_counts') }}

),

-- one row per scope and value of it
totals as (

    select
        scope,
        scope_value,
        sum(sentences)::bigint as supplied,
        coalesce(
            sum(sentences) filter (where fate not in ('skipped_document', 'excluded_work')), 0
        )::bigint as curated,
        {% for rule in rules %}
            coalesce(sum(sentences) filter (where fate = '{{ rule }}'), 0)::bigint as {{ rule }},
        {% endfor %}
    from counts
    group by scope, scope_value

),

-- one row per scope and value of it with a sentence of a document that is kept
deduplication as (

    select
        *,
        curated - ({{ rules | join(' + ') }}) as entered,
    from totals
    where curated > 0

)

select * from deduplication
order by scope, scope_value
