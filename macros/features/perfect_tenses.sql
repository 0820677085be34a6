{#-
    CTEs that give a perfect its tense (T5). Reads the CTE `featured` of reduced_features; the result is `tensed`: the same
    rows, an aorist that is a perfect by its form having the tense of the perfect. What most words of a form are in the
    projects that tell the perfect from the aorist decides, with the lemma if they have it; else the shape.
-#}
{% macro perfect_tenses() %}
-- one row per kind that is tagged as aorist
aorists as (

    select
        form,
        folded,
        lemma,
        upos,
        feats,
        feat_verbform,
        feat_mood,
    from featured
    where
        feat_tense = 'Past'
        and feat_aspect = 'Perf'

),

-- one row: how a doubled form begins, any prepositions and then a doubling
beginnings as (

    select
        '^(?:' || string_agg(beginning, '|' order by beginning asc) filter (where kind = 'preposition') || ')*(?:'
        || string_agg(beginning, '|' order by beginning asc) filter (where kind = 'doubling') || ')' as doubled,
    from {{ ref('perfect_beginnings') }}

),

-- one row per such kind that has the shape of a perfect
shapes as (

    select distinct
        aorists.form,
        aorists.lemma,
        aorists.upos,
        aorists.feats,
    from aorists
    inner join {{ ref('perfect_shapes') }} as perfect_shapes
        on
            aorists.feat_verbform = perfect_shapes.verb_form
            and aorists.feat_mood = coalesce(perfect_shapes.mood, '')
            and regexp_matches(aorists.folded, perfect_shapes.pattern)
    cross join beginnings
    where
        not coalesce(perfect_shapes.is_doubled, false)
        or regexp_matches(aorists.folded, beginnings.doubled)

),

-- one row per kind that is tagged as aorist and is a perfect
perfects as (

    select
        aorists.form,
        aorists.lemma,
        aorists.upos,
        aorists.feats,
    from aorists
    left join {{ ref('int_morphology__perfect_forms') }} as of_lemma
        on
            aorists.folded = of_lemma.folded
            and aorists.lemma = of_lemma.lemma
    left join {{ ref('int_morphology__perfect_forms') }} as of_form
        on
            aorists.folded = of_form.folded
            and of_form.lemma is null
    left join shapes
        on
            aorists.form = shapes.form
            and aorists.lemma = shapes.lemma
            and aorists.upos = shapes.upos
            and aorists.feats = shapes.feats
    where coalesce(of_lemma.is_perfect, of_form.is_perfect, shapes.form is not null)

),

-- one row per kind
tensed as (

    select
        featured.* replace (if(perfects.form is null, featured.feat_tense, 'Pres') as feat_tense),
    from featured
    left join perfects
        on
            featured.form = perfects.form
            and featured.lemma = perfects.lemma
            and featured.upos = perfects.upos
            and featured.feats = perfects.feats

)
{%- endmacro %}
