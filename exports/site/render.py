"""All files of the site, as texts by their paths."""

from __future__ import annotations

import json

from exports.site import facts
from exports.site.build import build, lineage_files
from exports.site.columns import columns
from exports.site.drawings import layers_picture
from exports.site.pages import LAYERS, TEMPLATES, Site
from exports.site.sentences import Places, promise, sentences
from exports.site.tables import tables
from exports.site.vocabulary import vocabulary
from exports.warehouse import rows


def render(site: Site) -> dict[str, str]:
    """Return all files of the site by their paths."""
    facts.occurrences(site.con)
    places = Places(site)
    questions = promise(site, places)
    columns(site, places)
    tables(site)
    vocabulary(site, places)
    build(site)
    sentences(site, places, questions)
    lineage_files(site)
    for path, text in site.texts.items():
        site.pages[f"docs/{path}"] = text
    for name in ("site.css", "search.js"):
        site.pages[name] = (TEMPLATES / name).read_text(encoding="utf-8")
    site.index += [
        (
            "What a row is",
            "page",
            "index.html#row",
            "a sentence or a chunk, with its author as label, its text and its tree",
        ),
        ("Sentences", "page", "files/index.html", "every sentence of every file, with its line and what became of it"),
    ]
    told = json.dumps(sorted(site.index), ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    site.pages["search_index.js"] = f"window.SPHRAGIS_INDEX = {told};\n"
    site.add("search.html", "search.html.jinja", "Search")
    numbers = [
        [name, rows(site.con, f"select count(*) as n from {relation}")[0]["n"]]
        for name, relation in (
            ("sentences read", "corpus.sentence_fates"),
            ("sentences published, on one track or several", "hub.sentences"),
            ("words published", "hub.tokens"),
            ("rows of all configurations", "hub.rows"),
        )
    ]
    site.add(
        "index.html", "index.html.jinja", "From a published value back to its line", fields=len(site.fields),
        layers=layers_picture(LAYERS), has_dbt=site.has_dbt, numbers=numbers,
    )  # fmt: skip
    return site.pages
