-- names-loadable: names of configurations and splits can be loaded by the datasets library, and author labels
-- hold no underscore (file-name schemes cut there).
select
    'configuration' as kind,
    configuration as name,
from {{ ref('hub_configurations') }}
where not regexp_full_match(configuration, '[A-Za-z0-9_]+')
union all
select distinct
    'split' as kind,
    split as name,
from {{ ref('hub_rows') }}
where not regexp_full_match(split, '[A-Za-z0-9_]+([.][A-Za-z0-9_]+)*')
union all
select distinct
    'author' as kind,
    author as name,
from {{ ref('hub_rows') }}
where contains(author, '_')
