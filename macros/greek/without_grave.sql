{#-
    A form or lemma with the acute where it has the grave. The grave is written only before another word, so that one word has
    both; an entry of a dictionary has no word after it.
-#}
{% macro without_grave(column) -%}
translate(
    {{ column }},
    'ὰὲὴὶὸὺὼἂἃἒἓἢἣἲἳὂὃὒὓὢὣᾂᾃᾒᾓᾢᾣᾲῂῲ',
    'άέήίόύώἄἅἔἕἤἥἴἵὄὅὔὕὤὥᾄᾅᾔᾕᾤᾥᾴῄῴ'
)
{%- endmacro %}
