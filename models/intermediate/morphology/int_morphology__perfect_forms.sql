with

words as (

    select * from {{ ref('int_morphology__words') }}

),

readings as (

    select * from {{ ref('int_morphology__native_readings') }}

),

text_tokens as (

    select * from {{ ref('int_text__tokens') }}

),

-- one row per word with a tense, its form and lemma
tensed as (

    select
        readings.project,
        text_tokens.folded,
        text_tokens.lemma,
        {{ feature_value('words.feats', 'Tense') }} = 'Pres'
        and {{ feature_value('words.feats', 'Aspect') }} = 'Perf' as is_perfect,
    from words
    inner join readings
        on words.reading = readings.reading
    inner join text_tokens
        on words.gid = text_tokens.gid
    where
        contains(words.feats, 'Tense=')
        and text_tokens.is_published

),

-- one row per project that tells the perfect from the aorist
telling as (

    select distinct project
    from tensed
    where is_perfect

),

-- one row per form and lemma, and per form of any lemma, of the projects that tell
perfect_forms as (

    select
        tensed.folded,
        tensed.lemma,
        2 * count(*) filter (where tensed.is_perfect) > count(*) as is_perfect,
    from tensed
    inner join telling
        on tensed.project = telling.project
    where tensed.lemma is not null
    group by tensed.folded, tensed.lemma

    union all

    select
        tensed.folded,
        null as lemma,
        2 * count(*) filter (where tensed.is_perfect) > count(*) as is_perfect,
    from tensed
    inner join telling
        on tensed.project = telling.project
    group by tensed.folded

)

select * from perfect_forms
