{%- set measures = [
    'head_native', 'head_before_coordinators', 'head_coordinators_first_side',
    'head_coordinators_second_side', 'head', 'deprel', 'head_and_deprel', 'upos', 'feats'
] -%}

with

pairs as (

    select * from {{ ref('int_syntax__doubly_annotated') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

-- one row per token of a text that two projects have annotated
compared as (

    select
        pairs.project,
        pairs.other_project,
        pairs.sentence_number,
        ones.native_head = others.native_head as head_native,
        ones.ud_head = others.ud_head as head_before_coordinators,
        ones.head = others.ud_head as head_coordinators_first_side,
        ones.ud_head = others.head as head_coordinators_second_side,
        ones.head = others.head as head,
        ones.deprel = others.deprel as deprel,
        ones.head = others.head and ones.deprel = others.deprel as head_and_deprel,
        one_words.upos = other_words.upos as upos,
        coalesce(one_words.feats, '') = coalesce(other_words.feats, '') as feats,
    from pairs
    inner join trees as ones
        on pairs.sentence_number = ones.sentence_number
    inner join trees as others
        on
            pairs.other_sentence_number = others.sentence_number
            and ones.token_index = others.token_index
    inner join morphology as one_words
        on ones.gid = one_words.gid
    inner join morphology as other_words
        on others.gid = other_words.gid

),

-- one row per pair of projects and measure
final as (

    {% for measure in measures %}
        select
            project,
            other_project,
            '{{ measure }}' as measure,
            count(distinct sentence_number) as sentences,
            count(*) as tokens,
            count(*) filter (where {{ measure }}) as agreeing,
            count(*) filter (where {{ measure }}) / count(*) as share,
        from compared
        group by project, other_project
        {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from final
