with

sentences as (

    select * from {{ ref('int_reading__sentences') }}

),

decisions as (

    select
        project,
        document_match,
    from {{ ref('documents') }}

),

-- one row per sentence with the name under which its document may stand in the decisions
named as (

    select
        sentence_number,
        project,
        case
            when project = 'agdt' then regexp_extract(path, 'tlg\d+\.tlg\d+')
            when project = 'ud_perseus' then regexp_extract(source_sentence_id, 'tlg\d+\.tlg\d+')
            when project = 'ud_ptnk' then regexp_extract(source_sentence_id, '^[^-]+-([^-]+)-', 1)
            when project = 'ud_proiel' then coalesce(source_comment, '')
            else parse_filename(path)
        end as document_name,
    from sentences

),

-- one row per distinct name: PROIEL's comments go on after the work (`..., Romans 1`), so the longest beginning counts
matched as (

    select
        names.project,
        names.document_name,
        arg_max(
            decisions.document_match, (length(decisions.document_match), decisions.document_match)
        ) as document_match,
    from (
        select distinct
            project,
            document_name
        from named
    ) as names
    left join decisions
        on
            names.project = decisions.project
            and (
                names.document_name = decisions.document_match
                or (
                    names.project = 'ud_proiel'
                    and regexp_matches(
                        names.document_name,
                        '^' || regexp_escape(decisions.document_match) || '([ ,]|$)'
                    )
                )
            )
    group by all

),

-- one row per sentence: the decided document, or the name that no decision knows
final as (

    select
        named.sentence_number,
        named.project,
        coalesce(matched.document_match, named.document_name) as document_match,
    from named
    inner join matched
        on
            named.project = matched.project
            and named.document_name = matched.document_name

)

select * from final
