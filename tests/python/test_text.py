"""The text rules in SQL against a reference in `unicodedata`: on signs, drawn strings and every form of the input."""

from __future__ import annotations

import csv
import hashlib
import random
import unicodedata
from collections.abc import Iterator

import duckdb
import pytest
from conftest import ROOT, Build, build_environment, connection, dbt, run
from text_reference import is_published_letter, letters_key, publish

from exports.dataset.validation import check_string

SEEDS = ROOT / "seeds" / "text"
BLOCKS = {
    "Greek and Coptic": range(0x370, 0x400),
    "Greek Extended": range(0x1F00, 0x2000),
    "Combining Diacritical Marks": range(0x300, 0x370),
    "General Punctuation": range(0x2000, 0x2070),
    "Superscripts and Subscripts": range(0x2070, 0x20A0),
    "Letterlike Symbols": range(0x2100, 0x2150),
    "Mathematical Operators": range(0x2200, 0x2300),
    "Basic Latin and Latin-1": range(0x20, 0x100),
    "Spacing Modifier Letters": range(0x2B0, 0x300),
    "Mathematical Alphanumeric Symbols, the Greek": range(0x1D6A8, 0x1D7CC),
    "Halfwidth and Fullwidth Forms": range(0xFF00, 0xFF66),
}
PLACES = ("{}λόγος", "λό{}γος", "λόγοσ{}", "{}Αθήνη", "ἀλλ{}ἐγώ", "δι{}", "χω{}", "{}")
Result = tuple[str, str, str | None, str]


def seed(name: str) -> list[dict[str, str]]:
    with (SEEDS / f"{name}.csv").open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def assert_forms_equal_reference(build: Build) -> None:
    rows = (
        connection(build.db)
        .execute("select native_form, form, folded, corruption from intermediate.int_text__forms order by native_form")
        .fetchall()
    )
    assert rows
    wrong = [row for row in rows if row[1:] != expected(row[0])]
    assert wrong == []


def assert_keys_equal_reference(build: Build) -> None:
    rows = (
        connection(build.db)
        .execute("select text, letters, dedup_key from intermediate.int_text__sentences where text is not null")
        .fetchall()
    )
    assert rows
    for text, letters, key in rows:
        assert letters == "".join(map(letters_key, text.split(" ")))
        assert key == hashlib.sha256(letters.encode()).hexdigest()


def assert_published_text_is_clean(build: Build) -> None:
    """Forms and lemmas of every published sentence, and forms of every other one that is not corrupt."""
    con = connection(build.db)
    forms = con.execute(
        "select distinct form from intermediate.int_text__forms where form != '' and corruption is null"
    ).fetchall()
    words = con.execute(
        "select distinct unnest(string_split(text, ' ')) from corpus.sentences where fate = 'published'"
    ).fetchall()
    lemmas = con.execute("select distinct lemma from intermediate.int_text__lemmas where lemma is not null").fetchall()
    assert forms and words and lemmas
    for (value,) in [*forms, *words, *lemmas]:
        assert all(map(is_published_letter, value)), value
        assert check_string(value) is None, value


def expected(native: str) -> tuple[str, str, str | None]:
    """Form, letters key and corruption as the reference has them."""
    found = publish(native)
    return found.form, letters_key(found.form), found.corruption


@pytest.fixture(scope="module")
def normalise(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with a table `values_tried`, to be filled, and a view `published` of it by the models' macro."""
    folder = tmp_path_factory.mktemp("text")
    (folder / "work").mkdir()
    query = "{{ published_forms('main.values_tried', 'native') }}"
    environment = build_environment(folder, None)
    printed = run(dbt("compile", "--inline", query, "--quiet"), environment).stdout
    con = duckdb.connect()
    con.execute("create schema seeds")
    for name in ("published_letters", "signs"):
        con.read_csv(str(SEEDS / f"{name}.csv"), header=True, all_varchar=True).create(f"seeds.{name}")
    con.execute("create table values_tried (native varchar)")
    con.execute("create view published as " + printed[printed.index("with") :].replace('"sphragis".', ""))
    yield con
    con.close()


def results(con: duckdb.DuckDBPyConnection, values: list[str]) -> dict[str, Result]:
    """What the macro makes of each value: form, key, corruption, repairs."""
    con.execute("delete from values_tried")
    con.execute("insert into values_tried select unnest(?)", [sorted(set(values))])
    rows = con.execute("select native, form, folded, corruption, repairs from published").fetchall()
    return {native: (form, folded, corruption, repairs) for native, form, folded, corruption, repairs in rows}


def assert_equal_and_in_the_class(con: duckdb.DuckDBPyConnection, values: list[str]) -> dict[str, Result]:
    found = results(con, values)
    assert sorted(found) == sorted(set(values))
    wrong = [(native, row, expected(native)) for native, row in found.items() if row[:3] != expected(native)]
    assert wrong[:20] == []
    for native, (form, _, corruption, _) in found.items():
        assert corruption or form == "" or check_string(form) is None, native
    return found


@pytest.mark.parametrize("block", BLOCKS)
def test_every_code_point_in_every_place_of_a_word_ends_in_the_class_or_is_corrupt(
    block: str, normalise: duckdb.DuckDBPyConnection
) -> None:
    values = [place.format(chr(point)) for point in BLOCKS[block] for place in PLACES]
    assert_equal_and_in_the_class(normalise, values)


def test_drawn_strings_of_letters_marks_and_signs_equal_the_reference(normalise: duckdb.DuckDBPyConnection) -> None:
    draw = random.Random(917)
    letters = "αβεηικλορστυωΑΕΟΡΣςἀἐὁῥῆῷᾧΐϋάὰὼϐϲᾱ"
    marks = "\u0313\u0314\u0300\u0301\u0342\u0308\u0345\u0323\u0304\u030c"
    signs = "’᾽ʼ'‘῾῎´-.·,[](—2² GσA%∆\u200bʹ"
    values = [
        "".join(draw.choice(draw.choice([letters, letters, letters, marks, signs])) for _ in range(draw.randint(1, 8)))
        for _ in range(20_000)
    ]
    assert_equal_and_in_the_class(normalise, values)


def test_published_forms_are_their_own_published_forms(normalise: duckdb.DuckDBPyConnection) -> None:
    letters = [row["letter"] for row in seed("published_letters")]
    inside = [f"τ{letter}να" for letter in letters if letter != "ς"]
    found = results(normalise, inside)
    assert {native: row[0] for native, row in found.items()} == {word: word for word in inside}
    assert {row[2:] for row in found.values()} == {(None, "")}


def test_the_seed_has_exactly_the_letters_of_the_class() -> None:
    rows = seed("published_letters")
    blocks = [*BLOCKS["Greek and Coptic"], *BLOCKS["Greek Extended"]]
    assert [row["letter"] for row in rows] == [chr(point) for point in blocks if is_published_letter(chr(point))]
    for row in rows:
        decomposed = unicodedata.normalize("NFD", row["letter"])
        assert (row["base"], row["marks"]) == (decomposed[0].replace("ς", "σ"), decomposed[1:])
        assert row["code_point"] == f"U+{ord(row['letter']):04X}"


def test_signs_are_composed_and_no_published_letters() -> None:
    letters = {row["letter"] for row in seed("published_letters")}
    for row in seed("signs"):
        sign = chr(int(row["code_point"][2:], 16))
        assert sign == unicodedata.normalize("NFC", sign), row
        assert sign not in letters, row
        assert row["name"] == unicodedata.name(sign).lower(), row
        if row["kind"] in {"variant", "length", "lookalike"}:
            assert set(row["reading"]) <= letters, row


def test_repairs_are_named(normalise: duckdb.DuckDBPyConnection) -> None:
    cases = {
        "λόγος": "",
        "ἀλλ’": "",
        "[καὶ]": "",
        "λόγοισ\u0342ν": "consonant_mark",
        "λόγος2": "digit",
        "δ\u0323ὲ": "editor_mark",
        "ἡρῷ\u0313": "late_breathing",
        "χώρᾱ": "length_sign",
        "χώρα\u0304": "length_sign",
        "ϑεός": "letter_variant",
        "Γ∠": "lookalike_sign",
        "ό\u0313ρος": "mark_order",
        "τ\u0301ις": "moved_accent",
        "᾿Αθήνη": "moved_breathing",
        "ηʹ": "numeral_sign",
        "ἁ\u0313πλῶς": "second_mark",
        "κακό\u0301ς": "second_mark",
        "δαί᾽ς": "stray_sign",
        "ϐί²ος": "digit,letter_variant",
    }
    found = results(normalise, list(cases))
    assert {native: row[3] for native, row in found.items()} == cases


def test_forms_equal_reference(sample_build: Build) -> None:
    assert_forms_equal_reference(sample_build)


def test_keys_equal_reference(sample_build: Build) -> None:
    assert_keys_equal_reference(sample_build)


def test_published_text_is_clean(sample_build: Build) -> None:
    assert_published_text_is_clean(sample_build)


@pytest.mark.real
def test_forms_equal_reference_on_real_input(real_build: Build) -> None:
    assert_forms_equal_reference(real_build)


@pytest.mark.real
def test_keys_equal_reference_on_real_input(real_build: Build) -> None:
    assert_keys_equal_reference(real_build)


@pytest.mark.real
def test_published_text_is_clean_on_real_input(real_build: Build) -> None:
    assert_published_text_is_clean(real_build)
