"""Whatever the bytes are, a reader comes back with every row accounted for."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.readers import conllu_ud
from ingest.readers.conllu_ud import read_conllu
from ingest.readers.native_xml import read_native
from ingest.readers.records import DocumentFacts, Reading

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "ingest"
FACTS = DocumentFacts("a.xml", 0, "0" * 64, None)
NATIVE = [path.read_bytes() for path in sorted(FIXTURES.glob("*.xml"))]
CONLLU = [path.read_bytes() for path in sorted(FIXTURES.glob("*.conllu"))]
BITS = [b"", b"\t", b"\n", b"\r", b"\n\n", b"<", b">", b"&", b'"', b"#", b"-", b".", b"_", b"0", b"1-1", b"\x00"]
BITS += [b"\xff", "ὁ".encode(), b"\xef\xbb\xbf"]
BITS += [b"<word ", b"<!--", b"-->", b"<!DOCTYPE a [", b"<![CDATA[", b"</sentence>"]

relaxed = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def sound(reading: Reading) -> None:
    assert reading.rows_in_file == reading.rows_read + reading.rows_rejected
    assert reading.rows_rejected == sum(reject.rows_lost for reject in reading.rejects)
    if reading.is_read:
        assert reading.tables["tokens"].num_rows == reading.rows_read
        assert reading.tables["sentences"].num_rows == reading.sentences
        assert all(batch.validate(full=True) is None for batch in reading.tables.values())


@st.composite
def damaged(draw: st.DrawFn, sources: list[bytes]) -> bytes:
    """A good file with a few pieces cut out, doubled or replaced."""
    data = draw(st.sampled_from(sources))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 30)))
        piece = draw(st.one_of(st.sampled_from(BITS), st.just(data[start:stop] * 2), st.binary(max_size=4)))
        data = data[:start] + piece + data[stop:]
    return data


@relaxed
@given(damaged(NATIVE))
def test_damaged_xml_is_read_or_rejected(data: bytes) -> None:
    sound(read_native(data, FACTS))


@relaxed
@given(damaged(CONLLU))
def test_damaged_conllu_is_read_or_rejected(data: bytes) -> None:
    sound(read_conllu(data, FACTS))


@relaxed
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_rejected(data: bytes) -> None:
    sound(read_native(data, FACTS))
    sound(read_conllu(data, FACTS))


@relaxed
@given(damaged(CONLLU))
def test_both_ways_to_split_conllu_agree(data: bytes) -> None:
    at_once, careful = read_conllu(data, FACTS), None
    whole, conllu_ud.sound_fields = conllu_ud.sound_fields, lambda blocks: None
    try:
        careful = read_conllu(data, FACTS)
    finally:
        conllu_ud.sound_fields = whole
    assert at_once == careful


LINE = st.lists(st.text(st.characters(exclude_characters="\t\r\n", exclude_categories=["Cs"]), max_size=5), max_size=12)


@relaxed
@given(st.lists(LINE.map("\t".join), max_size=12))
def test_lines_of_any_fields_are_read_or_rejected(lines: list[str]) -> None:
    sound(read_conllu("\n".join(lines).encode(), FACTS))
