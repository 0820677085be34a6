{#-
    The published form of every distinct value of a column, as a select of (native, form, folded, corruption).

    Arguments:
        relation: a relation or a CTE name with one row per distinct native value.
        column: its column with the value as read.

    1. Cleaned: macro `cleaned_form`. 2. Signs at the edges off: macro `without_edge_signs`.
    3. A smooth breathing on the last letter is an elision sign when it stands on a consonant, or on α ε ι ο υ outside
       the vowel or diphthong that begins the word: `δἰ` -> `δι`, `παῤ` -> `παρ`; `οὐ`, `εὖ`, `ἀ` keep theirs, and on
       η and ω it marks a crasis (`χὠ`) and stays.
    4. Lower case with the right sigmas: macro `lower_greek`.
    5. Without a Greek letter the token is editorial and its form is empty.
    `corruption` names a token whose sentence cannot be published: `mixed_script` (Greek and other letters in one word),
    `glued_mark` (a dash or stop between two words in one token), `beta_code` (remains of it).
-#}
{% macro published_forms(relation, column) %}
with

-- one row per distinct value: what is left of it after steps 1 and 2
stripped as (

    select
        {{ column }} as native,
        {{ without_edge_signs(cleaned_form(column)) }} as word,
    from {{ relation }}

),

-- one row per distinct value: its letters alone, to see where the word begins
skeletons as (

    select
        native,
        word,
        {{ letters_key('lower(word)') }} as letters,
        right(word, 1) as last_letter,
    from stripped

),

-- one row per distinct value: step 3
elided as (

    select
        skeletons.native,
        case
            -- the breathing of the vowel or diphthong that begins the word
            when
                regexp_matches(skeletons.letters, '^([αειου]|[αεοηυω][ιυ])$')
                and not regexp_matches(skeletons.word, '[\x{1F00}-\x{1FAF}]\x{0313}$')
                then skeletons.word
            when breathings.letter is not null
                then left(skeletons.word, -1) || breathings.bare_letter
            -- a breathing that could not be composed with its letter
            when not regexp_matches(skeletons.letters, '[ηω]$')
                then regexp_replace(skeletons.word, '\x{0313}+$', '')
            else skeletons.word
        end as word,
    from skeletons
    left join {{ ref('smooth_breathings') }} as breathings
        on skeletons.last_letter = breathings.letter

),

-- one row per distinct value: step 4
lowered as (

    select
        native,
        {{ lower_greek('word') }} as word,
    from elided

),

-- one row per distinct value: step 5, and what speaks against the word
final as (

    select
        native,
        case when regexp_matches(word, '{{ greek_letter() }}') then word else '' end as form,
        {{ letters_key('word') }} as folded,
        case
            when
                regexp_matches(word, '{{ greek_letter() }}')
                and regexp_matches(
                    regexp_replace(word, '[{{ greek_letters() }}{{ greek_extended_letters() }}\p{Lm}]', '', 'g'), '\p{L}'
                )
                then 'mixed_script'
            when regexp_matches(native, '{{ greek_letter() }}[*/\\=+|&%#@^~]+{{ greek_letter() }}')
                then 'beta_code'
            when regexp_matches(native, '^\*{{ greek_letter() }}')
                then 'beta_code'
            when regexp_matches(native, '^\*?[a-z()|+]+[/\\=][a-z()/\\=|+]*$')
                then 'beta_code'
            when
                regexp_matches(
                    native,
                    '{{ greek_letter() }}\p{M}*([\x{2013}\x{2014}\x{2026};:,.!?·\x{0387}\x{037E}"]|\p{Z})+{{ greek_letter() }}'
                )
                then 'glued_mark'
        end as corruption,
    from lowered

)

select * from final
{% endmacro %}
