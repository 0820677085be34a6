with

uses as (

    select * from {{ ref('int_text__lemma_uses') }}

),

entries as (

    select * from {{ ref('int_text__entries') }}
    where not is_in_table

),

copied_annotations as (

    select * from {{ ref('copied_annotations') }}
    where is_conversion

),

-- one row per form, kind of entry, project with an annotation of its own, and entry
counted as (

    select
        entries.spelled_form,
        entries.entry_kind,
        uses.project,
        entries.entry,
        sum(uses.words)::bigint as words,
    from entries
    inner join uses
        on
            entries.form = uses.form
            and entries.lemma = uses.lemma
    left join copied_annotations
        on uses.project = copied_annotations.other_project
    where copied_annotations.other_project is null
    group by
        entries.spelled_form,
        entries.entry_kind,
        uses.project,
        entries.entry

),

-- one row per entry: how many projects have it, and on how many words
entry_totals as (

    select
        entry,
        count(distinct project) as projects,
        sum(words)::bigint as words,
    from counted
    group by entry

),

-- one row per form, kind of entry and project: its vote, and whether it uses a second entry as well
votes as (

    select
        spelled_form,
        entry_kind,
        project,
        arg_max(entry, (words, entry)) as entry,
        sum(words)::bigint as words,
        coalesce(
            list_sort(list(words), 'DESC')[2] >= {{ var('context_min_share') }} * sum(words),
            false
        ) as has_second,
    from counted
    group by
        spelled_form,
        entry_kind,
        project

),

-- one row per form, kind of entry and entry that has a vote
standings as (

    select
        votes.spelled_form,
        votes.entry_kind,
        votes.entry,
        count(*) as votes,
        count(*) filter (where votes.has_second) as seconds,
        any_value(entry_totals.projects) as projects,
        any_value(entry_totals.words) as words,
    from votes
    inner join entry_totals
        on votes.entry = entry_totals.entry
    group by
        votes.spelled_form,
        votes.entry_kind,
        votes.entry

),

-- one row per form and kind of entry that two projects have: the entry of most, unless most of them use two
chosen as (

    select
        spelled_form,
        entry_kind,
        arg_max(entry, (votes, projects, words, entry)) as entry,
        sum(votes)::bigint as projects,
        2 * sum(seconds) > sum(votes) as is_context,
    from standings
    group by spelled_form, entry_kind
    having sum(votes) > 1

)

select * from chosen
