with

trees as (

    select * from {{ ref('int_syntax__native_trees') }}
    union all
    select * from {{ ref('int_syntax__ud_trees') }}

),

{{ moved_coordinators() }}

select * from moved
