with

words as (

    select * from {{ ref('int_leakage__words') }}
    where
        layer = 'human'
        and is_published

),

compounds as (

    select * from {{ ref('joined_words') }}
    where unsigned is not null

),

-- one row per published word, with the next one of its sentence
followed as (

    select
        author,
        project,
        form,
        folded,
        lemma,
        lead(folded) over (partition by sentence_number order by gid) as next_folded,
    from words

),

-- one row per place where a convention shows, with the answer
places as (

    select
        followed.author,
        followed.project,
        'split compound' as convention,
        true as is_so,
    from followed
    inner join compounds
        on
            followed.folded = compounds.first
            and followed.next_folded = compounds.second
            and list_contains(string_split(compounds.unsigned, ' '), followed.form)
    union all
    select
        followed.author,
        followed.project,
        'split compound' as convention,
        false as is_so,
    from followed
    inner join compounds
        on
            followed.lemma = compounds.lemma
            and followed.folded = compounds.first || compounds.second
    union all
    -- the first part of a crasis that stands alone is a consonant; what is elided to one is no article and no καί
    select
        author,
        project,
        'split crasis' as convention,
        true as is_so,
    from followed
    where
        folded in ('κ', 'χ', 'τ', 'θ')
        and lemma in ('καί', 'καὶ', 'ὁ')
        and next_folded is not null
    union all
    -- a smooth breathing inside a word that begins with such a consonant is the sign of a crasis
    select
        author,
        project,
        'split crasis' as convention,
        false as is_so,
    from followed
    where regexp_matches(form, '^[κχτθ][αεηιουω]?[ἀἂἄἆἐἒἔἠἢἤἦἰἲἴἶὀὂὄὐὒὔὖὠὢὤὦᾀᾂᾄᾆᾐᾒᾔᾖᾠᾢᾤᾦ]')
    union all
    select
        author,
        project,
        'elided connective' as convention,
        folded in ('δ', 'αλλ', 'τ', 'θ', 'γ') as is_so,
    from followed
    where
        folded in ('δε', 'αλλα', 'τε', 'γε')
        or (folded in ('δ', 'αλλ', 'τ', 'θ', 'γ') and not coalesce(lemma in ('καί', 'καὶ', 'ὁ'), false))
    union all
    select
        author,
        project,
        'grave accent' as convention,
        regexp_matches(form, '[ὰὲὴὶὸὺὼἂἃἒἓἢἣἲἳὂὃὒὓὢὣᾂᾃᾒᾓᾢᾣᾲῂῲ]') as is_so,
    from followed

),

-- one row per author, project and convention
conventions as (

    select
        convention,
        author,
        project,
        count(*)::bigint as places,
        count(*) filter (where is_so)::bigint as occurrences,
        (count(*) filter (where is_so) / count(*))::double as share,
    from places
    group by convention, author, project

)

select * from conventions
order by convention, author, project
