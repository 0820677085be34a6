"""Thousands of damaged files through both readers, and the same readings in any process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ingest.readers.conllu_ud import read_conllu
from ingest.readers.native_xml import read_native
from robust import damage_bytes, oracles, readers
from robust.dice import Dice
from robust.oracles import FACTS
from robust.runs import HOOKS
from robust.sources import CONLLU, NATIVE, ROOT

pytestmark = pytest.mark.robust

CASES = 3_600
SIGNS_LARGE = 1_000_000


def told(tally: readers.Tally) -> str:
    """Return the first failures with bytes to be read again."""
    lines = [
        f"{case.name} ({', '.join(case.damages)}): {'; '.join(wrong)}\n    {case.data[:600]!r}"
        for case, wrong in sorted(tally.failures, key=lambda failure: len(failure[0].data))[:5]
    ]
    return f"{len(tally.failures)} of {tally.cases} cases\n" + "\n".join(lines)


@pytest.fixture(scope="module")
def tally() -> readers.Tally:
    total = readers.Tally()
    for part in readers.run_all(readers.load(("sample", "real", "fixtures")), CASES, processes=2):
        total += part
    return total


def test_damaged_files_are_read_or_rejected_and_cost_only_what_is_damaged(tally: readers.Tally) -> None:
    assert not tally.failures, told(tally)


def test_the_damages_reach_the_rows_and_the_neighbours(tally: readers.Tally) -> None:
    assert tally.cases >= CASES
    # A suite whose files are all refused, or all untouched, would prove nothing.
    assert tally.cases / 2 < tally.read < tally.cases
    assert tally.alone > tally.cases / 3
    assert min(tally.damages.values()) > 10


def test_a_reading_is_the_same_in_any_process() -> None:
    script = (
        "import sys; from robust import readers; readers.start(readers.load(('fixtures',)))\n"
        "print(readers.run('fixtures', 'native_xml', 0, 150).digest, readers.run('fixtures', 'conllu', 0, 150).digest)"
    )
    paths = ":".join(str(ROOT / folder) for folder in ("tests", "tests/python", "."))
    found = {
        subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, env={"PYTHONPATH": paths, "PYTHONHASHSEED": seed,
            "LC_ALL": locale}, capture_output=True, text=True, check=True,
        ).stdout
        for seed, locale in (("0", "C"), ("1", "C.UTF-8"), ("917", "C"))
    }  # fmt: skip
    assert len(found) == 1


def test_a_case_is_known_by_its_name() -> None:
    readers.start(readers.load(("fixtures",)))
    assert readers.make("fixtures", NATIVE, 7) == readers.make("fixtures", NATIVE, 7)
    assert readers.make("fixtures", NATIVE, 7) != readers.make("fixtures", NATIVE, 8)
    assert [Dice("a").below(1000) for _ in range(2)] == [Dice("a").below(1000)] * 2


@pytest.mark.parametrize("sign", sorted({sign for sign in damage_bytes.SIGNS if len(sign) > 1 and sign.isascii()}))
def test_a_megabyte_of_one_sign_is_read_or_rejected(sign: bytes) -> None:
    many = sign * (SIGNS_LARGE // len(sign))
    head, tail = b"<treebank><sentence id='1'>", b"<word id='1'/></sentence></treebank>"
    word = b"1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
    for data in (many, head + many + tail, head + b"<!-- " + many.replace(b"--", b"- -") + b" -->" + tail):
        with readers.watched():
            assert not oracles.account(read_native(data, FACTS), data)
    for data in (many, b"# sent_id = 1\n" + many + b"\n" + word, b"# sent_id = 1\n" + word + b"\n" + many):
        with readers.watched():
            assert not oracles.account(read_conllu(data, FACTS), data)


def test_every_format_has_pieces() -> None:
    pieces = readers.load(("fixtures",))
    assert {format for _, format in pieces} == {NATIVE, CONLLU}
    assert HOOKS.is_dir()
