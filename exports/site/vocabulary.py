"""A page for every relation, class, feature, fate, track and project."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from exports.ask.pictures.record import TITLES, read_picture
from exports.ask.pictures.svg import as_markup
from exports.site import words
from exports.site.facts import LAYERS, Example, counts_of, examples_of, seed_rows, shortened, values_of
from exports.site.pages import Site, counted, seed_table, slug
from exports.site.sentences import Places
from exports.warehouse import ExportError, rows
from runtime.command import visible


def vocabulary(site: Site, places: Places) -> None:
    """Write a page for every word of the vocabulary, and their list."""
    relations = "What a word is to its head, as published or in the full annotation."
    groups = [
        words_of_trees(site, places, "relation", "Relations", relations),
        words_of_trees(site, places, "class", "Parts of speech", "Classes of words."),
        words_of_trees(site, places, "feature", "Features", "Features of words and their values."),
        fates(site, places),
        tracks(site),
        authors(site),
        projects(site),
    ]
    site.add("vocabulary/index.html", "vocabulary.html.jinja", "Vocabulary", groups=groups)


def definitions(site: Site, kind: str) -> dict[str, str]:
    """Return the words of a kind with their definitions, as the seeds have them."""
    found: dict[str, str] = {}
    for seed, column in words.DEFINED_IN[kind]:
        for row in seed_rows(site.con, seed):
            found.setdefault(str(row[column]), str(row.get("reason") or ""))
    return found


def words_of_trees(site: Site, places: Places, kind: str, title: str, said: str) -> dict[str, Any]:
    """Write the pages of relations, classes or features."""
    values = values_of(site.con, kind)
    by = {name: counts_of(site.con, kind, name) for name in ("project", "author")}
    examples = examples_of(site.con, kind)
    defined = definitions(site, kind)
    members: dict[str, list[str]] = {name: [] for name in defined}
    for value in values:
        members.setdefault(value.partition("=")[0] if kind == "feature" else value, []).append(value)
    entries = []
    for name in sorted(members):
        own = sorted(members[name])
        meaning = defined.get(name) or "It is in no list of Universal Dependencies."
        if kind == "feature":
            meaning = f"Values in this edition: {', '.join(value.partition('=')[2] for value in own) or 'none'}."
        by_name, address = words.STANDARDS[kind]
        drawn = [example for value in own for example in examples.get(value, ())][:MOST_EXAMPLES]
        path = f"{kind}/{slug(name)}.html"
        total, full = (sum(values[value].get(layer, 0) for value in own) for layer in LAYERS)
        entry(
            site, path, name, meaning,
            standard={"by": by_name, "url": address.format(standard_name(name))} if name in defined else None,
            remarks=remarks_of(site, kind, name, total, full),
            facts=[["words published", total], ["words of the full annotation", full]],
            decisions=decided(site, kind, name),
            counts=[by_scope(kind, scope, own, found) for scope, found in by.items()],
            examples=[told for example in drawn if (told := drawn_example(site, places, example))],
        )  # fmt: skip
        entries.append({"name": name, "path": path, "meaning": meaning, "count": total or full})
        site.index.append((name, kind, path, shortened(meaning, 120)))
    return group(kind, title, said, "words", entries)


def remarks_of(site: Site, kind: str, name: str, total: int, full: int) -> list[str]:
    """Return what has to be known of a word: what it stands for where it is published, or that it is not."""
    if not total:
        return [f"No published word has it{NOT_PUBLISHED if full else '.'}"]
    seed, read, published = words.STANDS_FOR.get(kind, ("", "", ""))
    found = [str(row[read]) for row in seed_rows(site.con, seed, {published: name})] if seed else []
    if found and found != [name]:
        return [f"Published words have it for {', '.join(sorted(found))} of the full annotation."]
    return []


MOST_EXAMPLES = 6
"""Trees on one page: two of each value of a feature, as long as it has three."""
NOT_PUBLISHED = ": it is of the full annotation, which the published one is a reduction of."


def by_scope(
    kind: str, scope: str, own: Sequence[str], found: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, Any]:
    """Return the words of a name by project or author; of a feature for each of its values."""
    is_feature = kind == "feature"
    lines = [
        [row["name"], *([value] if is_feature else []), *(row[layer] for layer in LAYERS), row["sentences"]]
        for value in own
        for row in found.get(value, ())
    ]
    names = [scope, *(["value"] if is_feature else []), "published", "full annotation", "sentences"]
    return {"title": f"By {scope}", "names": names, "lines": lines, "caption": f"Words by {scope}"}


def standard_name(name: str) -> str:
    """Return a word as the addresses of Universal Dependencies have it: `nsubj:pass` is `nsubj-pass`."""
    return re.sub(r"[^A-Za-z0-9]", "-", name.replace("[", "-").replace("]", ""))


def drawn_example(site: Site, places: Places, example: Example) -> dict[str, Any] | None:
    """Return a sentence with its tree; None when it is too long to be drawn."""
    try:
        picture = read_picture(site.con, example.sentence_id, [example.layer], {example.position: ""})
    except ExportError:
        return None
    return {
        "sentence_id": visible(example.sentence_id),
        "page": places.give_page(example.sentence_id),
        "citation": picture.citation,
        "title": TITLES[example.layer],
        "source": picture.source,
        "licence": picture.licence,
        "text": picture.text,
        "svg": as_markup(picture),
    }


def fates(site: Site, places: Places) -> dict[str, Any]:
    """Write the pages of the fates."""
    entries = []
    query = "select fate, count(*) as n from corpus.sentence_fates group by all"
    total = {row["fate"]: row["n"] for row in rows(site.con, query)}
    for name in [*words.FATES, *sorted(set(total) - set(words.FATES))]:
        meaning, record = words.FATES.get(name, ("It is not described.", ""))
        facts_of = [["sentences", total.get(name, 0)]]
        told = [counted(site, title, query, name) for title, query in FATE_QUERIES.items()]
        path = f"fate/{slug(name)}.html"
        entry(
            site, path, name, meaning, facts=facts_of, counts=told, sentences=named_sentences(site, places, name),
            standard={"by": "the record of the decision", "url": f"../{record}"} if record in site.docs else None,
        )  # fmt: skip
        entries.append({"name": name, "path": path, "meaning": meaning, "count": total.get(name, 0)})
        site.index.append((name, "fate", path, meaning))
    return group("fate", "Fates", "What became of a sentence that was read: each has one.", "sentences", entries)


def tracks(site: Site) -> dict[str, Any]:
    """Write the pages of the tracks."""
    entries = []
    for row in rows(site.con, "select * from benchmark.tracks order by track"):
        name, path = row["track"], f"track/{slug(row['track'])}.html"
        known = [[key, value] for key, value in row.items() if key not in ("reason", "title", "not_built_reason")]
        entry(
            site, path, name, f"{row['title']}: {row['reason']}", facts=known,
            remarks=[f"Not built: {row['not_built_reason']}"] if row["not_built_reason"] else [],
            decisions=decided(site, "track", name),
            counts=[counted(site, title, query, name) for title, query in TRACK_QUERIES.items()],
        )  # fmt: skip
        entries.append({"name": name, "path": path, "meaning": row["title"], "count": row["published_rows"]})
        site.index.append((name, "track", path, str(row["title"])))
    return group("track", "Tracks", "Who is in a task, and what its test is.", "rows", entries)


def authors(site: Site) -> dict[str, Any]:
    """Write the pages of the authors: their works, and on which track they are, or why they are not."""
    entries = []
    for row in rows(site.con, "select * from corpus.authors order by author"):
        name, path = row["author"], f"author/{slug(row['author'])}.html"
        meaning = f"{row['kind']}: {row['reason']}"
        known = [[key, value] for key, value in row.items() if key not in ("author", "kind", "reason")]
        entry(
            site, path, name, meaning, facts=known,
            counts=[counted(site, title, query, name) for title, query in AUTHOR_QUERIES.items()],
        )  # fmt: skip
        published = row["published_sentences"]
        entries.append({"name": name, "path": path, "meaning": meaning, "count": published})
        told = f"{published:,} sentences published; on which track, or why not"
        site.index.append((name, "author", path, told))
    said = "Whose sentences they are: the label of the benchmark. Each page says on which track one is, or why not."
    return group("author", "Authors", said, "published", entries)


def named_sentences(site: Site, places: Places, fate: str) -> list[dict[str, Any]]:
    """Return some sentences of a fate, each with the page that tells of it."""
    return [{**row, "page": places.address(row["sentence_id"])} for row in rows(site.con, SOME_SENTENCES, fate)]


def projects(site: Site) -> dict[str, Any]:
    """Write the pages of the projects."""
    entries = []
    for row in rows(site.con, "select * from corpus.projects order by project"):
        name, path = row["project"], f"project/{slug(row['project'])}.html"
        repository = str(row["repository"] or "")
        is_address = re.fullmatch(r"[\w.-]+/[\w.-]+", repository)
        entry(
            site, path, name, f"{row['attribution']}, {row['license']}",
            standard={"by": "its repository", "url": f"https://github.com/{repository}"} if is_address else None,
            facts=[[key, value] for key, value in row.items()],
            decisions=decided(site, "project", name),
            counts=[counted(site, title, query, name) for title, query in PROJECT_QUERIES.items()],
        )  # fmt: skip
        entries.append({"name": name, "path": path, "meaning": row["attribution"], "count": row["sentences"]})
        site.index.append((name, "project", path, str(row["attribution"])))
    return group("project", "Projects", "Who has annotated.", "sentences", entries)


FATE_QUERIES = {
    "Reasons": """
        select reason, count(*) as sentences from corpus.sentence_fates where fate = ?
        group by all order by sentences desc, reason limit 30
    """,
    "By project": """
        select project, count(*) as sentences from corpus.sentence_fates where fate = ?
        group by all order by sentences desc, project
    """,
    "By author": """
        select author, count(*) as sentences from corpus.sentence_fates where fate = ?
        group by all order by sentences desc, author limit 100
    """,
}
SOME_SENTENCES = """
    select fates.sentence_id, fates.author, fates.reason, left(sentences.text, 200) as text
    from corpus.sentence_fates as fates
    left join corpus.sentences as sentences using (sentence_id)
    where fates.fate = ?
    order by sha256(fates.sentence_id), fates.sentence_id limit 10
"""
AUTHOR_QUERIES = {
    "On the tracks": """
        select
            tracks.title as track,
            coalesce(authors.published_rows, 0) as rows,
            authors.train_rows as train,
            authors.validation_rows as validation,
            authors.validation2_rows as validation2,
            authors.test_rows as test,
            coalesce(
                'the test is ' || held_out.held_out_work_title,
                case
                    when authors.author is null then coalesce(absent.reason, 'not in the list of the track')
                end
            ) as remark
        from benchmark.tracks as tracks
        left join benchmark.authors as authors on tracks.track = authors.track and authors.author = $1
        left join benchmark.authors_absent as absent on tracks.track = absent.track and absent.author = $1
        left join benchmark.held_out_works as held_out on tracks.track = held_out.track and held_out.author = $1
        order by tracks.track <> 'sentence', tracks.track
    """,
    "Works": """
        select canonical_work as work, title, genre, projects, sentences, published_sentences as published
        from corpus.works where author = $1 order by sentences desc, canonical_work
    """,
    "What became of the sentences": """
        select
            fate,
            if(fate = 'exact_duplicate', 'another copy stands for it', reason) as reason,
            count(*) as sentences
        from corpus.sentence_fates
        where author = $1
        group by all order by sentences desc, fate, reason limit 30
    """,
}
TRACK_QUERIES = {
    "Configurations": """
        select configuration, size, is_built, rows, reason from hub.configurations where track = ? order by size
    """,
    "Authors": "select * exclude (track) from benchmark.authors where track = ? order by all",
    "Works held out": """
        select author, held_out_work_title, test_reason, held_out_validation_work_title, validation_reason
        from benchmark.held_out_works where track = ? order by all
    """,
    "Authors that are not on it": """
        select author, project, entered_rows, reason from benchmark.authors_absent where track = ? order by all
    """,
}
PROJECT_QUERIES = {
    "Fates": """
        select fate, count(*) as sentences from corpus.sentence_fates where project = ?
        group by all order by sentences desc, fate
    """,
    "Authors": """
        select author, count(*) as sentences, count(*) filter (where fate = 'published') as published
        from corpus.sentences where project = ? group by all order by sentences desc, author
    """,
    "Repairs of its trees": """
        select * exclude (project) from audit.conversion_changes where project = ? order by all
    """,
    "Files": """
        select path, status, bytes, differs_from_pin from audit.source_files where project = ? order by path
    """,
}


def decided(site: Site, kind: str, name: str) -> list[dict[str, Any]]:
    """Return the rows of the tables of decisions that name a word."""
    found = [
        seed_table(site, seed, dict.fromkeys(columns, name))
        for seed, columns in words.DECIDED_IN[kind].items()
        if f"seeds.{seed}" in site.known
    ]
    return [seed for seed in found if seed["lines"]]


def group(kind: str, title: str, said: str, unit: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a kind of words for the list."""
    return {"kind": kind, "title": title, "said": said, "unit": unit, "entries": entries}


def entry(
    site: Site,
    path: str,
    name: str,
    meaning: str,
    *,
    facts: list[list[Any]],
    counts: list[dict[str, Any]],
    standard: dict[str, str] | None = None,
    remarks: Sequence[str] = (),
    decisions: list[dict[str, Any]] | None = None,
    examples: list[dict[str, Any]] | None = None,
    sentences: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write the page of a word."""
    site.add(
        path, "entry.html.jinja", name, meaning=meaning, standard=standard, remarks=remarks, facts=facts,
        decisions=decisions, counts=[one for one in counts if one["lines"]], examples=examples, sentences=sentences,
    )  # fmt: skip
