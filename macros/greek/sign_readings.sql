{#-
    How every distinct sign of a relation of (value_number, sign, place) is read: a select of (sign, kind, parts).

    Kinds are those of the seed `signs`, and for what stands neither there nor among the published letters, in upper or
    lower case: `invisible`, `stop` (a blank), `digit`, `stray_mark` (a combining mark), `foreign_letter`, `foreign_sign`.
    `parts` are the letters or marks that the sign stands for, one by one.
-#}
{% macro sign_readings(relation) -%}
select
    used.sign,
    case
        when letters.letter is not null then 'letter'
        when signs.kind is not null then signs.kind
        when used.sign = '' or regexp_matches(used.sign, '[\p{Cc}\p{Cf}]') then 'invisible'
        when regexp_matches(used.sign, '\p{Z}') then 'stop'
        when regexp_matches(used.sign, '\p{N}') then 'digit'
        when regexp_matches(used.sign, '\p{M}') then 'stray_mark'
        when regexp_matches(used.sign, '\p{L}') and not regexp_matches(used.sign, '\p{Lm}') then 'foreign_letter'
        else 'foreign_sign'
    end as kind,
    string_split(coalesce(signs.reading, lower(used.sign)), '') as parts,
from (select distinct sign from {{ relation }}) as used
left join {{ ref('published_letters') }} as letters
    on lower(used.sign) = letters.letter
left join {{ ref('signs') }} as signs
    on printf('U+%04X', unicode(used.sign)) = signs.code_point
{%- endmacro %}
