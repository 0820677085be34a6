"""The questions that the record of a sentence is read by; each gives the names of the fields that it fills."""

SENTENCE = "select * from corpus.sentences where sentence_id = ?"
REASON = "select reason from corpus.sentence_fates where sentence_id = ?"
SOURCE = """
    select
        records.url, records.revision, records.license, records.annotators, projects.repository, projects.license_url,
        projects.attribution
    from corpus.source_records as records
    inner join corpus.projects as projects on records.project = projects.project
    where records.record_id = ?
"""
COPIES = """
    select records.record_id, copies.line, records.license, records.annotators
    from corpus.source_records as records
    inner join corpus.sentences as copies on records.record_id = copies.sentence_id
    where records.sentence_id = $1 and records.record_id <> $1
    order by records.record_index
"""
PUBLISHED = "select id, licenses from hub.sentences where sentence_id = ?"
ROWS = """
    select
        configuration, track, split, id, list_position(constituent_ids, $1) as place, len(constituent_ids) as size
    from hub.rows
    where list_contains(constituent_ids, $1)
    order by track <> 'sentence', track, size, configuration, split, id
"""

TRACKS = """
    with wanted as (
        select * from corpus.sentences where sentence_id = $1
    )
    select
        tracks.track,
        tracks.title,
        assigned.split,
        case
            when assigned.split is not null and held_out.held_out_work = wanted.canonical_work
                then 'its work is the one held out for the test'
            when assigned.split is not null and held_out.held_out_validation_work = wanted.canonical_work
                then 'its work is the one held out for validation'
            when assigned.split is not null then null
            when cut.split is not null then 'left over when the rows of ' || cut.split || ' were cut to whole tens'
            when wanted.fate not in ('published', 'remainder', 'author_below_threshold')
                then 'it did not enter: ' || wanted.fate
            when absent.reason is not null then absent.author || ': ' || absent.reason
            when members.author is null
                then coalesce(wanted.author, 'no author') || ' is not in the list of the track'
            when not tracks.is_built then 'the track is not built: ' || tracks.not_built_reason
            when tracks.project is not null and tracks.project <> wanted.project
                then 'all rows of the track are from the project ' || tracks.project || ', and this one is from '
                    || wanted.project
        end as reason
    from benchmark.tracks as tracks
    cross join wanted
    left join benchmark.split_assignments as assigned
        on tracks.track = assigned.track and assigned.sentence_id = $1
    left join benchmark.split_remainders as cut
        on tracks.track = cut.track and cut.sentence_id = $1
    left join benchmark.authors_absent as absent
        on tracks.track = absent.track and wanted.author = absent.author
    left join benchmark.held_out_works as held_out
        on tracks.track = held_out.track and wanted.author = held_out.author
    left join intermediate.int_splits__track_members as members
        on tracks.track = members.track and wanted.author = members.author
    order by tracks.track <> 'sentence', tracks.track
"""
"""One row per track, with the split or the reason why there is none; of a work held out, that it is."""

WORDS = """
    with read as (
        select * from intermediate.int_reading__tokens where sentence_number = $1
    ),
    tokens as (
        select * from corpus.tokens where sentence_number = $1
    ),
    words as (
        select * from intermediate.int_words__words where sentence_number = $1
    ),
    trees as (
        select * from intermediate.int_syntax__trees where sentence_number = $1
    )
    select
        read.source_index,
        read.source_token,
        read.row_kind,
        read.is_elliptic,
        read.native_form,
        read.native_lemma,
        coalesce(nullif(read.native_tag, ''), concat_ws(' ', read.native_upos, nullif(read.native_feats, '_')))
            as native_tag,
        read.native_head,
        read.native_relation,
        tokens.token_index as position,
        words.form,
        words.native_form as parts,
        words.lemma,
        morphology.upos as read_upos,
        morphology.feats as read_feats,
        tokens.upos,
        tokens.feats,
        tokens.head,
        tokens.relation,
        tokens.deprel,
        tokens.head_repair,
        trees.is_head_converted,
        trees.head <> trees.ud_head as is_coordinator_moved,
        joining.lemma is not null as is_coordinator,
        reduction.deprel as reduced,
        forms.repairs
    from read
    inner join tokens on read.source_index = tokens.source_index
    left join words on read.gid = words.gid
    left join trees on read.gid = trees.gid
    left join intermediate.int_morphology__words as morphology on read.gid = morphology.gid
    left join intermediate.int_text__forms as forms on read.native_form = forms.native_form
    left join seeds.coordinators as joining on words.lemma = joining.lemma
    left join seeds.relation_reduction as reduction on split_part(tokens.relation, ':', 1) = reduction.relation
    order by read.source_index
"""
"""One row per token of the sentence of a number, as read and as published."""

PARSE = "select provider, model, revision, fold from corpus.machine_parses where sentence_id = ?"
COMPARED = """
    select
        tokens.token_index as position,
        tokens.word as form,
        tokens.head,
        tokens.machine_head,
        compared.is_same_head,
        tokens.deprel,
        tokens.machine_deprel,
        compared.is_same_relation,
        tokens.upos,
        tokens.machine_upos,
        compared.is_same_upos as is_same_class,
        array_to_string(compared.human_pairs, '|') as human_feats,
        array_to_string(compared.machine_pairs, '|') as machine_feats,
        compared.human_pairs = compared.machine_pairs as is_same_features
    from intermediate.int_reading__tokens as read
    inner join corpus.tokens as tokens
        on read.sentence_number = tokens.sentence_number and read.source_index = tokens.source_index
    inner join intermediate.int_machine__compared as compared on read.gid = compared.gid
    where read.sentence_number = $1 and tokens.sentence_number = $1
    order by tokens.token_index
"""
"""One row per word that both layers have, with what they say of it in the classes of the human one."""
