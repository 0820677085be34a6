-- One row per flag or label that nobody decided about: the error is the message with the lines that the seeds lack.
select undecided
from {{ ref('int_catalogue__checked_input') }}
-- In the condition, because dbt only counts the rows and the engine leaves out what nobody reads.
where case when undecided is not null then error(undecided) is null else false end
