{#-
    CTEs that leave one of several genders (T3). Reads the CTE of the given name (gid, head_gid, feats); the result is
    `agreed`: one row per word with several genders, with one: the first in the order of `gender_order` that its head or a
    word below it has, in the same case and number, else the first.
-#}
{% macro agreed_genders(words) %}
-- one row per word with several genders
several as (

    select
        gid,
        head_gid,
        feats,
        {{ feature_value('feats', 'Gender') }} as genders,
        {{ feature_value('feats', 'Case') }} as case_value,
        {{ feature_value('feats', 'Number') }} as number,
    from {{ words }}
    where regexp_matches(feats, '(?:^|\|)Gender=[^|]*,')

),

-- one row per such word and word beside it
neighbours as (

    select
        several.gid,
        heads.feats,
    from several
    inner join {{ words }} as heads
        on several.head_gid = heads.gid

    union all

    select
        several.gid,
        children.feats,
    from several
    inner join {{ words }} as children
        on several.gid = children.head_gid

),

-- one row per such word and gender that it can have, and whether a word beside it has it
choices as (

    select
        several.gid,
        several.feats,
        several.genders,
        orders.gender,
        orders.place,
        coalesce(bool_or(
            {{ feature_value('neighbours.feats', 'Gender') }} = orders.gender
            and {{ feature_value('neighbours.feats', 'Case') }} = several.case_value
            and {{ feature_value('neighbours.feats', 'Number') }} = several.number
        ), false) as agrees,
    from several
    inner join (
        select
            unnest({{ var('gender_order') }}) as gender,
            unnest(range(array_length({{ var('gender_order') }}))) as place,
    ) as orders
        on list_contains(string_split(several.genders, ','), orders.gender)
    left join neighbours
        on several.gid = neighbours.gid
    group by several.gid, several.feats, several.genders, orders.gender, orders.place

),

-- one row per such word
agreed as (

    select
        gid,
        replace(feats, 'Gender=' || genders, 'Gender=' || gender) as feats,
    from choices
    qualify row_number() over (partition by gid order by agrees desc, place asc) = 1

)
{%- endmacro %}
