with

tokens as (

    select * from {{ ref('int_reading__tokens') }}

),

-- one row per distinct form as read
vocabulary as (

    select distinct native_form
    from tokens

),

-- one row per distinct form with its published form
published as (

    {{ published_forms('vocabulary', 'native_form') | indent(4) }}

),

forms as (

    select
        native as native_form,
        form,
        folded,
        form <> '' as has_greek,
        regexp_replace(native, '[\p{Cc}\p{Cf}\p{Z}]', '', 'g') = '' as is_empty,
        coalesce(corruption = 'mixed_script', false) as is_mixed_script,
        corruption,
        repairs,
    from published

)

select * from forms
