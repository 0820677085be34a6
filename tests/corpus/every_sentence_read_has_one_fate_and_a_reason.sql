-- One row per sentence without a fate, with a fate but not read, or with a fate that has no reason.
select
    coalesce(sentences.sentence_id, fates.sentence_id) as sentence_id,
    fates.fate,
    fates.reason,
from {{ ref('int_reading__sentences') }} as sentences
full outer join {{ ref('corpus_sentence_fates') }} as fates
    on sentences.sentence_id = fates.sentence_id
where
    sentences.sentence_id is null
    or fates.fate is null
    or coalesce(fates.reason, '') = ''
