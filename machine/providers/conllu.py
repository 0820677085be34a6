"""Parses made elsewhere, from one CoNLL-U file or a folder of them: the way in for a machine with a GPU.

Sentences are matched by ``# sent_id``, the published id, in any order; their tokens must be the published ones.
Whatever is missing, there twice or different is named and stops the build. Sentences that are not published (of
another edition, say) are counted and otherwise ignored, faults in them too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.readers.encoding import find_utf8_fault
from machine.check import EXAMPLES, form_difference, raise_findings
from machine.conllu_text import BlockError, read_block
from machine.interface import Corpus, MachineError, Parsed, Say
from runtime.conllu import Block, blocks, comment_values

MODEL_COMMENTS = ("model", "udpipe_model", "generator")
"""Comments of the first sentence that say what the parser was."""


class ConlluProvider:
    """Reads parses from files.

    Attributes:
        name: ``conllu``.
        path: a CoNLL-U file, or a folder whose ``*.conllu`` files are read in the order of their names; None when
            nothing was given.
    """

    name = "conllu"

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.checksums: dict[Path, str] = {}
        self.model: str | None = None
        self.unpublished = 0

    def identity(self, corpus: Corpus) -> dict[str, Any]:
        """Return names and checksums of the files: the parse is what they hold."""
        self.checksums = {path: hashlib.sha256(_read_bytes(path)).hexdigest() for path in self.files()}
        files = [{"file": path.name, "sha256": checksum} for path, checksum in self.checksums.items()]
        return {
            "provider": self.name,
            "model": None,
            "revision": None,
            "configuration": {"files": files},
            "versions": {},
            "seed": None,
        }

    def files(self) -> list[Path]:
        """Return the files to be read.

        Raises:
            MachineError: no path was given, or there is nothing to read at it.
        """
        if self.path is None:
            raise MachineError(
                "SPHRAGIS_MACHINE=conllu: expected a CoNLL-U file or a folder of *.conllu files in SPHRAGIS_PARSE, "
                "found nothing"
            )
        if self.path.is_dir():
            found = sorted(path for path in self.path.glob("*.conllu") if path.name[0] != "." and path.is_file())
            if not found:
                raise MachineError(f"SPHRAGIS_PARSE: expected *.conllu files in the folder {self.path}, found none")
            return found
        if not self.path.is_file():
            raise MachineError(f"SPHRAGIS_PARSE: expected a CoNLL-U file or a folder, found nothing at {self.path}")
        return [self.path]

    def parse(self, corpus: Corpus, cache: Path, say: Say) -> list[Parsed]:
        """Read the files.

        Raises:
            MachineError: names the file, sentence and token of the first faults and counts the others.
        """
        forms = {sentence.id: sentence.forms for sentence in corpus.sentences}
        found: dict[str, tuple[Parsed, str]] = {}
        findings: list[str] = []
        unpublished: list[str] = []
        self.model = None
        for path, first, block in self._blocks():
            place = f"{path.name} line {block.line}"
            comments = comment_values(block.comments)
            name = comments.get("sent_id")
            if first:
                self.model = next((comments[key] for key in MODEL_COMMENTS if comments.get(key)), None)
            if not block.rows:
                continue
            if not name:
                findings.append(f"{place}: expected a comment with sent_id before the tokens, found none")
            elif name not in forms:
                unpublished.append(name)
            elif name in found:
                findings.append(f"{place}: sentence {name}: expected once, found again; first at {found[name][1]}")
            else:
                try:
                    sentence, parse = read_block(block, name)
                except BlockError as error:
                    findings.append(f"{path.name} {error} (sentence {name})")
                    found[name] = (Parsed(name, [], [], [], []), place)
                    continue
                difference = form_difference(forms[name], sentence.forms)
                if difference:
                    findings.append(f"{place}: sentence {name}: {difference}")
                found[name] = (parse, place)
        findings += [
            f"sentence {sentence.id}: expected in {len(self.checksums)} file(s), found in none"
            for sentence in corpus.sentences
            if sentence.id not in found
        ]
        raise_findings(findings, "parses made elsewhere: sentences that do not match the published ones")
        self.unpublished = len(unpublished)
        if unpublished:
            more = ", ..." if len(unpublished) > EXAMPLES else ""
            names = ", ".join(unpublished[:EXAMPLES]) + more
            say(f"machine layer: {len(unpublished)} sentences of the files are not published and are ignored: {names}")
        return [found[sentence.id][0] for sentence in corpus.sentences]

    def _blocks(self) -> Iterator[tuple[Path, bool, Block]]:
        """Yield file and sentence of everything in the files, and whether it is the first sentence of all."""
        first = True
        for path, checksum in self.checksums.items():
            data = _read_bytes(path)
            if hashlib.sha256(data).hexdigest() != checksum:
                raise MachineError(f"{path.name}: expected the content of a moment ago, found another; start again")
            fault = find_utf8_fault(data)
            if fault:
                raise MachineError(f"{path.name} line {fault.line}: {fault}")
            for block in blocks(data.decode()):
                yield path, first, block
                first = False

    def facts(self, corpus: Corpus) -> dict[str, Any]:
        """Return what the files say of their parser, and how many of their sentences are not published."""
        return {"model": self.model, "unpublished_sentences": self.unpublished}


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MachineError(f"{path.name}: expected a file that can be read: {error.strerror}") from error
