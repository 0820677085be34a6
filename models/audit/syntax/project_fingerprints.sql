with

outcomes as (

    select * from {{ ref('int_dedup__outcomes') }}

),

sentences as (

    select * from {{ ref('int_catalogue__sentences') }}

),

tokens as (

    select * from {{ ref('int_text__tokens') }}

),

trees as (

    select * from {{ ref('int_syntax__trees') }}

),

morphology as (

    select * from {{ ref('int_morphology__tokens') }}

),

fingerprint_exceptions as (

    select * from {{ ref('fingerprint_exceptions') }}

),

-- one row per sentence that enters the tracks, of an author whom several projects have annotated
shared_sentences as (

    select
        sentences.sentence_number,
        sentences.author,
        sentences.project,
    from outcomes
    inner join sentences
        on outcomes.sentence_number = sentences.sentence_number
    where outcomes.outcome = 'entered'
    qualify
        min(sentences.project) over (partition by sentences.author)
        <> max(sentences.project) over (partition by sentences.author)

),

-- one row per author, project and combination of class, relation, features and form
combinations as (

    select
        shared_sentences.author,
        shared_sentences.project,
        morphology.upos,
        trees.deprel,
        morphology.feats,
        tokens.form,
        count(*) as occurrences,
    from shared_sentences
    inner join tokens
        on shared_sentences.sentence_number = tokens.sentence_number
    inner join trees
        on tokens.gid = trees.gid
    inner join morphology
        on tokens.gid = morphology.gid
    group by all

),

-- one row per author, project, layer and value
layers as (

    {% for layer, value in [
        ('upos', 'upos'),
        ('deprel', 'deprel'),
        ('feats', "unnest(string_split(feats, '|'))"),
        ('character', "unnest(string_split(form, ''))"),
    ] %}
        select
            author,
            project,
            '{{ layer }}' as layer,
            {{ value }} as value,
            occurrences,
        from combinations
        {{ 'union all' if not loop.last }}
    {% endfor %}

),

-- one row per author and project: the share of the author that it has annotated
shares as (

    select
        author,
        project,
        sum(occurrences) / sum(sum(occurrences)) over (partition by author) as share,
    from combinations
    group by author, project

),

-- one row per layer and value that one project alone has
found as (

    select
        layers.layer,
        layers.value,
        min(layers.project) as project,
        count(distinct layers.author) as authors,
        sum(layers.occurrences)::bigint as occurrences,
        round(exp(sum(layers.occurrences * ln(shares.share))), 9) as probability,
    from layers
    inner join shares
        on
            layers.author = shares.author
            and layers.project = shares.project
    group by layers.layer, layers.value
    having min(layers.project) = max(layers.project)

),

-- one row per layer and value that one project alone has, with the reason for which it may
final as (

    select
        found.layer,
        found.value,
        found.project,
        found.authors,
        found.occurrences,
        found.probability,
        found.probability > {{ var('fingerprint_max_probability') }} as is_chance,
        fingerprint_exceptions.reason is not null as is_known,
        fingerprint_exceptions.reason,
    from found
    left join fingerprint_exceptions
        on
            found.layer = fingerprint_exceptions.layer
            and found.value = fingerprint_exceptions.value
            and found.project = fingerprint_exceptions.project

)

select * from final
