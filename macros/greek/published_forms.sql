{#-
    The published form of every distinct value of a column, as a select of (native, form, folded, corruption, repairs).
    Forms and lemmas go through it alike.

    Arguments:
        relation: a relation or a CTE name with one row per distinct native value.
        column: its column with the value as read.

    1. The value is composed (NFC) and every sign of it read by two seeds: `published_letters`, upper case as lower case, and
       `signs`; what stands in neither goes by its general category (macro `sign_readings`).
    2. Letters are numbered; every other sign belongs to the letter before it, or stands before the first one. Brackets,
       hyphens, stops, quotation marks, digits, signs of length and editor's marks leave the word (macro `lettered`).
    3. Marks are put in order on the letter that can carry them; a smooth breathing on the last letter that is an elision
       sign goes (macro `marked_letters`).
    4. Every letter is the one of `published_letters` with these marks, `ς` at the end of a complete word and `σ` elsewhere.
    5. Without a Greek letter the token is editorial and its form is empty.

    `folded` is the letters key: no marks, every sigma `σ`. `corruption` names a token whose sentence cannot be published
    (macro `word_corruption`); the form of such a token may hold anything. `repairs` has the rules that changed letters or
    marks beyond these steps, sorted and joined by commas.
-#}
{% macro published_forms(relation, column) %}
with

-- one row per distinct value, numbered, with its signs
vocabulary as (

    select
        {{ column }} as native,
        row_number() over (order by {{ column }})::integer as value_number,
        string_split(nfc_normalize({{ column }}), '') as signs,
    from {{ relation }}

),

-- one row per distinct value and sign of it
signs_in_order as (

    select
        value_number,
        unnest(signs) as sign,
        generate_subscripts(signs, 1)::integer as place,
    from vocabulary

),

-- one row per distinct sign: steps 1 and 2
readings as (

    {{ sign_readings('signs_in_order') | indent(4) }}

),

lettered as (

    {{ lettered('signs_in_order', 'readings') | indent(4) }}

),

-- one row per distinct value and letter: step 3
marked as (

    {{ marked_letters('lettered') | indent(4) }}

),

-- one row per distinct value and letter: step 4
composed as (

    select
        marked.*,
        case
            when marked.letter_kind = 'foreign_letter' then marked.letter
            when marked.base <> 'σ' then letters.letter
            when marked.number < marked.letters then 'σ'
            when marked.letter <> 'ς' and (marked.has_elision or marked.has_hyphen or marked.is_elided) then 'σ'
            else 'ς'
        end as published_letter,
    from marked
    left join {{ ref('published_letters') }} as letters
        on
            marked.base = letters.base
            and marked.marks = coalesce(letters.marks, '')
            and letters.letter not in ('σ', 'ς')

),

-- one row per distinct value with a letter: the word, what speaks against it, and what was repaired
words as (

    select
        value_number,
        string_agg(coalesce(published_letter, base), '' order by number) as word,
        string_agg(case when letter_kind <> 'foreign_letter' then base end, '' order by number) as folded,
        bool_or(letter_kind in ('letter', 'variant', 'length')) as has_greek,
        {{ word_corruption() | indent(8) }} as corruption,
        {{ word_repairs() | indent(8) }} as repairs,
    from composed
    group by value_number

)

-- step 5
select
    vocabulary.native,
    case when words.has_greek then words.word else '' end as form,
    case when words.has_greek then words.folded else '' end as folded,
    case
        when words.corruption = 'mixed_script' and words.has_greek then words.corruption
        when {{ is_beta_code('vocabulary.native') | indent(8) }} then 'beta_code'
        when words.has_greek then words.corruption
    end as corruption,
    case when words.has_greek then words.repairs else '' end as repairs,
from vocabulary
left join words
    on vocabulary.value_number = words.value_number
{% endmacro %}
