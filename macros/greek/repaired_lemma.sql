{#-
    A lemma before the steps of the published form, with its detached marks put where they belong:
    1. sense digits, `#`, commas and signs of length off (`λέγω3`, `βλέπω,`, `σύν,ἐπί-ἱστάνω`, `μαμ̄ακύθος`);
       a tilde is a perispomeni (`μω~νυξ`);
    2. a second accent on the same letter goes (`σταθμό` with another acute);
    3. a breathing before the letter that should carry it moves onto it, with its accent (`̓́Ανθις` -> `Ἄνθις`);
       where the letter already has marks, it goes (`῎ἄρης`);
    4. an accent on a consonant moves to the vowel that follows (`Δημ́ητριος` -> `Δημήτριος`).
-#}
{% macro repaired_lemma(column) -%}
regexp_replace(
    {{ attached_breathing(attached_breathing(lemma_characters(column), 'smooth'), 'rough') }},
    '([βγδζθκλμνξπρσςτφχψ])([\x{0300}\x{0301}\x{0342}])([αεηιουω])',
    '\1\3\2',
    'g'
)
{%- endmacro %}

{#- Steps 1 and 2, composed. Spacing signs of two marks become the two marks. -#}
{% macro lemma_characters(column) -%}
regexp_replace(
    nfc_normalize(
        regexp_replace(
            replace(replace(replace(replace(replace(replace(
                replace(regexp_replace({{ column }}, '[\p{N}#,]+', '', 'g'), '~', chr(834)),
                chr(8141), chr(787) || chr(768)), chr(8142), chr(787) || chr(769)), chr(8143), chr(787) || chr(834)),
                chr(8157), chr(788) || chr(768)), chr(8158), chr(788) || chr(769)), chr(8159), chr(788) || chr(834)
            ),
            '[\x{0304}\x{0306}]',
            '',
            'g'
        )
    ),
    '([\x{03AC}-\x{03AF}\x{03CC}-\x{03CE}\x{1F70}-\x{1F7D}])[\x{0300}\x{0301}\x{0342}]+',
    '\1',
    'g'
)
{%- endmacro %}

{#- Step 3 for one breathing: onto a bare vowel (or rho) that follows, else off. -#}
{% macro attached_breathing(value, breathing) -%}
{%- set signs = {
    'smooth': '\\x{0313}\\x{02BC}\\x{1FBD}\\x{1FBF}\\x{2019}',
    'rough': '\\x{0314}\\x{02BD}\\x{1FFE}\\x{2018}',
}[breathing] -%}
regexp_replace(
    regexp_replace(
        {{ value }},
        '^[{{ signs }}]([\x{0300}\x{0301}\x{0342}]?)([ΑΕΗΙΟΥΩΡαεηιουωρ])([^\p{M}]|$)',
        '\2{{ {"smooth": "\u0313", "rough": "\u0314"}[breathing] }}\1\3'
    ),
    '^[{{ signs }}][\x{0300}\x{0301}\x{0342}]?',
    ''
)
{%- endmacro %}
