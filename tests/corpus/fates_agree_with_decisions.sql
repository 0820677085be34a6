-- One row per sentence whose fate contradicts the decision about its document: the decision comes first.
select
    sentences.sentence_id,
    sentences.decision,
    fates.fate,
from {{ ref('int_catalogue__sentences') }} as sentences
inner join {{ ref('corpus_sentence_fates') }} as fates
    on sentences.sentence_id = fates.sentence_id
where
    (sentences.decision = 'skip') <> (fates.fate = 'skipped_document')
    or (sentences.decision = 'exclude') <> (fates.fate = 'excluded_work')
