with

words as (

    select * from {{ ref('corpus_words') }}

),

letters as (

    select * from {{ ref('published_letters') }}

),

-- one row per form of the published sentences
vocabulary as (

    select
        form,
        count(*) as tokens,
        count(distinct sentence_id) as sentences,
        min(sentence_id) as example_sentence_id,
    from words
    where fate = 'published'
    group by form

),

places as (

    select
        form,
        unnest(string_split(form, '')) as letter,
        generate_subscripts(string_split(form, ''), 1) as place,
    from vocabulary

),

-- one row per form and letter, with its accent and whether it begins a syllable as far as the letter before it tells
accented as (

    select
        places.form,
        places.place,
        regexp_extract(coalesce(letters.marks, ''), '[\x{0300}\x{0301}\x{0342}]') as accent,
        letters.base in ('α', 'ε', 'η', 'ι', 'ο', 'υ', 'ω') as is_vowel,
        letters.base in ('ι', 'υ')
        and not contains(coalesce(letters.marks, ''), '{{ "\u0308" }}')
        and coalesce(
            lag(letters.base || coalesce(letters.marks, '')) over (partition by places.form order by places.place), ''
        ) in ('α', 'ε', 'ο', 'υ', 'η', 'ω') as can_close_diphthong,
    from places
    inner join letters
        on places.letter = letters.letter

),

-- the same, with the number of its syllable; ι or υ after a vowel without a mark closes the diphthong
syllables as (

    select
        form,
        accent,
        sum((is_vowel and not can_close_diphthong)::integer) over (
            partition by form
            order by place
            rows between unbounded preceding and current row
        ) as syllable,
        sum((is_vowel and not can_close_diphthong)::integer) over (partition by form) as syllables,
    from accented

),

-- one row per form with two accents or more: what they are, and their syllables counted from the end
accents as (

    select
        form,
        count(*) as accents,
        string_agg(accent || (syllables - syllable + 1)::varchar, '' order by syllable) as pattern,
        min(syllables - syllable) as last_place,
        max(syllables - syllable) as first_place,
    from syllables
    where accent <> ''
    group by form
    having count(*) > 1

),

-- acute on the last syllable after an acute on the third or a circumflex on the second is what an enclitic asks for
accent_oddities as (

    select
        accents.form,
        case
            when accents.accents > 2 then 'many_accents'
            when accents.first_place - accents.last_place <= 1 then 'neighbouring_accents'
            else 'distant_accents'
        end as kind,
        vocabulary.tokens,
        vocabulary.sentences,
        vocabulary.example_sentence_id,
    from accents
    inner join vocabulary
        on accents.form = vocabulary.form
    where accents.pattern not in ('{{ "\u0301" }}3{{ "\u0301" }}1', '{{ "\u0342" }}2{{ "\u0301" }}1')

)

select * from accent_oddities
