"""CoNLL-U as text: what is written is read again, and a line that is no row says why."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machine.conllu_text import read_parses, render
from machine.interface import MachineError, Parsed, Sentence
from runtime import conllu
from runtime.conllu import RowError, blocks, columns, comment_values, render_conllu, sent_id

ROW = "1\tναί\t_\tINTJ\t_\t_\t0\troot\t_\t_"


def test_the_examples_hold() -> None:
    found = doctest.testmod(conllu)
    assert found.attempted and not found.failed


@given(
    st.lists(st.lists(st.sampled_from(["ναί", "οὔ", "#", "μὴ"]), min_size=1, max_size=4), max_size=4),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from(["", "\n", "\n\n \n", "\n\t"]),
)
def test_what_is_written_is_read_again(unit: list[list[str]], end: str, mark: str, after: str) -> None:
    """Whatever the line ends are, with a byte order mark, without a last blank line or with blanks behind it."""
    known: dict[str, str | None] = dict.fromkeys(["lemma", "upos", "feats", "deprel"])
    trees = [[{"id": place, "form": form, "head": 0, **known} for place, form in enumerate(one, 1)] for one in unit]
    names = [f"s-{number}" for number in range(len(unit))]
    text = render_conllu(trees, names, {"author": "Lysias"}).rstrip("\n") + after
    read = list(blocks(mark + text.replace("\n", end)))
    assert [comment_values(block.comments)["sent_id"] for block in read] == names
    assert [[columns(row, place)[1] for place, row in enumerate(block.rows, 1)] for block in read] == unit
    lines = text.split("\n")
    assert all(lines[number - 1] == line for block in read for number, line in block.lines())


def test_a_comment_between_rows_is_left_to_the_reader() -> None:
    [block] = blocks(f"# sent_id = s-1\n{ROW}\n# sent_id = s-2\n")
    assert [(line, sent_id(text)) for line, text in block.numbered_rows()] == [(2, None), (3, "s-2")]


@pytest.mark.parametrize(
    ("row", "token", "message"),
    [
        ("1\tναί", "1", "expected 10 columns with tabs between them, found 2"),
        ("ναί", None, "expected 10 columns with tabs between them, found 1"),
        (ROW.replace("1", "1-2", 1), "1-2", "expected token 1, found the multiword token 1-2: published tokens are"),
        (
            ROW.replace("1", "0.1", 1),
            "0.1",
            "expected token 1, found the empty node 0.1: published sentences have none",
        ),
        (ROW.replace("1", "2", 1), "2", "expected token 1, found '2'"),
    ],
)
def test_a_line_that_is_no_row_says_why(row: str, token: str | None, message: str) -> None:
    with pytest.raises(RowError, match=message) as caught:
        columns(row, 1)
    assert caught.value.token == token


@pytest.mark.parametrize("blank", ["\t", "\n", "\r"])
def test_a_value_that_would_cut_a_line_in_two_is_not_written(blank: str) -> None:
    with pytest.raises(ValueError, match="a field holds a tab or a line end"):
        conllu.row(1, "ναί", None, None, None, 0, f"nsubj:a{blank}b")
    parse = Parsed("s-1", ["INTJ"], [""], [0], [f"root:a{blank}b"])
    with pytest.raises(MachineError, match="sentence s-1: token 1 'ναί': a field holds"):
        list(render([Sentence("s-1", ["ναί"])], [parse]))


def test_parses_are_read_as_they_were_written() -> None:
    sentences = [Sentence("s-1", ["ναί"]), Sentence("s-2", ["οὐ", "λέγει"])]
    parses = [
        Parsed("s-1", ["INTJ"], [""], [0], ["root"]),
        Parsed("s-2", ["ADV", "VERB"], ["Polarity=Neg", "Mood=Ind"], [2, 0], ["advmod", "root"]),
    ]
    assert read_parses("".join(render(sentences, parses, {"s-1": 0, "s-2": 1}))) == (sentences, parses)
