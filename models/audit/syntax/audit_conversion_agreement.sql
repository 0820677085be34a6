{%- set measures = [
    'head_native', 'head_before_coordinators', 'head_coordinators_first_side',
    'head_coordinators_second_side', 'head', 'deprel', 'head_and_deprel', 'upos', 'feats',
    'full_relation', 'full_relation_with_subtype', 'full_relation_where_heads_agree',
    'full_upos', 'full_upos_without_proper_nouns', 'full_feats'
] -%}

with

tokens as (

    select * from {{ ref('int_syntax__doubly_annotated_tokens') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

full_annotation as (

    select * from {{ ref('int_syntax__full_annotation') }}

),

-- one row per token of a text that two projects have annotated
compared as (

    select
        tokens.project,
        tokens.other_project,
        tokens.sentence_number,
        ones.native_head = others.native_head as head_native,
        ones.ud_head = others.ud_head as head_before_coordinators,
        ones.head = others.ud_head as head_coordinators_first_side,
        ones.ud_head = others.head as head_coordinators_second_side,
        ones.head = others.head as head,
        ones.deprel = others.deprel as deprel,
        ones.head = others.head and ones.deprel = others.deprel as head_and_deprel,
        one_words.upos = other_words.upos as upos,
        coalesce(one_words.feats, '') = coalesce(other_words.feats, '') as feats,
        split_part(one_full.relation, ':', 1) = split_part(other_full.relation, ':', 1) as full_relation,
        one_full.relation = other_full.relation as full_relation_with_subtype,
        if(ones.head = others.head, full_relation, null) as full_relation_where_heads_agree,
        one_full.ud_upos = other_full.ud_upos as full_upos,
        if(one_full.ud_upos = 'PROPN', 'NOUN', one_full.ud_upos)
        = if(other_full.ud_upos = 'PROPN', 'NOUN', other_full.ud_upos) as full_upos_without_proper_nouns,
        coalesce(one_full.ud_feats, '') = coalesce(other_full.ud_feats, '') as full_feats,
    from tokens
    inner join trees as ones
        on tokens.gid = ones.gid
    inner join trees as others
        on tokens.other_gid = others.gid
    inner join morphology as one_words
        on tokens.gid = one_words.gid
    inner join morphology as other_words
        on tokens.other_gid = other_words.gid
    inner join full_annotation as one_full
        on tokens.gid = one_full.gid
    inner join full_annotation as other_full
        on tokens.other_gid = other_full.gid

),

-- one row per pair of projects and measure, over the tokens that it is asked of
conversion_agreement as (

    {% for measure in measures %}
        select
            project,
            other_project,
            '{{ measure }}' as measure,
            count(distinct sentence_number) as sentences,
            count({{ measure }}) as tokens,
            count(*) filter (where {{ measure }}) as agreeing,
            count(*) filter (where {{ measure }}) / count({{ measure }}) as share,
        from compared
        group by project, other_project
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from conversion_agreement
