with

{{ wanted_sentence() }},

{{ wanted_nodes() }},

-- one row per line: comments first, then the nodes
lines as (

    select
        1 as block,
        1 as number,
        '# sent_id = ' || subjects.sentence_id as line,
    from subjects
    union all
    select
        1 as block,
        2 as number,
        '# citation = ' || subjects.citation as line,
    from subjects
    union all
    select
        1 as block,
        3 as number,
        '# text = ' || (select string_agg(nodes.form, ' ' order by nodes.position) from nodes) as line,
    from subjects
    union all
    select
        2 as block,
        nodes.position as number,
        concat_ws(
            chr(9),
            nodes.position,
            nodes.form,
            coalesce(nodes.lemma, '_'),
            coalesce(nodes.upos, '_'),
            coalesce(nullif(nodes.xpos, ''), '_'),
            coalesce(nodes.feats, '_'),
            coalesce(nodes.head::varchar, '_'),
            coalesce(nodes.label, '_'),
            '_',
            '_'
        ) as line,
    from nodes

),

-- one row per line, in the order of the file
conllu_lines as (

    select
        (row_number() over (order by lines.block, lines.number))::integer as line_number,
        lines.line,
    from lines
    order by line_number

)

select * from conllu_lines
