"""Pages of sentences: everything about those that examples name, and of every file where each of its sentences went."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from markupsafe import Markup, escape

from exports.ask.account.read import read_account
from exports.ask.account.sections import Cell, sections
from exports.ask.pictures.record import MOST_WORDS, drawn_layers, read_picture
from exports.ask.pictures.svg import as_markup
from exports.ask.query import askable
from exports.site.pages import Site, readable, slug
from exports.warehouse import ExportError, rows
from runtime.checkout import project_root
from runtime.command import visible

MOST_LINES = 200
"""Rows of a table about a sentence that its page shows."""
MOST_DRAWN = 60
"""Words of the longest sentence whose tree its page draws; a picture of a longer one is as large as ten pages."""
OF_A_QUESTION = 2
"""Hits of a question of the cookbook that have a page."""
OF_A_FATE = 2
"""Sentences of a fate that have a page, chosen by checksum."""

PLACES = """
    select
        sentences.sentence_id, sentences.project, sentences.path, sentences.position, sentences.line, sentences.fate,
        sentences.split, fates.reason, sentences.survivor_id, published.id
    from corpus.sentences as sentences
    left join corpus.sentence_fates as fates on sentences.sentence_id = fates.sentence_id
    left join hub.sentences as published on sentences.sentence_id = published.sentence_id
    order by sentences.project, sentences.path, sentences.position
"""
FILES = """
    select project, path, min(url) as url, min(license) as licence, min(revision) as revision
    from corpus.source_records group by project, path order by project, path
"""
FATES = """
    select sentence_id from corpus.sentence_fates
    qualify row_number() over (partition by fate order by sha256(sentence_id), sentence_id) <= ?
    order by fate, sentence_id
"""


class Places:
    """Where every sentence is told of: on its own page, or in the list of its file.

    Args:
        site: the site that is made.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        self.found = rows(site.con, PLACES)
        self.anchors = {row["sentence_id"]: f"{file_page(row)}#s{row['position']}" for row in self.found}
        self.names = {row["id"]: row["sentence_id"] for row in self.found if row["id"]}
        self.own: dict[str, str] = {}

    def give_page(self, sentence_id: str) -> str:
        """Promise a page of its own to a sentence, and return its path."""
        if sentence_id not in self.anchors:
            raise ExportError(f"no sentence {visible(sentence_id)} to make a page of")
        name = hashlib.sha256(sentence_id.encode("utf-8", "replace")).hexdigest()[:16]
        return self.own.setdefault(sentence_id, f"sentence/{name}.html")

    def address(self, sentence_id: str | None) -> str | None:
        """Return where a sentence is told of; None when there is none of the name."""
        known = str(sentence_id)
        return self.own.get(known) or self.anchors.get(known)

    def of_row(self, published_id: str) -> str | None:
        """Return where a published sentence is told of; None for a chunk."""
        return self.address(self.names.get(published_id))


def file_page(row: dict[str, Any]) -> str:
    """Return the path of the page of a file."""
    return f"files/{slug(row['project'] + '/' + row['path'])}.html"


def promise(site: Site, places: Places) -> list[dict[str, Any]]:
    """Promise pages to the sentences that are shown as examples, and return the questions of the cookbook."""
    for row in rows(site.con, FATES, OF_A_FATE):
        places.give_page(row["sentence_id"])
    questions = list(cookbook(site))
    for question in questions:
        for line in question["hits"]:
            places.give_page(line["sentence_id"])
    return questions


def cookbook(site: Site) -> Iterator[dict[str, Any]]:
    """Yield the questions of the cookbook, each with some of its hits, chosen by checksum."""
    for path in sorted((project_root(ExportError) / "analyses" / "cookbook").glob("*.sql")):
        text = askable(path.read_text(encoding="utf-8"))
        query = f"""
            with hits as (\n{text}\n)
            select * from hits where sentence_id is not null
            qualify row_number() over (order by sha256('{path.stem}' || sentence_id), hits) <= {OF_A_QUESTION}
            order by sha256('{path.stem}' || sentence_id), hits
        """
        node: dict[str, Any] = next((one for one in site.manifest["nodes"].values() if one["name"] == path.stem), {})
        yield {
            "name": path.stem,
            "title": text.partition("\n")[0].removeprefix("-- "),
            "description": str(node.get("description") or ""),
            "hits": rows(site.con, query),
        }


def sentences(site: Site, places: Places, questions: Sequence[dict[str, Any]]) -> None:
    """Write the pages of sentences, the cookbook, the lists of files, and the look-up of published ids."""
    for name, path in sorted(places.own.items()):
        sentence_page(site, places, name, path)
    told = [
        {**question, "lines": [(places.address(hit["sentence_id"]), hit) for hit in question["hits"]]}
        for question in questions
    ]
    site.add("cookbook.html", "cookbook.html.jinja", "Questions to the corpus", questions=told)
    site.index.append(("Questions to the corpus", "page", "cookbook.html", "worked questions with some of their hits"))
    files(site, places)
    look_up(site, places)


def sentence_page(site: Site, places: Places, name: str, path: str) -> None:
    """Write the page of a sentence."""
    account = read_account(site.con, name)
    drawing: Markup | str = ""
    layers = drawn_layers(site.con, name)
    drawn = [layer for layer in ("native", "published") if layer in layers]
    if drawn and len(account.words) <= min(MOST_DRAWN, MOST_WORDS):
        drawing = as_markup(read_picture(site.con, name, drawn))
    title = visible(account.citation or name)
    site.add(
        path, "sentence.html.jinja", title, account=account, drawing=drawing, most=MOST_DRAWN,
        place=f"../{places.anchors[name]}", sections=sections(account, MOST_LINES), link=linked(site, places, "../"),
    )  # fmt: skip
    site.index.append((visible(name), "sentence", path, f"{visible(account.fate)}: {title}"))
    if account.published_id:
        site.index.append((visible(account.published_id), "published sentence", path, title))


def linked(site: Site, places: Places, up: str) -> Callable[[Cell], str | None]:
    """Return what gives the address of a value in the record of a sentence, seen from a page."""

    def address(cell: Cell) -> str | None:
        target = cell.target or cell.text
        if cell.kind == "address":
            return target if target.startswith("https://") else None
        path: str | None = None
        if cell.kind == "sentence":
            path = places.address(target)
        elif cell.kind == "row":
            path = places.of_row(target)
        elif cell.kind in ("fate", "track", "project", "author"):
            path = f"{cell.kind}/{slug(target)}.html"
            path = path if path in site.pages else None
        elif cell.kind == "decision" and target:
            path = site.decision_page(int(target))
        return None if path is None else up + path

    return address


# Files ----------------------------------------------------------------------------------------------------------------


def files(site: Site, places: Places) -> None:
    """Write a page for every file with all its sentences, and the list of files."""
    known = {(row["project"], row["path"]): row for row in rows(site.con, FILES)}
    by_file: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in places.found:
        by_file.setdefault((row["project"], row["path"]), []).append(row)
    listed = []
    for (project, path), found in by_file.items():
        of = known.get((project, path), {})
        page = file_page(found[0])
        address = str(of.get("url") or "")
        name = f"{project}/{path}"
        published = sum(1 for row in found if row["id"])
        site.add(
            page, "file.html.jinja", visible(name), project=project, of=of, count=len(found),
            project_page=f"../project/{slug(project)}.html", published=published,
            address=address if address.startswith("https://") else "",
            lines=Markup("\n").join(line_of(row, places) for row in found),
        )  # fmt: skip
        site.index.append((visible(name), "file", page, f"{published:,} of its {len(found):,} sentences are published"))
        listed.append({"name": name, "page": page.partition("/")[2], "count": len(found), "published": published})
    site.add("files/index.html", "files.html.jinja", "Files of the treebanks", files=listed)


def line_of(row: dict[str, Any], places: Places) -> Markup:
    """Return the row of a sentence in the list of its file; cells without an end, which HTML allows, save megabytes."""
    reason = Markup("")
    told = row["split"] or row["fate"]
    if row["survivor_id"] is not None:
        target = places.address(row["survivor_id"])
        there = escape(readable(row["reason"] or ""))
        reason = Markup('<a href="../{}">its survivor</a>').format(target) if target else there
        if row["fate"] != "exact_duplicate" and target:
            reason = there + Markup(" (") + reason + Markup(")")
    elif row["fate"] != "published":
        reason = escape(readable(row["reason"] or ""))
    own = places.own.get(row["sentence_id"])
    name = row["id"] or ("all about it" if own else "")
    shown = Markup('<a href="../{}">{}</a>').format(own, name) if own else escape(readable(name))
    line = "" if row["line"] is None else row["line"]
    return Markup("<tr id=s{}><td>{}<td>{}<td>{}<td>{}<td>{}").format(
        row["position"], row["position"], line, shown, readable(str(told)), reason
    )


def look_up(site: Site, places: Places) -> None:
    """Write the look-up of published ids, in parts by their first two digits: the search loads the one it needs."""
    parts: dict[str, dict[str, str]] = {}
    pages: dict[str, int] = {}
    for row in places.found:
        if row["id"] and str(row["id"]).startswith("s-"):
            number = pages.setdefault(file_page(row), len(pages))
            parts.setdefault(str(row["id"])[2:4], {})[str(row["id"])[4:]] = f"{number}#{row['position']}"
    for name in (f"{number:02x}" for number in range(256)):
        told = json.dumps(parts.get(name, {}), separators=(",", ":")).replace("<", "\\u003c")
        site.pages[f"ids/{name}.js"] = f'SPHRAGIS_FOUND("{name}",{told});\n'
    told = json.dumps(list(pages), separators=(",", ":")).replace("<", "\\u003c")
    site.pages["ids/files.js"] = f"window.SPHRAGIS_FILES = {told};\n"
