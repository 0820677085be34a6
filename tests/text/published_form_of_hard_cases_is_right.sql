-- One row per hard case whose published form, letters key or corruption is not the expected one.
-- Signs that editors show alike stand as code points.
with

hard_cases (native_form, expected_form, expected_folded, expected_corruption, reason) as (

    values
    ('δ' || chr(700), 'δ', 'δ', null, 'elision: modifier apostrophe'),
    ('δ' || chr(8125), 'δ', 'δ', null, 'elision: koronis'),
    ('δ' || chr(8127), 'δ', 'δ', null, 'elision: psili'),
    ('δ' || chr(8217), 'δ', 'δ', null, 'elision: right quotation mark'),
    ('δ' || chr(39), 'δ', 'δ', null, 'elision: apostrophe'),
    ('δ' || chr(787), 'δ', 'δ', null, 'elision: combining breathing on a consonant'),
    ('δ' || chr(835), 'δ', 'δ', null, 'elision: combining koronis'),
    ('ἀλλ' || chr(884), 'ἀλλ', 'αλλ', null, 'elision: numeral sign on a word with a breathing'),
    ('η' || chr(884), 'η' || chr(697), 'η', null, 'numeral sign on a numeral stays, canonical'),
    ('δι' || chr(787), 'δι', 'δι', null, 'elision before composition'),
    ('δἰ', 'δι', 'δι', null, 'elision after composition'),
    ('παρ' || chr(787), 'παρ', 'παρ', null, 'elision on rho'),
    ('παῤ', 'παρ', 'παρ', null, 'elision on rho, composed'),
    ('τε' || chr(769) || 'υχε' || chr(787), 'τέυχε', 'τευχε', null, 'elided epsilon, decomposed input'),
    ('οὐ', 'οὐ', 'ου', null, 'breathing of the diphthong that begins the word'),
    ('Εὖ', 'εὖ', 'ευ', null, 'the same in capitals'),
    ('ἀ', 'ἀ', 'α', null, 'breathing of the vowel that is the word'),
    ('αἰ', 'αἰ', 'αι', null, 'diphthong that is the word'),
    ('αἶ' || chr(787), 'αἶ', 'αι', null, 'a second breathing on it is an elision sign'),
    ('ιἀ', 'ια', 'ια', null, 'a vowel before it is no diphthong'),
    ('κεἰ', 'κει', 'κει', null, 'iota outside the beginning of the word'),
    ('χὠ', 'χὠ', 'χω', null, 'crasis on omega stays'),
    ('χἠ', 'χἠ', 'χη', null, 'crasis on eta stays'),
    ('δύ' || chr(787), 'δύ', 'δυ', null, 'elision beside an accent'),
    (chr(8217) || 'στιν', 'στιν', 'στιν', null, 'prodelision'),
    (chr(787) || 'ν', 'ν', 'ν', null, 'prodelision as a combining mark'),
    (chr(8125) || 'στ' || chr(8125), 'στ', 'στ', null, 'both'),
    ('-τε', 'τε', 'τε', null, 'split part'),
    ('τ-', 'τ', 'τ', null, 'split part'),
    ('-δ' || chr(8125), 'δ', 'δ', null, 'split part with elision'),
    ('Λοκρί-δος', 'λοκρίδος', 'λοκριδοσ', null, 'hyphen of a line end'),
    ('[καὶ]', 'καὶ', 'και', null, 'editorial brackets'),
    ('α[ἶψα', 'αἶψα', 'αιψα', null, 'bracket inside'),
    ('<τὸν>', 'τὸν', 'τον', null, 'angle brackets'),
    ('（ὁ）', 'ὁ', 'ο', null, 'full-width brackets'),
    ('Γ∠', 'γ', 'γ', null, 'angle mark'),
    ('(ἐστίν)', 'ἐστίν', 'εστιν', null, 'parentheses'),
    ('ΛΌΓΟΣ', 'λόγος', 'λογοσ', null, 'final sigma'),
    ('λόγοσ', 'λόγος', 'λογοσ', null, 'medial sigma at the end'),
    ('Σωσίας', 'σωσίας', 'σωσιασ', null, 'both sigmas'),
    ('ϲοφόϲ', 'σοφός', 'σοφοσ', null, 'lunate sigma'),
    ('Ϲοφία', 'σοφία', 'σοφια', null, 'capital lunate sigma'),
    ('σ' || chr(8217), 'ς', 'σ', null, 'the last letter after elision'),
    ('λ' || chr(8057) || 'γος', 'λόγος', 'λογοσ', null, 'oxia becomes tonos'),
    ('λο' || chr(769) || 'γος', 'λόγος', 'λογοσ', null, 'combining input'),
    ('Ῥόδος', 'ῥόδος', 'ροδοσ', null, 'capital rho with breathing'),
    ('Ρ' || chr(788) || 'όδος', 'ῥόδος', 'ροδοσ', null, 'composes only in lower case'),
    ('ΐ', 'ΐ', 'ι', null, 'diaeresis with accent'),
    ('Ἀτρεΐδης', 'ἀτρεΐδης', 'ατρειδησ', null, 'diaeresis inside'),
    ('ἀγρῷ', 'ἀγρῷ', 'αγρω', null, 'iota subscript'),
    ('ΑΓΡῼ', 'αγρῳ', 'αγρω', null, 'capital with prosgegrammeni'),
    ('ω' || chr(837), 'ῳ', 'ω', null, 'combining iota subscript'),
    ('G', '', '', null, 'gap mark'),
    ('G?', '', '', null, 'gap mark'),
    ('[0]', '', '', null, 'elliptic place-holder'),
    (';', '', '', null, 'question mark'),
    (chr(894), '', '', null, 'Greek question mark'),
    (chr(183), '', '', null, 'middle dot'),
    (chr(903), '', '', null, 'ano teleia'),
    ('—', '', '', null, 'dash'),
    ('20', '', '', null, 'digits'),
    (chr(787), '', '', null, 'a lone breathing'),
    ('_', '', '', null, 'literal underscore'),
    ('', '', '', null, 'no form'),
    (chr(65279) || 'ναί', 'ναί', 'ναι', null, 'byte order mark'),
    ('να' || chr(8203) || 'ί', 'ναί', 'ναι', null, 'zero-width space'),
    ('πα' || chr(9) || 'ῖς', 'παῖς', 'παισ', null, 'tab inside'),
    ('ἵπ' || chr(10) || 'πον', 'ἵππον', 'ιππον', null, 'line end inside'),
    (chr(32) || 'ὁ' || chr(32), 'ὁ', 'ο', null, 'surrounding white space'),
    ('ἦv', 'ἦv', 'η', 'mixed_script', 'Latin v'),
    ('Tροίαν', 'tροίαν', 'ροιαν', 'mixed_script', 'Latin T'),
    ('λεπαγG3αι', 'λεπαγg3αι', 'λεπαγαι', 'mixed_script', 'gap mark in a word'),
    (chr(8216) || 'ὁ', 'ὁ', 'ο', null, 'opening quotation mark'),
    ('βλέπει' || chr(8217), 'βλέπει', 'βλεπει', null, 'closing quotation mark'),
    (',ἵππον', 'ἵππον', 'ιππον', null, 'leading comma'),
    ('βλε...', 'βλε', 'βλε', null, 'dots at the end'),
    ('παῖς—καὶ', 'παῖσκαὶ', 'παισκαι', 'glued_mark', 'dash between two words'),
    ('βλέπει;γ', 'βλέπειγ', 'βλεπειγ', 'glued_mark', 'stop between two words'),
    ('lo/gos', '', '', 'beta_code', 'remains of beta code, whole word'),
    ('θεοισ=ν', 'θεοισν', 'θεοισν', 'beta_code', 'circumflex of beta code'),
    ('πι/στεύει', 'πιστεύει', 'πιστευει', 'beta_code', 'acute of beta code'),
    ('εὐνοι+κῶς', 'εὐνοικῶς', 'ευνοικωσ', 'beta_code', 'diaeresis of beta code'),
    ('*ζεύς', 'ζεύς', 'ζευσ', 'beta_code', 'capital of beta code'),
    ('puer', '', '', null, 'a Latin word has no Greek letter'),
    ('Ϝοι', 'ϝοι', 'ϝοι', null, 'digamma is a Greek letter'),
    ('ϚΤ', 'ϛτ', 'ϛτ', null, 'stigma')

),

published as (

    {{ published_forms('hard_cases', 'native_form') | indent(4) }}

)

select
    hard_cases.*,
    published.form,
    published.folded,
    published.corruption,
from hard_cases
inner join published
    on hard_cases.native_form = published.native
where
    hard_cases.expected_form != published.form
    or hard_cases.expected_folded != published.folded
    or hard_cases.expected_corruption is distinct from published.corruption
