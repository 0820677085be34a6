{#-
    CTEs that reduce features to what a form shows, the same for both layers. Reads the CTE of the given name (form, folded,
    lemma, upos, feats; texts without null); the result is `shown`: the same rows with other `feats`. The steps are the
    rules T2 to T5 and T7 for all that needs no tree; what has several genders left is decided in the tree
    (agreed_genders). The rules are asked once for every combination of values that occurs.
-#}
{% macro reduced_features(words) %}
-- one row per form, lemma, class and features that occur together
kinds as (

    select distinct
        form,
        folded,
        lemma,
        upos,
        feats,
    from {{ words }}

),

-- one row per kind, with its features as columns and all others as a list
featured as (

    select
        form,
        folded,
        lemma,
        upos,
        feats,
        {%- for feature in feature_columns() %}
            coalesce({{ feature_value('feats', feature) }}, '') as {{ feature_column(feature) }},
        {%- endfor %}
        list_filter(
            string_split(feats, '|'),
            lambda pair: pair <> '' and not list_contains({{ feature_columns() }}, split_part(pair, '=', 1))
        ) as other_pairs,
    from kinds

),

{{ perfect_tenses() }},

{{ shown_voices() }},

{{ shown_degrees() }},

-- one row per kind; a person is that of a finite verb (T2); the persons themselves have no gender, and what is declined like
-- an adjective and has none can have any (T3)
bounded as (

    select
        compared.* replace (
            if(compared.feat_verbform = 'Fin', compared.feat_person, '') as feat_person,
            case
                when genderless_pronouns.lemma is not null and compared.upos = 'PRON' then ''
                when compared.feat_case <> '' and compared.feat_gender = '' then coalesce(gendered_classes.feature_values, '')
                else compared.feat_gender
            end as feat_gender
        ),
    from compared
    left join {{ ref('genderless_pronouns') }} as genderless_pronouns
        on compared.lemma = genderless_pronouns.lemma
    left join {{ ref('gendered_classes') }} as gendered_classes
        on compared.upos = gendered_classes.upos

),

-- one row per kind, with the features that its form shows, as they come
listed as (

    select
        form,
        lemma,
        upos,
        feats,
        list_concat(
            other_pairs,
            list_filter([
                {%- for feature in feature_columns() %}
                    '{{ feature }}=' || nullif({{ feature_column(feature) }}, ''),
                {%- endfor %}
            ], lambda pair: pair is not null)
        ) as pairs,
    from bounded

),

-- one row per kind, with the features that its form shows
reduced as (

    select
        form,
        lemma,
        upos,
        feats,
        nullif(array_to_string({{ sorted_features('pairs') }}, '|'), '') as shown_feats,
    from listed

),

-- the same rows, with what their forms show
shown as (

    select
        words.* replace (reduced.shown_feats as feats),
    from {{ words }} as words
    inner join reduced
        on
            words.form = reduced.form
            and words.lemma = reduced.lemma
            and words.upos = reduced.upos
            and words.feats = reduced.feats

)
{%- endmacro %}
