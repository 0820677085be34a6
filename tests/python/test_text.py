"""The text rules in SQL against a reference in `unicodedata`, on every distinct form of the input."""

from __future__ import annotations

import hashlib
import unicodedata

import pytest
from conftest import Build, connection
from text_reference import is_greek_letter, is_mixed_script, letters_key, published_form


def assert_forms_equal_reference(build: Build) -> None:
    rows = (
        connection(build.db)
        .execute(
            "select native_form, form, folded, is_mixed_script from intermediate.int_text__forms order by native_form"
        )
        .fetchall()
    )
    assert rows
    wrong = [
        (native, form, published_form(native))
        for native, form, folded, mixed in rows
        if form != published_form(native) or (form and folded != letters_key(form)) or mixed != is_mixed_script(form)
    ]
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
    rows = connection(build.db).execute("select text from corpus.sentences where fate = 'published'").fetchall()
    assert rows
    for (text,) in rows:
        assert text == unicodedata.normalize("NFC", text) == text.lower()
        for word in text.split(" "):
            assert any(map(is_greek_letter, word)), text
            # nothing but Greek letters, marks that do not compose, and the sign of a numeral
            rest = [c for c in word if not is_greek_letter(c) and unicodedata.category(c) != "Mn" and c != "\u02b9"]
            assert rest == [], text


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
