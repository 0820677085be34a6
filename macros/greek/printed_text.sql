{#-
    Words and signs joined by blanks, set as a book sets them: one blank between words, none before a closing sign and after
    an opening one, no invisible signs. `( ὦ ἄνδρες Ἀθηναῖοι , )` -> `(ὦ ἄνδρες Ἀθηναῖοι,)`.
-#}
{% macro printed_text(words) -%}
trim(regexp_replace(
    regexp_replace(
        regexp_replace(
            regexp_replace({{ words }}, '[\x{200B}-\x{200D}\x{FEFF}]', '', 'g'), '\s+', ' ', 'g'
        ),
        ' ([.,;:!?·\x{0387}\x{037E})\]}>»”]+)', '\1', 'g'
    ),
    '([(\[{<«“]) ', '\1', 'g'
))
{%- endmacro %}
