with

uses as (

    select * from {{ ref('int_text__lemma_uses') }}

),

entries as (

    select * from {{ ref('int_text__entries') }}

),

chosen_entries as (

    select * from {{ ref('int_text__chosen_entries') }}

),

-- one row per form and lemma that occur together
words as (

    select
        form,
        lemma,
        sum(words)::bigint as words,
    from uses
    group by form, lemma

),

-- one row per form and lemma, with the entry of the projects that have the form
compared as (

    select
        entries.form,
        entries.lemma,
        entries.entry,
        entries.is_in_table,
        entries.folded_lemma,
        words.words,
        chosen_entries.spelled_form is not null as is_compared,
        if(chosen_entries.is_context, entries.entry, chosen_entries.entry) as chosen_entry,
    from entries
    inner join words
        on
            entries.form = words.form
            and entries.lemma = words.lemma
    left join chosen_entries
        on
            not entries.is_in_table
            and entries.spelled_form = chosen_entries.spelled_form
            and entries.entry_kind = chosen_entries.entry_kind

),

-- one row per spelling of a lemma, with the letters that it has
letters as (

    select
        entry,
        any_value(folded_lemma) as letters,
        sum(words)::bigint as words,
    from compared
    where not is_in_table
    group by entry

),

-- one row per entry and another one with the same letters that its forms have become
moved as (

    select
        compared.entry,
        compared.chosen_entry,
        sum(compared.words)::bigint as words,
    from compared
    inner join letters as own
        on compared.entry = own.entry
    inner join letters as others
        on
            compared.chosen_entry = others.entry
            and own.letters = others.letters
    where
        compared.is_compared
        and compared.chosen_entry <> compared.entry
    group by compared.entry, compared.chosen_entry

),

-- one row per entry of which most words have become another one: it is no word of its own
followed as (

    select
        letters.entry,
        arg_max(moved.chosen_entry, (moved.words, moved.chosen_entry)) as followed_entry,
    from letters
    inner join moved
        on letters.entry = moved.entry
    group by letters.entry
    having 2 * sum(moved.words) > any_value(letters.words)

),

-- one row per form and lemma that occur together, with the published lemma and the step that gave it
published_lemmas as (

    select
        compared.form,
        compared.lemma,
        case
            when compared.is_in_table then compared.entry
            when compared.is_compared then compared.chosen_entry
            else coalesce(followed.followed_entry, compared.entry)
        end as published_lemma,
        case
            when compared.is_in_table then 'table'
            when compared.chosen_entry <> compared.entry then 'form'
            when not compared.is_compared and followed.followed_entry <> compared.entry then 'entry'
            when compared.entry <> compared.lemma then 'grave'
        end as step,
    from compared
    left join followed
        on compared.entry = followed.entry

)

select * from published_lemmas
