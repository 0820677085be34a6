-- One row per hard case of a lemma whose repaired and published form is not the expected one.
with

hard_cases (native_lemma, expected_lemma, reason) as (

    values
    ('λέγω3', 'λέγω', 'sense digit'),
    ('βλέπω,', 'βλέπω', 'trailing comma'),
    ('#λόγος', 'λόγος', 'hash'),
    (chr(787) || 'Αθήνη', 'ἀθήνη', 'breathing before a capital'),
    (chr(787) || chr(769) || 'Ανθις', 'ἄνθις', 'breathing and accent before a capital'),
    ('῎Αρης', 'ἄρης', 'spacing breathing and accent'),
    ('῎ἄρης', 'ἄρης', 'breathing before a letter that has one'),
    (chr(700) || 'ἀθήνη', 'ἀθήνη', 'apostrophe before a letter with its breathing'),
    ('ʽἑρμῆς', 'ἑρμῆς', 'reversed comma'),
    (chr(788) || 'Ομάρτης', 'ὁμάρτης', 'rough breathing'),
    ('σταθμό' || chr(769), 'σταθμό', 'two accents'),
    ('μαμ' || chr(772) || 'ακύθος', 'μαμακύθος', 'sign of length'),
    ('μω~νυξ', 'μῶνυξ', 'tilde'),
    ('Δημ' || chr(769) || 'ητριος', 'δημήτριος', 'accent on the consonant'),
    ('punc1', null, 'place-holder'),
    ('NUMERAL1', null, 'place-holder'),
    ('_', null, 'place-holder'),
    ('undefined', null, 'place-holder'),
    ('', null, 'empty'),
    ('οὕτω(ς)', 'οὕτως', 'brackets'),
    ('σύν,ἐπί-ἱστάνω', 'σύνἐπίἱστάνω', 'preverbs written apart'),
    ('πoύς', null, 'a Latin letter'),
    ('Λαβδακ' || chr(769) || 'δης', null, 'a mark that belongs nowhere'),
    ('παῖς1', 'παῖς', 'sense digit'),
    ('ἐυκϝήμων', 'ἐυκϝήμων', 'digamma'),
    ('βλεπ-ω', 'βλεπω', 'hyphen inside'),
    ('ναῦς%2', 'ναῦς', 'another sign of senses'),
    ('χώρᾱ', 'χώρα', 'sign of length, composed'),
    ('ϑεόϲ', 'θεός', 'other shapes of letters'),
    ('δαί' || chr(8125) || 'ς', 'δαίς', 'a stray sign'),
    ('τ' || chr(8217), 'τ', 'elided'),
    ('ὀ' || chr(834) || 'νοψ', null, 'a mark that composes with no letter')

),

repaired as (

    select
        *,
        {{ repaired_lemma('native_lemma') }} as repaired,
    from hard_cases

),

vocabulary as (

    select distinct repaired
    from repaired

),

published as (

    {{ published_forms('vocabulary', 'repaired') | indent(4) }}

)

select
    repaired.*,
    {{ trusted_lemma('published.form', 'published.corruption', 'published.repairs') }} as lemma,
from repaired
inner join published
    on repaired.repaired = published.native
where
    repaired.expected_lemma
    is distinct from {{ trusted_lemma('published.form', 'published.corruption', 'published.repairs') }}
