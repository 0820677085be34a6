"""The published text alone: no header, no markup, no metadata, so that a word count counts Greek words only.

Files are named `<author>_<number>.txt`; the class of a file is everything before the underscore, which is why a
label with an underscore is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from exports.ask.ids import find
from exports.dataset import schema
from exports.warehouse import ExportError, open_read_only


def read_texts(folder: Path, configuration: str, split: str) -> Iterator[tuple[str, list[str]]]:
    """Yield author and sentences of every row of a split, in the order of the ids.

    Raises:
        ExportError: there is no such configuration or split.
    """
    import pyarrow.parquet as pq

    schema.check_names([configuration], [split])
    path = folder / schema.data_file(configuration, split)
    if not path.is_file():
        found = list((folder / "data").glob("*/*.parquet"))
        if any(file.parent.name == configuration for file in found):
            known = sorted({file.name.partition("-")[0] for file in found if file.parent.name == configuration})
        else:
            known = sorted({file.parent.name for file in found})
        raise ExportError(f"no split {split} of {configuration} in {folder}; there is: {', '.join(known) or 'nothing'}")
    table = pq.read_table(path, columns=["author", "text"])
    yield from zip(table["author"].to_pylist(), table["text"].to_pylist(), strict=True)


def file_name(author: str, number: int) -> str:
    """Return the name of the file of a row.

    >>> file_name("Diodorus Siculus", 7)
    'Diodorus Siculus_00007.txt'
    >>> file_class(file_name("Homeric-Iliad", 1))
    'Homeric-Iliad'

    Raises:
        ExportError: the label cannot be read back from a file name.
    """
    if "_" in author or "/" in author:
        raise ExportError(f"the label {author!r} has an underscore or a slash: file names could not tell it")
    return f"{author}_{number:05d}.txt"


def file_class(name: str) -> str:
    """Return the label of a file, by the rule of `file_name`."""
    return name.partition("_")[0]


def write_texts(folder: Path, configuration: str, split: str, target: Path) -> int:
    """Write one file per row, one sentence per line, and return the number of files."""
    numbers: Counter[str] = Counter()
    target.mkdir(parents=True, exist_ok=True)
    for author, sentences in read_texts(folder, configuration, split):
        numbers[author] += 1
        (target / file_name(author, numbers[author])).write_text("\n".join(sentences) + "\n", encoding="utf-8")
    return numbers.total()


def configurations(folder: Path | None) -> list[str]:
    """Return the configurations of a dataset folder, by default that of the build; none where there is no dataset."""
    from runtime.settings import load_settings

    return sorted(path.name for path in ((folder or load_settings().hub) / "data").glob("*") if path.is_dir())


def text_of(warehouse: Path, name: str) -> list[str]:
    """Return the texts of the sentences that an id stands for.

    Raises:
        ExportError: there is no such id.
    """
    with open_read_only(warehouse) as con:
        found = find(con, name)
        rows = con.execute(
            "select sentence_id, text from corpus.sentences where sentence_id in (select unnest(?::varchar[]))",
            [list(found.sentences)],
        ).fetchall()
    texts = dict(rows)
    return [str(texts[sentence] or "") for sentence in found.sentences]
