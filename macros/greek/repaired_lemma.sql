{#-
    A lemma before the steps of the published form, with its detached marks put where they belong:
    1. sense digits, `#` and what follows a comma off (`λέγω3`, `βλέπω,`);
    2. a tilde after a vowel is a perispomeni (`μω~νυξ`);
    3. signs of length go (`ᾱ`, `μαμ̄ακύθος`);
    4. a breathing before the letter that should carry it moves onto it (`̓Αθήνη` -> `Ἀθήνη`); where the letter has one, it goes;
    5. an accent on a consonant moves to the vowel that follows (`Δημ́ητριος` -> `Δημήτριος`).
-#}
{% macro repaired_lemma(column) -%}
regexp_replace(
    regexp_replace(
        regexp_replace(
            regexp_replace(
                nfc_normalize(
                    regexp_replace(
                        replace(regexp_replace({{ column }}, '[\p{N}#]+|,$', '', 'g'), '~', chr(834)),
                        '[\x{0304}\x{0306}]',
                        '',
                        'g'
                    )
                ),
                '^[\x{0313}\x{02BC}\x{1FBD}\x{1FBF}\x{2019}\x{1FCD}-\x{1FCF}][\x{0300}\x{0301}\x{0342}]?([ΑΕΗΙΟΥΩαεηιουω])',
                '\1' || chr(787)
            ),
            '^[\x{0314}\x{02BD}\x{1FFE}\x{2018}\x{1FDD}-\x{1FDF}][\x{0300}\x{0301}\x{0342}]?([ΑΕΗΙΟΥΩΡαεηιουωρ])',
            '\1' || chr(788)
        ),
        '^[\x{0313}\x{0314}\x{02BC}\x{02BD}\x{1FBD}\x{1FBF}\x{1FCD}-\x{1FCF}\x{1FDD}-\x{1FDF}\x{1FFE}\x{2018}\x{2019}]+',
        ''
    ),
    '([βγδζθκλμνξπρσςτφχψ])([\x{0300}\x{0301}\x{0342}])([αεηιουω])',
    '\1\3\2',
    'g'
)
{%- endmacro %}
