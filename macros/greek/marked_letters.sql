{#-
    The marks that every letter is published with: a select with one row per value and number,
    as in the relation that it reads.

    Arguments:
        relation: a relation as the macro `lettered` gives it.

    1. Marks before the first letter, breathing with or without accent, move onto it when it is a vowel (or, rough
       breathing, rho) without a mark and no breathing follows on the other vowel of its diphthong; else they go.
    2. An accent on a consonant moves onto the vowel that follows, when this has no mark.
    3. A smooth breathing on the last letter is an elision sign when it stands on a consonant, or on α ε ι ο υ outside the
       vowel or diphthong that begins the word, or after the accent of η and ω of a longer word, or as a second breathing:
       it goes. Else it marks a crasis on η and ω and stays.
    4. Of several breathings or accents on a letter the first stays; they are ordered diaeresis, breathing, accent, iota.
    5. A consonant has no mark but the breathing of rho.
-#}
{% macro marked_letters(relation) -%}
{%- set breathing = '[\\x{0313}\\x{0314}]' %}
{%- set accent = '[\\x{0300}\\x{0301}\\x{0342}]' %}
with

-- one row per value and number, with the marks of the letter as it was typed
typed as (

    select
        lettered.*,
        coalesce(letters.base, lettered.letter, '') as base,
        coalesce(letters.base in ('α', 'ε', 'η', 'ι', 'ο', 'υ', 'ω'), false) as is_vowel,
        coalesce(letters.marks, '') || lettered.typed_marks as all_marks,
    from {{ relation }} as lettered
    left join {{ ref('published_letters') }} as letters
        on lettered.letter = letters.letter

),

-- the same, with the letters before and after it, each as its base and marks
neighbours as (

    select
        *,
        max(number) over (partition by value_number) as letters,
        coalesce(lag(base || all_marks) over letters_in_order, '') as before,
        coalesce(lead(base || all_marks) over letters_in_order, '') as after,
        coalesce(lead(base || all_marks, 2) over letters_in_order, '') as second_after,
    from typed
    window letters_in_order as (partition by value_number order by number)

),

-- the same, with the marks after steps 1 and 2
moved as (

    select
        *,
        case
            when all_marks <> '' then all_marks
            when
                number = 1 and regexp_matches(before, '^{{ breathing }}')
                and (is_vowel or (base = 'ρ' and starts_with(before, '{{ "\u0314" }}')))
                and not regexp_matches(after, '^[ιυ].*{{ breathing }}')
                then left(before, 1) || regexp_extract(before, '{{ accent }}')
            when number > 1 and is_vowel and regexp_matches(before, '^[^αεηιουω]')
                then regexp_extract(before, '{{ accent }}')
            else ''
        end as moved_marks,
    from neighbours

),

-- the same, with step 3
elided as (

    select
        *,
        number = letters
        and contains(moved_marks, '{{ "\u0313" }}')
        and case
            when not is_vowel then true
            when base in ('η', 'ω') then letters > 1 and regexp_matches(moved_marks, '{{ accent }}.*\x{0313}')
            when letters = 2 then not regexp_matches(before || base, '^[αεοηυω].*[ιυ]$')
            else letters > 2
        end as is_elided,
    from moved

),

-- the same; a second breathing at the end of the word is an elision sign too
kept as (

    select
        *,
        case
            when is_elided then replace(moved_marks, '{{ "\u0313" }}', '')
            when number = letters then regexp_replace(moved_marks, '({{ breathing }}.*)\x{0313}$', '\1', 'g')
            else moved_marks
        end as kept_marks,
    from elided

),

-- the same, with steps 4 and 5
repaired as (

    select
        *,
        case when is_vowel and contains(kept_marks, '{{ "\u0308" }}') then '{{ "\u0308" }}' else '' end
        || case when is_vowel or base = 'ρ' then regexp_extract(kept_marks, '{{ breathing }}') else '' end
        || case when is_vowel then regexp_extract(kept_marks, '{{ accent }}') else '' end
        || case when is_vowel and contains(kept_marks, '{{ "\u0345" }}') then '{{ "\u0345" }}' else '' end as marks,
    from kept

)

select * from repaired
{%- endmacro %}
