with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

projects as (

    select * from {{ ref('projects') }}

),

relations as (

    select * from {{ ref('relations') }}

),

label_bases as (

    select * from {{ ref('label_bases') }}

),

lookalike_capitals as (

    select * from {{ ref('lookalike_capitals') }}

),

-- one row per function in small letters
small_bases as (

    select
        lower(base) as small_base,
        min(base) as base,
    from label_bases
    group by lower(base)

),

-- one row: the capitals to be replaced, and what replaces them, in the same order
capitals as (

    select
        string_agg(greek, '' order by greek) as greek,
        string_agg(latin, '' order by greek) as latin,
    from lookalike_capitals

),

-- one row per distinct label of the native projects, as written
labels as (

    select distinct coalesce(tokens.native_relation, '') as native_relation
    from tokens
    inner join projects
        on tokens.project = projects.project
    where projects.syntax_scheme <> 'ud'

),

-- one row per label: blanks and checker messages off, flags joined by underscores, Latin capitals
cleaned as (

    select
        labels.native_relation,
        {{ without_outer_blanks('labels.native_relation') }} as label,
        string_split(
            regexp_replace(
                translate(
                    regexp_replace({{ without_outer_blanks('labels.native_relation') }}, '^(!!!.*!!!|%%%)', '', 'g'),
                    capitals.greek,
                    capitals.latin
                ),
                '-(CO|AP)$',
                '_\1',
                'g'
            ),
            '_'
        ) as parts,
    from labels
    cross join capitals

),

-- one row per label: what the rule reads in it
ruled as (

    select
        native_relation,
        if(label = '', '(empty)', label) as label,
        parts[1] as base,
        array_length(list_filter(parts, lambda part: part = 'CO')) as co,
        array_length(list_filter(parts, lambda part: part = 'AP')) as ap,
    from cleaned

),

-- one row per label: the table first, then the rule with the case of a known base
readings as (

    select
        ruled.native_relation,
        relations.relation is not null as is_listed,
        case
            when relations.relation is not null then coalesce(relations.base, '')
            else coalesce(small_bases.base, ruled.base)
        end as base,
        coalesce(relations.co, ruled.co)::integer as co,
        coalesce(relations.ap, ruled.ap)::integer as ap,
    from ruled
    left join relations
        on ruled.label = relations.relation
    left join small_bases
        on lower(ruled.base) = small_bases.small_base

)

select * from readings
