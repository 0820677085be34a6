{#-
    CTEs that give an adjective the degree that its form shows, and nothing else a degree; and the verbal adjective its form
    (T7). Reads the CTE `voiced` of shown_voices; the result is `compared`: the same rows.
-#}
{% macro shown_degrees() %}
-- one row per form that can be an adjective, and declension with an ending that it has
cut as (

    select
        forms.folded,
        declension_endings.declension,
        left(forms.folded, length(forms.folded) - length(coalesce(declension_endings.ending, ''))) as stem,
    from (select distinct folded from voiced where upos = 'ADJ' or feat_verbform = 'Ger') as forms
    inner join {{ ref('declension_endings') }} as declension_endings
        on suffix(forms.folded, coalesce(declension_endings.ending, ''))

),

-- one row per form with a stem of the table; a whole stem before its end, and the longest
degrees as (

    select
        cut.folded,
        coalesce(degree_stems.degree, '') as degree,
    from cut
    inner join {{ ref('degree_stems') }} as degree_stems
        on
            cut.declension = degree_stems.declension
            and if(degree_stems.is_whole, cut.stem = degree_stems.stem, suffix(cut.stem, degree_stems.stem))
    qualify
        row_number() over (
            partition by cut.folded
            order by degree_stems.is_whole desc, length(degree_stems.stem) desc, degree asc
        ) = 1

),

-- one row per form with the shape of a verbal adjective, and ending of its lemma where that is no verb
verbal_adjectives as (

    select distinct
        cut.folded,
        verbal_adjectives.lemma_ending,
    from cut
    inner join {{ ref('verbal_adjectives') }} as verbal_adjectives
        on
            cut.declension = verbal_adjectives.declension
            and suffix(cut.stem, verbal_adjectives.stem_ending)
            and cut.stem <> verbal_adjectives.stem_ending

),

-- one row per kind
compared as (

    select
        voiced.* replace (
            if(voiced.upos = 'ADJ', coalesce(degrees.degree, ''), '') as feat_degree,
            case
                when verbal_adjectives.folded is null and voiced.feat_verbform = 'Ger' then ''
                when voiced.upos = 'ADJ' and suffix(voiced.lemma, verbal_adjectives.lemma_ending) then 'Ger'
                else voiced.feat_verbform
            end as feat_verbform
        ),
    from voiced
    left join degrees
        on voiced.folded = degrees.folded
    left join verbal_adjectives
        on voiced.folded = verbal_adjectives.folded

)
{%- endmacro %}
