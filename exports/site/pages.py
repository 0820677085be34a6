"""The pages of the site, as texts by their paths. Nothing is fetched, and every value that is shown is escaped."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup, escape

from exports.ask import account
from exports.site import facts
from exports.site.graph import Graph
from exports.site.trace import Field
from exports.warehouse import ExportError, relations, rows

if TYPE_CHECKING:
    import duckdb

TEMPLATES = Path(__file__).parent
FAMILIES = {"all": "every configuration", "chunk": "chunks", "held_out": "held-out tracks"}
LAYERS = (
    ("files", "of the treebanks", "vocabulary/index.html#project"),
    ("raw", "as read", "tables/index.html"),
    ("staging", "typed", "tables/index.html"),
    ("intermediate", "the work", "tables/index.html"),
    ("benchmark", "tracks, splits", "vocabulary/index.html#track"),
    ("corpus", "for linguists", "tables/index.html"),
    ("hub", "as published", "columns/index.html"),
    ("dataset", "in Parquet", "columns/index.html"),
)
MOST_ORIGINS = 40
"""Origins of a table that one column of its page names."""
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def shown(value: Any) -> str:
    """Return a value as a page shows it.

    >>> shown(12345), shown(None), shown(["a", "b"]), shown(0.25)
    ('12,345', '', 'a, b', '0.25')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(shown(one) for one in value)
    return readable(str(value))


def readable(text: str) -> str:
    """Return a text without signs that no page may have."""
    return NO_XML.sub(lambda sign: f"\\u{ord(sign.group()):04x}", text)


LINK = re.compile(r"\[([^\[\]]+)\]\((https://[^\s()`]+)\)")


def prose(text: str) -> Markup:
    """Return a description with its links and names of columns; everything else in it is escaped.

    >>> print(prose("a `b` of [c](https://example.org/) & <d>"))
    a <code>b</code> of <a rel="noreferrer" href="https://example.org/">c</a> &amp; &lt;d&gt;
    """
    escaped = LINK.sub(r'<a rel="noreferrer" href="\2">\1</a>', str(escape(readable(text))))
    return Markup(re.sub(r"`([^`<>]+)`", r"<code>\1</code>", escaped))


def slug(name: str) -> str:
    """Return a name as that of a file, different for different names.

    >>> slug("conllu_human[].upos"), slug("nsubj:pass")
    ('conllu_human-upos', 'nsubj-pass-3cfb')
    """
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name.replace("[].", "-").replace("[]", "")).strip("-.") or "x"
    known = re.fullmatch(r"[a-z0-9_.]+(\[\]\.?[a-z0-9_]*)?", name)
    short = plain[:80]
    return short if known else f"{short}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:4]}"


@dataclass
class Site:
    """What the pages are made of, and the pages.

    Attributes:
        con: a warehouse, for reading.
        graph: the columns of the warehouse.
        fields: the published fields with their ways.
        manifest: what dbt knows of the project.
        hub: the dataset folder.
        texts: files of the project that are put beside the pages, by path.
        has_dbt: dbt's own site is among the pages.
        pages: the files of the site, by path.
    """

    con: duckdb.DuckDBPyConnection
    graph: Graph
    fields: Sequence[Field]
    manifest: Mapping[str, Any]
    hub: Path
    texts: Mapping[str, str]
    has_dbt: bool = False
    pages: dict[str, str] = field(default_factory=dict)
    index: list[tuple[str, str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Read what all pages need."""
        self.docs = {f"docs/{path}" for path in self.texts}
        self.known = relations(self.con)
        self.environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader([TEMPLATES, Path(str(account.__file__)).parent]),
            undefined=jinja2.StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters |= {
            "shown": shown,
            "prose": prose,
            "cut": lambda text: readable(facts.shortened(text)),
        }
        self.nodes = {
            f"{node['schema']}.{node.get('alias') or node.get('identifier') or node['name']}": node
            for node in {**self.manifest["nodes"], **self.manifest["sources"]}.values()
            if node["resource_type"] in ("model", "seed", "source")
        }
        self.edition = self._edition()

    def _edition(self) -> str:
        kind = ""
        if "raw.source" in self.known:
            kind = next((row["kind"] for row in rows(self.con, "select kind from raw.source order by kind")), "")
        sample = "The bundled SAMPLE, not the treebanks. " if kind == "sample" else ""
        sums = self.hub / "SHA256SUMS"
        number = hashlib.sha256(sums.read_bytes()).hexdigest()[:16] if sums.is_file() else "without a dataset"
        return f"{sample}Edition {number}. Made by sphragis docs; all licences are those of the projects."

    def add(self, path: str, template: str, title: str, **values: Any) -> None:
        """Render a page."""
        up = "../" * path.count("/")
        page = self.environment.get_template(template).render(title=title, up=up, edition=self.edition, **values)
        if path in self.pages:
            raise ExportError(f"two pages of the site have the path {path}")
        self.pages[path] = readable(page)

    def decision_page(self, number: int) -> str | None:
        """Return the path of the record of a decision; None when it is not among the texts of the project."""
        found = (f"docs/{path}" for path in sorted(self.texts) if path.startswith(f"decisions/{number:04d}-"))
        return next(found, None)

    def page_of(self, relation: str) -> str | None:
        """Return the file of the page of a relation in the folder `tables`; None for a constant."""
        return f"{slug(relation)}.html" if relation in self.graph.nodes else None


def seed_table(
    site: Site, name: str, where: Mapping[str, str] | None = None, most: int = facts.MOST_ROWS
) -> dict[str, Any]:
    """Return the rows of a seed for a page; columns without any value are left out."""
    found = facts.seed_rows(site.con, name, where)
    names, lines = facts.as_table(found)
    used = [place for place in range(len(names)) if any(line[place] is not None for line in lines)]
    rows_told = f"{len(lines):,} row{'' if len(lines) == 1 else 's'}"
    caption = f"seeds/{name}, " + (f"the first {most} of {rows_told}" if len(lines) > most else rows_told)
    return {
        "name": f"seeds.{name}",
        "page": f"{slug(f'seeds.{name}')}.html",
        "names": [names[place] for place in used],
        "lines": [[line[place] for place in used] for line in lines[:most]],
        "caption": caption,
    }


def counted(site: Site, title: str, query: str, *values: Any) -> dict[str, Any]:
    """Return the rows of a query for a page."""
    names, lines = facts.as_table(rows(site.con, query, *values))
    return {"title": title, "names": names, "lines": lines, "caption": title}


def first_of(description: str) -> str:
    """Return the first sentence of a description.

    >>> first_of("One row per word. It is long.")
    'One row per word.'
    """
    return re.split(r"(?<=[.:])\s", " ".join(description.split()), maxsplit=1)[0]
