"""Parses as CoNLL-U text: what the artefact of a parse and the parses made elsewhere are read from and written as."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from machine.interface import MachineError, Parsed, Sentence
from runtime import conllu
from runtime.conllu import EMPTY, Block, RowError, blocks, comment_values


class BlockError(ValueError):
    """Why a sentence cannot be read; the message has the line."""


def read_block(block: Block, sentence_id: str) -> tuple[Sentence, Parsed]:
    """Read the tokens of a sentence.

    Returns:
        The sentence with the forms of the file, and its parse; of the values only the heads are looked at.

    Raises:
        BlockError: not ten columns, multiword tokens, empty nodes, ids out of order, a head that is no number.
    """
    parse = Parsed(sentence_id, [], [], [], [])
    forms = []
    for number, (line, text) in enumerate(block.numbered_rows(), 1):
        try:
            _, form, _, upos, _, feats, head, deprel, _, _ = conllu.columns(text, number)
        except RowError as error:
            raise BlockError(f"line {line}: {error}") from None
        if not (head.isascii() and head.isdigit()):
            raise BlockError(f"line {line}: token {number} {form!r}: expected a number as head, found {head!r}")
        forms.append(form)
        parse.upos.append(upos)
        parse.feats.append("" if feats == EMPTY else feats)
        parse.heads.append(int(head))
        parse.deprels.append(deprel)
    return Sentence(sentence_id, forms), parse


def read_parses(text: str) -> tuple[list[Sentence], list[Parsed]]:
    """Read sentences and parses back from a text that was written by `render`.

    Raises:
        BlockError: a sentence cannot be read.
        KeyError: a sentence has no id.
    """
    read = [read_block(block, comment_values(block.comments)["sent_id"]) for block in blocks(text)]
    return [sentence for sentence, _ in read], [parse for _, parse in read]


def render(
    sentences: Sequence[Sentence], parses: Iterable[Parsed], folds: Mapping[str, int] | None = None
) -> Iterator[str]:
    """Yield each sentence with its parse as CoNLL-U: the id as comment, the fold where there are folds, no lemmas.

    Raises:
        MachineError: a value holds a tab or a line end.
    """
    for sentence, parse in zip(sentences, parses, strict=True):
        comments = [("sent_id", sentence.id)]
        if folds is not None:
            comments.append(("fold", str(folds[sentence.id])))
        tokens = zip(sentence.forms, parse.upos, parse.feats, parse.heads, parse.deprels, strict=True)
        try:
            rows = [
                conllu.row(number, form, None, upos, feats, head, deprel)
                for number, (form, upos, feats, head, deprel) in enumerate(tokens, 1)
            ]
        except ValueError as error:
            raise MachineError(f"sentence {sentence.id}: {error}") from None
        yield conllu.sentence(rows, comments)
