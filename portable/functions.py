"""What Spark has no function for, in Python: each gives what DuckDB's function of the name gives."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def nfc_normalize(text: str | None) -> str | None:
    """Return a text composed, NFC.

    >>> nfc_normalize("ά")
    'ά'
    """
    return None if text is None else unicodedata.normalize("NFC", text)


def strip_accents(text: str | None) -> str | None:
    """Return a text without combining marks.

    >>> strip_accents("ᾄδω")
    'αδω'
    """
    if text is None:
        return None
    apart = unicodedata.normalize("NFD", text)
    kept = (sign for sign in apart if not unicodedata.category(sign).startswith("M"))
    return unicodedata.normalize("NFC", "".join(kept))


FUNCTIONS = (nfc_normalize, strip_accents)
"""All of them; text to text."""


def register(spark: SparkSession) -> None:
    """Make the functions known to a session, under their names."""
    for function in FUNCTIONS:
        spark.udf.register(function.__name__, function, "string")
