{#-
    CTEs that give a verb the voice that its form shows (T4). Reads the CTE `tensed` of perfect_tenses; the result is
    `voiced`: the same rows. In the tenses that have one form for middle and passive the voice is `Mid,Pass`; in the aorist
    the ending tells them apart, in the future the stem.
-#}
{% macro shown_voices() %}
-- one row per kind and ending that it has; the longest counts
endings as (

    select
        tensed.form,
        tensed.folded,
        tensed.lemma,
        tensed.upos,
        tensed.feats,
        tensed.feat_voice,
        voice_endings.shows,
        tense_voices.middle,
        coalesce(tense_voices.active, '') as active,
    from tensed
    inner join {{ ref('voice_endings') }} as voice_endings
        on
            tensed.feat_verbform = voice_endings.verb_form
            and (tensed.feat_person = voice_endings.person or voice_endings.person is null)
            and (tensed.feat_number = voice_endings.number or voice_endings.number is null)
            and suffix(tensed.folded, coalesce(voice_endings.ending, ''))
    inner join {{ ref('tense_voices') }} as tense_voices
        on
            tensed.feat_tense = tense_voices.tense
            and tensed.feat_aspect = coalesce(tense_voices.aspect, '')
    qualify
        row_number() over (
            partition by tensed.form, tensed.lemma, tensed.upos, tensed.feats
            order by length(coalesce(voice_endings.ending, '')) desc, voice_endings.person asc nulls last
        ) = 1

),

-- one row per future form without a voice for the middle ending, and stem that it has; a stem at its start, else the longest
stems as (

    select
        futures.folded,
        future_stems.voice,
    from (select distinct folded from endings where middle is null) as futures
    inner join {{ ref('future_stems') }} as future_stems
        on
            if(
                future_stems.is_start,
                starts_with(futures.folded, future_stems.stem),
                contains(futures.folded, coalesce(future_stems.stem, ''))
            )
    qualify
        row_number() over (
            partition by futures.folded
            order by future_stems.is_start desc, length(coalesce(future_stems.stem, '')) desc, future_stems.voice asc
        ) = 1

),

-- one row per kind with an ending of the table
voices as (

    select
        endings.form,
        endings.lemma,
        endings.upos,
        endings.feats,
        case
            -- an ending that can be either is what it was tagged as
            when
                endings.shows in ('middle_or_active', 'passive_or_elided') and endings.feat_voice in ('', 'Act')
                then endings.feat_voice
            when endings.shows = 'passive_or_elided' and endings.active = '' and endings.middle <> '' then 'Pass'
            when endings.shows <> 'active' then coalesce(endings.middle, stems.voice)
            when endings.active <> '' then endings.active
            -- the aorist in η has active endings, and is passive unless tagged as active
            when endings.feat_voice in ('', 'Act') then endings.feat_voice
            else 'Pass'
        end as voice,
    from endings
    left join stems
        on endings.folded = stems.folded

),

-- one row per kind
voiced as (

    select
        tensed.* replace (coalesce(voices.voice, tensed.feat_voice) as feat_voice),
    from tensed
    left join voices
        on
            tensed.form = voices.form
            and tensed.lemma = voices.lemma
            and tensed.upos = voices.upos
            and tensed.feats = voices.feats

)
{%- endmacro %}
