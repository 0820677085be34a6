-- One row per author label with an underscore: file names are cut at the first one.
select author
from {{ ref('authors') }}
where contains(author, '_')
