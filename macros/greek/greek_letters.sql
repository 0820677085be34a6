{#-
    The letters of the Greek script as the inside of a character class, both blocks, without the spacing marks
    (koronis U+1FBD, psili U+1FBF, dasia U+1FFE ...) that `\p{Greek}` takes in and the modifier letters that `\p{L}` takes in.
-#}
{% macro greek_letters() -%}
\x{0370}-\x{0373}\x{0376}\x{0377}\x{037B}-\x{037D}\x{037F}\x{0386}\x{0388}-\x{03E1}\x{03F0}-\x{03F5}\x{03F7}-\x{03FF}
{%- endmacro %}

{% macro greek_extended_letters() -%}
\x{1F00}-\x{1FBC}\x{1FBE}\x{1FC2}-\x{1FCC}\x{1FD0}-\x{1FDB}\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FFC}
{%- endmacro %}

{#- Any Greek letter, as a regular expression. -#}
{% macro greek_letter() -%}
[{{ greek_letters() }}{{ greek_extended_letters() }}]
{%- endmacro %}

{#- The signs that stand for an elided vowel: U+02BC, U+1FBD, U+1FBF, U+2019, the apostrophe. -#}
{% macro elision_signs() -%}
\x{02BC}\x{1FBD}\x{1FBF}\x{2019}\x{0027}
{%- endmacro %}
