"""The bundled sample: the same bytes everywhere, seven layouts, every construction, nothing from a treebank."""

from __future__ import annotations

import csv
import html
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REAL_TREEBANKS, ROOT
from lxml import etree

from ingest.sample import constructions, write_sample
from ingest.sample.generator import digest, four_grams, plan, render, sentence_key
from ingest.sample.grammar import Composer, styles
from ingest.sample.inflection import names, nouns, verbs

SAMPLE_FOLDER = ROOT / "ingest" / "sample"
NATIVE = {
    "agdt": "agdt/v2.1/Greek/texts/*.xml",
    "gorman": "gorman/xml versions/*.xml",
    "pedalion": "pedalion/public/xml/*",
    "harrington": "harrington/public/xml/**/*.xml",
}
UD = ("ud_perseus", "ud_proiel", "ud_ptnk")

# Every construction of the syntax rules, every hard form of the text rules and every case of deduplication that the
# sample must show by a hand-made sentence.
KEYS = """
preposition preposition-postposed preposition-several-arguments preposition-second-tier preposition-bare
function-label-slip subordinator subordinator-parenthesis subordinator-infinitive subordinator-in-subordinator
coordination coordination-without-co coordination-nested coordination-one-co-for-two-levels
coordination-sentence-initial coordination-shared-modifier coordination-of-prepositions coordination-by-comma
coordination-implicit coordinator-before-its-group apposition-marked apposition-label apposition-in-coordination segment
ellipsis-predicate ellipsis-in-coordination ellipsis-nested ellipsis-vanishes ellipsis-with-word ellipsis-form-only
ellipsis-insertion-id copula copula-participle copula-preposition copula-coordination copula-two-predicates
copula-lemma-slip copula-in-clause copula-absent copula-other-verb
cycle-of-two cycle-of-three self-loop missing-head-empty missing-head-number missing-head-id ids-with-gap ids-repeated
several-roots root-without-pred punctuation-root punctuation-inside
label-chained label-chained-coordination label-lookalike label-slip label-empty label-checker-message auxiliaries
parenthesis unannotated harrington-labels harrington-coordination harrington-reported latin-document
tense-seven mood-and-form voice degree-number-gender tag-length parts-of-speech tag-shifted
elision-02bc elision-1fbd elision-1fbf elision-2019 elision-0027 elision-0313 elision-0343 elision-composed elision-not
prodelision oxia tonos lunate-sigma capital-rho capitals decomposed question-mark invisible white-space brackets
split-parts dashes-and-digits lemma-digits lemma-marks language-mixed-letters glued-mark beta-code
numeral-and-two-breathings no-words no-words-latin gap-mark gap-only corrupt-fragment
document-id-empty document-id-odd source-flag-ja source-flag-control source-flag-koor source-flag-treebanken
duplicate-other-segmentation duplicate-inside-a-project author-conflict quotation near-duplicate-segmentation
near-duplicate-chain fragment
formula-inside-a-project three-shared-only excluded-takes-no-part
range range-space-after empty-node empty-node-before-first-word range-published ud-several-roots ud-coordinators
ud-relations ud-tenses ud-punctuation-head
"""


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return render()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("sample") / "treebanks"
    write_sample(target)
    return target


def conllu_blocks(text: str) -> list[list[str]]:
    return [block.split("\n") for block in text.strip("\n").split("\n\n")]


# ---- bytes -----------------------------------------------------------------------------------------------------------


def test_two_processes_with_other_hash_seeds_give_the_same_bytes(files: dict[str, str]) -> None:
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": "Asia/Tokyo"}
        printed = subprocess.run(
            [sys.executable, "-m", "ingest.sample", "--digest"],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        assert printed == digest(files)


def test_the_digest_is_the_committed_one(files: dict[str, str]) -> None:
    committed = (SAMPLE_FOLDER / "DIGEST").read_text(encoding="utf-8").strip()
    assert digest(files) == committed, "run `python -m ingest.sample --digest` and put what it prints into DIGEST"


def test_what_is_written_is_what_was_rendered(folder: Path, files: dict[str, str]) -> None:
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert found == {path: text.encode("utf-8") for path, text in files.items()}


def test_sizes(files: dict[str, str]) -> None:
    assert sum(len(text.encode()) for text in files.values()) < 30_000_000
    committed = [p for p in SAMPLE_FOLDER.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert sum(p.stat().st_size for p in committed) < 300_000


def test_the_folder_says_that_it_is_a_sample(files: dict[str, str]) -> None:
    assert files["SAMPLE.md"].startswith("# This folder is a sample")
    for path, text in files.items():
        if path.endswith(".xml"):
            assert "sample" in text.lower() or "perseus-grc1.tb" in text


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    command = [sys.executable, "-m", "ingest.sample", str(tmp_path / "file")]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 1
    assert "cannot write the sample" in finished.stderr


# ---- layouts ---------------------------------------------------------------------------------------------------------


def test_all_seven_projects_are_there(files: dict[str, str]) -> None:
    assert {path.split("/")[0] for path in files} == {"SAMPLE.md", *NATIVE, *UD}


def test_native_files_are_well_formed(folder: Path) -> None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    for project, pattern in NATIVE.items():
        paths = sorted(folder.glob(pattern))
        assert paths, project
        for path in paths:
            root = etree.parse(str(path), parser).getroot()
            assert root.tag == "treebank", path
            for sentence in root.iter("sentence"):
                assert sentence.get("id"), path
                assert len(list(sentence.iter("word"))) > 0, (path, sentence.get("id"))


def test_native_layouts_keep_the_habits_of_their_projects(files: dict[str, str]) -> None:
    def text(end: str) -> str:
        return next(value for path, value in files.items() if path.endswith(end))

    prose = text("tlg0003.tlg001.perseus-grc1.1.tb.xml")
    assert (
        "<header>" in prose and '<sentence id="1" document_id="urn:cts:greekLit:tlg0003.tlg001.perseus-grc1"' in prose
    )
    verse = text("tlg0085.tlg001.perseus-grc2.tb.xml")
    assert "<annotator>" in verse and 'cite="urn:cts:greekLit:tlg0085.tlg001:1"' in verse
    homer = text("tlg0012.tlg001.perseus-grc1.tb.xml")
    assert (
        homer.startswith("<?xml") and "<header>" not in homer and 'cite="urn:cts:greekLit:tlg0012.tlg001:1.1"' in homer
    )
    assert "<primary>" in text("tlg0020.tlg001.perseus-grc1.tb.xml")
    gorman = text("Lysias 12 bu1.xml")
    assert 'lemma="punc1"' in gorman and '\n             subdoc="1"\n' in gorman
    assert "annotsrc" in text("plato apology.xml") and 'ref="' in text("Xen_Anab_book_3.xml")
    pedalion = text("lucian_symposion.xml")
    assert "Author='Lucianus' subdoc='1_1' corrupt=''" in pedalion and "sem='agent'" in pedalion
    assert "<sentence id='1' document_id='0540-024' Author='Lysias'>" in text("lysias_or24.xml")
    assert 'format="jmhgreek"' in text("grctb.5280.1.tb.xml") and 'relation="N-SUBJ"' in text("grctb.5280.1.tb.xml")
    assert 'xml:lang="lat"' in text("grctb.805.1.tb.xml")


def test_ud_layouts_keep_the_habits_of_their_projects(files: dict[str, str]) -> None:
    perseus = files["ud_perseus/grc_perseus-ud-dev.conllu"]
    assert perseus.startswith("# newdoc id = tlg0003.tlg001.perseus-grc1.1.tb.xml\n# sent_id = tlg0003")
    proiel = files["ud_proiel/grc_proiel-ud-dev.conllu"]
    assert "# source = Histories, Book 1, chapter 10\n" in proiel and "Ref=1.10.1" in proiel and "PUNCT" not in proiel
    ptnk = files["ud_ptnk/grc_ptnk-ud-dev.conllu"]
    assert "# sent_id = Septuagint-Genesis-1:1-grc\n" in ptnk and "# parallel_id = " in ptnk


def test_conllu_is_sound(files: dict[str, str]) -> None:
    for path, text in files.items():
        if not path.endswith(".conllu"):
            continue
        assert text.endswith("\n\n")
        seen: set[str] = set()
        for block in conllu_blocks(text):
            comments = dict(line[2:].split(" = ", 1) for line in block if line.startswith("#"))
            rows = [line.split("\t") for line in block if not line.startswith("#")]
            name = comments["sent_id"]
            assert name not in seen, name
            seen.add(name)
            assert all(len(row) == 10 and all(row) for row in rows), name
            words = [row for row in rows if row[0].isdigit()]
            assert [row[0] for row in words] == [str(n) for n in range(1, len(words) + 1)], name
            assert all(0 <= int(row[6]) <= len(words) for row in words), name
            roots = sum(row[6] == "0" for row in words)
            assert roots == 1 or name == "99002", name
            assert rebuilt(rows) == comments["text"], name


def rebuilt(rows: list[list[str]]) -> str:
    """Spell a sentence from its surface rows (ranges before their words, empty nodes left out)."""
    text, covered = "", 0
    for row in rows:
        if "." in row[0] or (row[0].isdigit() and int(row[0]) <= covered):
            continue
        if "-" in row[0]:
            covered = int(row[0].split("-")[1])
        text += row[1] + ("" if "SpaceAfter=No" in row[9] else " ")
    return text.rstrip(" ")


def test_every_document_has_a_decision_of_the_catalogue() -> None:
    with (ROOT / "seeds" / "catalogue" / "documents.csv").open(encoding="utf-8", newline="") as lines:
        known = {(row["project"], row["document_match"]) for row in csv.DictReader(lines)}
    for part in plan():
        match = {
            "agdt": ".".join(part.path.split(".")[:2]),
            "ud_perseus": ".".join(part.document.split(".")[:2]),
            "ud_proiel": part.document.split(", Book")[0],
            "ud_ptnk": part.document,
        }.get(part.project, part.path.split("/")[-1])
        assert (part.project, match) in known, part


def test_every_file_is_a_file_of_the_registry(files: dict[str, str]) -> None:
    with (ROOT / "seeds" / "catalogue" / "source_files.csv").open(encoding="utf-8", newline="") as lines:
        known = {f"{row['project']}/{row['path']}" for row in csv.DictReader(lines)}
    assert {path for path in files if path != "SAMPLE.md"} <= known


# ---- language --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lemma", "case", "number", "form"),
    [
        ("ἄνθρωπος", "g", "s", "ἀνθρώπου"),
        ("δῆμος", "d", "p", "δήμοις"),
        ("στρατηγός", "g", "s", "στρατηγοῦ"),
        ("νίκη", "n", "p", "νῖκαι"),
        ("γνώμη", "g", "p", "γνωμῶν"),
        ("θάλαττα", "g", "s", "θαλάττης"),
        ("στρατιώτης", "n", "p", "στρατιῶται"),
        ("δύναμις", "g", "s", "δυνάμεως"),
        ("στράτευμα", "g", "p", "στρατευμάτων"),
        ("τεῖχος", "g", "p", "τειχῶν"),
        ("ἀγών", "g", "s", "ἀγῶνος"),
        ("βασιλεύς", "d", "s", "βασιλεῖ"),
    ],
)
def test_nouns_are_accented(lemma: str, case: str, number: str, form: str) -> None:
    noun = next(n for n in nouns() if n.lemma == lemma)
    assert noun.forms[case, number] == form


@pytest.mark.parametrize(
    ("lemma", "forms"),
    [
        ("πέμπω", ["πέμπει", "ἔπεμπον", "ἔπεμψαν", "πεπόμφασι", "πέμψαι", "πέμψαντος"]),
        ("διώκω", ["διώκει", "ἐδίωκον", "ἐδίωξαν", "δεδιώχασι", "διῶξαι", "διώξαντος"]),
        ("λείπω", ["λείπει", "ἔλειπον", "ἔλιπον", "λελοίπασι", "λιπεῖν", "λιπόντος"]),
        ("τιμάω", ["τιμᾷ", "ἐτίμων", "ἐτίμησαν", "τετιμήκασι", "τιμῆσαι", "τιμήσαντος"]),
    ],
)
def test_verbs_are_accented(lemma: str, forms: list[str]) -> None:
    verb = next(v for v in verbs() if v.lemma == lemma)
    found = [verb.finite[slot] for slot in (("p", "s"), ("i", "p"), ("a", "p"), ("r", "p"))]
    assert [*found, verb.infinitive["a"], verb.participle["a", "m"]["g", "s"]] == forms


def test_vocabulary_is_in_nfc_without_macrons() -> None:
    forms = [form for word in (*nouns(), *names()) for form in word.forms.values()]
    forms += [form for verb in verbs() for form in (*verb.finite.values(), *verb.infinitive.values())]
    for form in forms:
        assert form == unicodedata.normalize("NFC", form)
        assert "\u0304" not in unicodedata.normalize("NFD", form)


def test_both_trees_of_a_sentence_are_trees() -> None:
    from ingest.sample.dice import Dice

    for author, style in styles().items():
        for number in range(40):
            tokens = Composer(style, Dice(f"test|{author}|{number}")).sentence()
            place = {id(token): index for index, token in enumerate(tokens)}
            words = [t for t in tokens if not t.is_punctuation]
            assert sum(t.ud_head is None for t in words) == 1
            assert sum(t.head is None for t in words) == 1
            for token in tokens:
                assert len(token.tag) == 9
                for name in ("head", "ud_head"):
                    at, steps = token, 0
                    while getattr(at, name) is not None:
                        at, steps = getattr(at, name), steps + 1
                        assert id(at) in place and steps <= len(tokens)


def test_articles_and_attributes_agree_with_their_nouns() -> None:
    from ingest.sample.dice import Dice

    for author, style in styles().items():
        for number in range(40):
            for token in Composer(style, Dice(f"agreement|{author}|{number}")).sentence():
                if token.deprel in ("det", "amod") and token.ud_head is not None:
                    assert (token.tag[2], token.tag[6:8]) == (token.ud_head.tag[2], token.ud_head.tag[6:8])


# ---- constructions ---------------------------------------------------------------------------------------------------


def test_every_construction_is_shown_by_a_sentence_of_its_file(folder: Path) -> None:
    found = constructions()
    assert set(KEYS.split()) <= {item.key for item in found}
    repeated = Counter((item.project, item.path, item.sentence) for item in found)
    assert max(repeated.values()) == 1
    ids: dict[Path, set[str | None]] = {}
    for item in found:
        assert item.key and item.note, item
        path = next(p for p in folder.rglob("*") if p.is_file() and p.as_posix().endswith(item.path))
        if path not in ids:
            if item.project in UD:
                ids[path] = set(re.findall(r"^# sent_id = (.+)$", path.read_text(encoding="utf-8"), re.M))
            else:
                ids[path] = {s.get("id") for s in etree.parse(str(path)).getroot().iter("sentence")}
        assert item.sentence in ids[path], item


def test_every_label_is_in_the_label_table(folder: Path) -> None:
    seeds = [p for p in (ROOT / "seeds" / "annotation").glob("*.csv")]
    known: set[str] = set()
    for seed in seeds:
        with seed.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                known |= {value for column, value in row.items() if column in ("relation", "native_relation", "label")}
    if not known:
        pytest.skip("the label table is not there yet")
    used = {
        word.get("relation") or "(empty)"
        for pattern in NATIVE.values()
        for path in folder.glob(pattern)
        for word in etree.parse(str(path)).getroot().iter("word")
    }
    assert used <= known


def test_composed_sentences_share_no_text_and_few_4_grams_between_authors() -> None:
    from ingest.sample.generator import _compose

    seen: set[str] = set()
    owner: dict[tuple[str, ...], set[tuple[str, int]]] = {}
    total = 0
    for part in plan():
        for tokens in _compose(part, seen):
            total += 1
            for gram in four_grams(tokens):
                owner.setdefault(gram, set()).add((part.style, total))
    assert len(seen) == total
    assert "" not in seen and sentence_key([]) == ""
    pairs: Counter[tuple[int, int]] = Counter()
    for holders in owner.values():
        ordered = sorted(holders, key=lambda holder: holder[1])
        for index, (style, number) in enumerate(ordered):
            for other_style, other in ordered[:index]:
                if style != other_style:
                    pairs[other, number] += 1
    assert max(pairs.values(), default=0) < 3


# ---- nothing is taken from the treebanks -----------------------------------------------------------------------------


def words_of(forms: list[str]) -> tuple[str, ...]:
    words = []
    for form in forms:
        bare = unicodedata.normalize("NFD", html.unescape(form)).lower().replace("ς", "σ")
        word = "".join(c for c in bare if "α" <= c <= "ω")
        if word:
            words.append(word)
    return tuple(words)


def raw_sentences(root: Path) -> Iterator[tuple[str, ...]]:
    for pattern in NATIVE.values():
        for path in sorted(root.glob(pattern)):
            for sentence in path.read_text(encoding="utf-8-sig").split("<sentence")[1:]:
                yield words_of([a or b for a, b in re.findall(r"\sform=(?:\"([^\"]*)\"|'([^']*)')", sentence)])
    for project in UD:
        for path in sorted((root / project).glob("*.conllu")):
            for block in path.read_text(encoding="utf-8-sig").split("\n\n"):
                yield words_of(re.findall(r"^\d+\t([^\t]+)", block, re.M))


@pytest.mark.real
def test_no_sentence_of_five_words_stands_in_a_treebank(folder: Path) -> None:
    if not REAL_TREEBANKS.is_dir():
        pytest.skip("the real treebanks do not lie beside this checkout")
    real = {words for words in raw_sentences(REAL_TREEBANKS) if len(words) >= 5}
    ours = {words for words in raw_sentences(folder) if len(words) >= 5}
    assert len(real) > 50_000 and len(ours) > 10_000
    assert not real & ours
