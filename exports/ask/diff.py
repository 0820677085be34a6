"""What changed between two editions: rows added, removed and moved, columns, per author; for the changelog.

Sentences are compared by id, which they have in every edition, because it comes from their letters; chunks by their
sentences, so that editions that name chunks differently can be compared: one with other sentences is another chunk. A
configuration whose test split differs gives scores that cannot be compared with those of the other edition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.warehouse import ExportError

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Row:
    """What is compared of a row: its split, its label, a digest of its content, and the id by which it goes."""

    split: str
    author: str
    content: str
    id: str = ""


def configurations(folder: Path) -> list[str]:
    """Return the names of the configurations of an edition.

    Raises:
        ExportError: the folder is no dataset.
    """
    found = sorted(path.name for path in (folder / "data").glob("*") if path.is_dir())
    if not found:
        raise ExportError(f"{folder} is not a dataset folder: it has no data/<configuration>")
    return found


def _schema(folder: Path, configuration: str) -> dict[str, str]:
    """Return the columns of a configuration with their types."""
    import pyarrow.parquet as pq

    path = min((folder / "data" / configuration).glob("*.parquet"))
    return {field.name: str(field.type) for field in pq.read_schema(path)}


def _digests(table: pa.Table) -> list[str]:
    """Return a digest of text and trees (sentences) or of the constituents (chunks) of every row."""
    import hashlib

    from exports.dataset.conllu import render_sentences

    if "constituent_ids" in table.column_names:
        return [" ".join(ids) for ids in table["constituent_ids"].to_pylist()]
    digests = []
    trees = [
        table[name].combine_chunks().flatten().flatten()
        for name in ("conllu_human", "conllu_machine")
        if name in table.column_names
    ]
    layers = [render_sentences(sentences) for sentences in trees if len(sentences)]
    for place, texts in enumerate(table["text"].to_pylist()):
        digest = hashlib.sha256("\n".join(texts).encode())
        for layer in layers:
            digest.update(layer[place].encode())
        digests.append(digest.hexdigest())
    return digests


def read_rows(folder: Path, configuration: str) -> dict[str, Row]:
    """Return the rows of a configuration by what they are known by in every edition."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows: dict[str, Row] = {}
    for path in sorted((folder / "data" / configuration).glob("*.parquet")):
        file = pq.ParquetFile(path)
        known = file.schema_arrow.names
        wanted = ["id", "author", "split"]
        wanted += ["constituent_ids"] if "constituent_ids" in known else ["text", "conllu_human", "conllu_machine"]
        for batch in file.iter_batches(batch_size=5000, columns=[name for name in wanted if name in known]):
            table = pa.Table.from_batches([batch])
            for name, author, split, content in zip(
                table["id"].to_pylist(),
                table["author"].to_pylist(),
                table["split"].to_pylist(),
                _digests(table),
                strict=True,
            ):
                rows[content if "constituent_ids" in table.column_names else name] = Row(split, author, content, name)
    return rows


def compare_rows(before: Mapping[str, Row], after: Mapping[str, Row]) -> dict[str, Any]:
    """Compare the rows of a configuration in two editions.

    >>> a = {"s-1": Row("train", "Lysias", "x"), "s-2": Row("test", "Lysias", "y")}
    >>> b = {"s-1": Row("test", "Lysias", "x"), "s-3": Row("train", "Plato", "z")}
    >>> found = compare_rows(a, b)
    >>> found["added"], found["removed"], found["moved"], found["is_comparable"]
    (1, 1, {'train to test': 1}, False)
    >>> compare_rows({"s-1 s-2": Row("test", "Plato", "", "a")}, {"s-1 s-2": Row("test", "Plato", "", "b")})["renamed"]
    1
    >>> found["by_author"]["Lysias"]
    {'added': 0, 'changed': 0, 'moved': 1, 'relabelled': 0, 'removed': 1}
    """
    kinds = ("added", "removed", "moved", "relabelled", "changed")
    authors: dict[str, Counter[str]] = {}
    totals: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    renamed = 0
    test_changed = False

    def note(kind: str, author: str) -> None:
        totals[kind] += 1
        authors.setdefault(author, Counter())[kind] += 1

    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is not None and new is not None:
            renamed += old.id != new.id
            if (old.split, old.author, old.content) == (new.split, new.author, new.content):
                continue
        test_changed |= "test" in {row.split for row in (old, new) if row is not None}
        if old is None and new is not None:
            note("added", new.author)
        elif new is None and old is not None:
            note("removed", old.author)
        elif old is not None and new is not None:
            if old.split != new.split:
                moves[f"{old.split} to {new.split}"] += 1
                note("moved", new.author)
            if old.author != new.author:
                note("relabelled", new.author)
            if old.content != new.content:
                note("changed", new.author)
    return {
        "rows": {"before": len(before), "after": len(after)},
        "added": totals["added"],
        "removed": totals["removed"],
        "moved": dict(sorted(moves.items())),
        "relabelled": totals["relabelled"],
        "changed": totals["changed"],
        "renamed": renamed,
        "by_author": {
            author: {kind: counts[kind] for kind in sorted(kinds)} for author, counts in sorted(authors.items())
        },
        "is_comparable": not test_changed,
    }


def compare_schemas(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, Any]:
    """Compare the columns of a configuration in two editions."""
    return {
        "added": sorted(after.keys() - before.keys()),
        "removed": sorted(before.keys() - after.keys()),
        "changed": {
            name: {"before": before[name], "after": after[name]}
            for name in sorted(before.keys() & after.keys())
            if before[name] != after[name]
        },
        "order_changed": [name for name in before if name in after] != [name for name in after if name in before],
    }


def compare(before: Path, after: Path) -> dict[str, Any]:
    """Compare two editions; the result is made for JSON."""
    old, new = configurations(before), configurations(after)
    result: dict[str, Any] = {
        "configurations": {
            "added": sorted(set(new) - set(old)),
            "removed": sorted(set(old) - set(new)),
        },
        "compared": {},
    }
    for name in sorted(set(old) & set(new)):
        result["compared"][name] = {
            "schema": compare_schemas(_schema(before, name), _schema(after, name)),
            **compare_rows(read_rows(before, name), read_rows(after, name)),
        }
    return result


def is_same(found: Mapping[str, Any]) -> bool:
    """Return True when nothing differs."""
    parts = found["compared"].values()
    return not any(found["configurations"].values()) and all(
        not part["by_author"] and not part["renamed"] and not any(part["schema"].values()) for part in parts
    )


def as_text(found: Mapping[str, Any]) -> str:
    """Return a comparison as text for the changelog."""
    if is_same(found):
        return "No row and no column differs.\n"
    lines = [f"New configuration: {name}" for name in found["configurations"]["added"]]
    lines += [f"Configuration gone: {name}" for name in found["configurations"]["removed"]]
    for name, part in found["compared"].items():
        schema = part["schema"]
        if not part["by_author"] and not part["renamed"] and not any(schema.values()):
            continue
        lines.append(f"{name}: {part['rows']['before']:,} -> {part['rows']['after']:,} rows")
        lines.append(
            "  scores are comparable"
            if part["is_comparable"]
            else "  scores are NOT comparable: the test split differs"
        )
        lines += [f"  column new: {column}" for column in schema["added"]]
        lines += [f"  column gone: {column}" for column in schema["removed"]]
        lines += [
            f"  column {column}: {types['before']} -> {types['after']}" for column, types in schema["changed"].items()
        ]
        if schema["order_changed"]:
            lines.append("  order of columns changed")
        moved = ", ".join(f"{count:,} {move}" for move, count in part["moved"].items()) or "none"
        lines.append(
            f"  added {part['added']:,}, removed {part['removed']:,}, moved {moved}, "
            f"relabelled {part['relabelled']:,}, changed {part['changed']:,}"
        )
        if part["renamed"]:
            lines.append(f"  {part['renamed']:,} rows have another id: predictions go by the edition they were made on")
        for author, counts in part["by_author"].items():
            told = ", ".join(f"{kind} {count:,}" for kind, count in counts.items() if count)
            lines.append(f"    {author}: {told}")
    return "\n".join(lines) + "\n"
