with

combinations as (

    select * from {{ ref('int_syntax__shared_authors') }}

),

fingerprint_exceptions as (

    select * from {{ ref('fingerprint_exceptions') }}

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

-- one row per layer, value, author and project
counted as (

    select
        layer,
        value,
        author,
        project,
        sum(occurrences)::bigint as occurrences,
    from layers
    group by all

),

-- one row per layer and value that one project alone has; numbers with fractions are added in a fixed order
found as (

    select
        counted.layer,
        counted.value,
        min(counted.project) as project,
        count(distinct counted.author) as authors,
        sum(counted.occurrences)::bigint as occurrences,
        round(exp(list_sum(list(counted.occurrences * ln(shares.share) order by counted.author, counted.project))), 9)
            as probability,
    from counted
    inner join shares
        on counted.author = shares.author and counted.project = shares.project
    group by counted.layer, counted.value
    having min(counted.project) = max(counted.project)

),

-- one row per layer and value that one project alone has, with the reason for which it may
project_fingerprints as (

    select
        found.*,
        found.probability > {{ var('fingerprint_max_probability') }} as is_chance,
        fingerprint_exceptions.reason is not null as is_known,
        fingerprint_exceptions.reason,
    from found
    left join fingerprint_exceptions
        on
            (found.layer, found.value, found.project)
            = (fingerprint_exceptions.layer, fingerprint_exceptions.value, fingerprint_exceptions.project)

)

select * from project_fingerprints
