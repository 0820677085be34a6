with

pairs as (

    select * from {{ ref('int_words__pairs') }}

),

texts as (

    select * from {{ ref('int_text__tokens') }}
    where is_published

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

crasis_beginnings as (

    select * from {{ ref('crasis_beginnings') }}

),

-- one row per form and lemma of the sources, with its uses
vocabulary as (

    select
        form,
        folded,
        published_lemma as lemma,
        count(*) as uses,
    from texts
    group by form, folded, published_lemma

),

-- one row per pair and way to write it as one word, and what speaks for it
spellings as (

    -- as the table has it
    select
        first_gid,
        table_form as form,
        true as is_listed,
        false as has_feature,
        true as is_contracted,
    from pairs
    where table_form is not null
    union all
    -- the parts one after the other
    select
        first_gid,
        parts_joined as form,
        false as is_listed,
        false as has_feature,
        false as is_contracted,
    from pairs
    union all
    -- a compound as those write it who do not cut it
    select
        pairs.first_gid,
        vocabulary.form,
        false as is_listed,
        ends_with(vocabulary.form, pairs.second_form) as has_feature,
        true as is_contracted,
    from pairs
    inner join vocabulary
        on
            pairs.lemma = vocabulary.lemma
            and {{ fold('pairs.parts_joined') }} = vocabulary.folded
    where pairs.is_compound
    union all
    -- a crasis contracted
    select
        pairs.first_gid,
        crasis_beginnings.contraction || substr(pairs.second_form, length(crasis_beginnings.beginning) + 1) as form,
        false as is_listed,
        coalesce(
            list_contains(string_split(morphology.feats, '|'), crasis_beginnings.feature),
            false
        ) as has_feature,
        true as is_contracted,
    from pairs
    inner join crasis_beginnings
        on
            pairs.first_form = crasis_beginnings.first
            and starts_with(pairs.second_form, crasis_beginnings.beginning)
    inner join morphology
        on pairs.second_gid = morphology.gid

),

-- one row per form of the sources, with its uses under whatever lemma
uses as (

    select
        form,
        sum(uses)::bigint as uses,
    from vocabulary
    group by form

),

-- one row per pair, with the spelling that most speaks for
spelled as (

    select
        pairs.first_gid,
        pairs.second_gid,
        spellings.form,
        pairs.lemma,
    from pairs
    inner join spellings
        on pairs.first_gid = spellings.first_gid
    left join uses
        on spellings.form = uses.form
    qualify
        row_number() over (
            partition by pairs.first_gid
            order by
                spellings.is_listed desc,
                pairs.is_compound and spellings.is_contracted and spellings.form = pairs.parts_joined desc,
                pairs.is_compound and spellings.has_feature desc,
                coalesce(uses.uses, 0) desc,
                spellings.has_feature desc,
                spellings.is_contracted desc,
                spellings.form asc
        ) = 1

)

select * from spelled
