with

configuration_rows as (

    select * from {{ ref('hub_rows') }}
    where chunk_target_size = 1

),

sentences as (

    select * from {{ ref('hub_sentences') }}

),

-- one row per track and author with a row on it
authors as (

    select
        configuration_rows.track,
        configuration_rows.author,
        count(*) as sentences,
        count(*) filter (where configuration_rows.split = 'train') as train,
        count(*) filter (where configuration_rows.split = 'validation') as validation,
        count(*) filter (where configuration_rows.split = 'validation2') as validation2,
        count(*) filter (where configuration_rows.split = 'test') as test,
        count(distinct sentences.canonical_work) as works,
        coalesce(
            list_sort(list(distinct sentences.genre) filter (where sentences.genre is not null)), []
        ) as genres,
        list_sort(list(distinct sentences.treebank_source)) as projects,
        configuration_rows.held_out_work,
        configuration_rows.held_out_work_title,
        configuration_rows.held_out_validation_work,
        configuration_rows.held_out_validation_work_title,
        configuration_rows.held_out_genre,
        configuration_rows.held_out_group,
    from configuration_rows
    inner join sentences
        on configuration_rows.id = sentences.id
    group by
        configuration_rows.track,
        configuration_rows.author,
        configuration_rows.held_out_work,
        configuration_rows.held_out_work_title,
        configuration_rows.held_out_validation_work,
        configuration_rows.held_out_validation_work_title,
        configuration_rows.held_out_genre,
        configuration_rows.held_out_group

)

select * from authors
order by track, author
