"""What the build did, part by part: each a picture with the numbers that it is drawn from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from exports.about.baselines import FLOOR, Baselines, read_baselines
from exports.ask.account.record import REPAIRS as KNOWN_REPAIRS
from exports.site import words
from exports.site.drawings import bars_picture, dots_picture, flow_picture, pairs_picture
from exports.site.facts import as_table
from exports.site.pages import Site, slug
from exports.warehouse import ExportError, rows
from score.core.edition import ROTATION
from score.hub import NO_BASELINES

Part = dict[str, Any]
SPLITS = ("train", "validation", "validation2", "test")
SIZE = 10
"""Sentences in a row of the configurations whose baselines are shown."""
REPAIRS = tuple(KNOWN_REPAIRS)
"""Columns of `audit.conversion_changes` that count repaired tokens; a token has one repair at most."""
MEASURES = {"uas": "head", "las": "head and relation", "upos": "class", "feats": "features"}
BEFORE_AND_AFTER = (
    ("heads", "head_native", "head"),
    ("relations", "full_relation", "deprel"),
    ("classes", "full_upos", "upos"),
    ("features", "full_feats", "feats"),
)
"""What two annotators agree on, with the measures of `audit.conversion_agreement` before and after the rules."""


def part(
    anchor: str,
    title: str,
    said: str,
    drawn: Markup | None = None,
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[Any]]]] = (),
    remark: str = "",
) -> Part:
    """Return a part of the page.

    Args:
        anchor: its address in the page.
        title: its heading.
        said: what it shows and how it is read.
        drawn: its picture.
        tables: caption, names of columns and rows.
        remark: what is missing.
    """
    told = [{"caption": caption, "names": names, "lines": lines} for caption, names, lines in tables]
    return {"anchor": anchor, "title": title, "said": said, "drawn": drawn, "tables": told, "remark": remark}


def fates(site: Site) -> Iterator[Part]:
    """Yield what became of the sentences that were read."""
    found = rows(
        site.con, "select project, fate, count(*) as n from corpus.sentence_fates group by all order by project, fate"
    )
    counts = {(row["project"], row["fate"]): row["n"] for row in found}
    yield part(
        "fates",
        "What became of the sentences",
        "From the projects on the left to the one fate that every sentence read has. `published` is the main track; a "
        "few sentences of the `remainder` stand in other tracks.",
        flow_picture(counts, "Projects", "fates", list(words.FATES)),
        [("Fates by project", ["project", "fate", "sentences"], [[*pair, n] for pair, n in counts.items()])],
    )


def splits(site: Site) -> Iterator[Part]:
    """Yield the rows of every author by split, for each track that is built."""
    query = "select track, title, reason from benchmark.tracks where is_built order by track <> 'sentence', track"
    for track in rows(site.con, query):
        authors = rows(
            site.con,
            "select * from benchmark.authors where track = ? order by published_rows desc, author",
            track["track"],
        )
        bars = [(str(row["author"]), [row[f"{split}_rows"] for split in SPLITS]) for row in authors]
        yield part(
            slug(track["track"]),
            f"Splits: {track['title']}",
            f"{track['reason']}. Sentences of each author of the track `{track['track']}`, by split.",
            bars_picture(f"Splits of {track['track']}", bars, SPLITS),
            [(f"Rows by author, track {track['track']}", ["author", *SPLITS], [[one, *n] for one, n in bars])],
        )


HELD_OUT = """
    select
        track, author, held_out_work_title as "test work", held_out_genre as genre, held_out_group as "group",
        test_work_rows as rows, held_out_validation_work_title as "validation work",
        validation_work_rows as "rows of validation", author_rows as "rows of the author"
    from benchmark.held_out_works order by all
"""


def held_out(site: Site) -> Iterator[Part]:
    """Yield the works that are held out, and what the stored baselines make of them."""
    found = rows(site.con, HELD_OUT)
    if not found:
        return
    stored = stored_baselines(site)
    for track in sorted({row["track"] for row in found}, key=lambda name: (len(name), name)):
        mine = [{key: row[key] for key in row if key != "track"} for row in found if row["track"] == track]
        bars = []
        for row in mine:
            apart = [row["rows"], row["rows of validation"] or 0]
            bars.append((f"{row['author']}: {row['test work']}", [*apart, row["rows of the author"] - sum(apart)]))
        names, lines = as_table(mine)
        yield part(
            f"held-out-{slug(track)}",
            f"Works held out: {track}",
            "The work of each author that is the test, the one that is the validation, where there is one, and all the "
            "others, in sentences.",
            bars_picture(f"Works held out of {track}", bars, ("test work", "validation work", "other works")),
            [(f"Works held out of {track}", names, lines)],
        )
        yield from scores(stored, track)
    if stored is None:
        yield part(
            "scores",
            "Scores of the baselines on works held out",
            "How well methods that are known do on each of these works.",
            remark=f"There are no scores: {NO_BASELINES}.",
        )


def stored_baselines(site: Site) -> Baselines | None:
    """Return what the scorer says of the baselines that the edition stores; None where it stores none."""
    path = site.hub / "metadata" / "baselines" / "scores.json"
    return read_baselines(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def scores(stored: Baselines | None, track: str) -> Iterator[Part]:
    """Yield the scores of the stored baselines on every held-out work of a track."""
    configuration = f"{track}_{SIZE}"
    for split in ("test", ROTATION):
        best = stored.of(configuration, split) if stored else []
        if not best:
            continue
        of = "the test works" if split == "test" else "every work, each in its turn the test"
        shares = {(one.system, work.author, work.title): work.right / work.rows for one in best for work in one.works}
        kept = sorted({(work.author, work.title, work.group or "", work.rows) for one in best for work in one.works})
        lines = [
            [author, title, group, count, *(shares.get((one.system, author, title)) for one in best)]
            for author, title, group, count in kept
        ]
        drawn = [
            (
                f"{author}: {title}",
                {one.system: share for one in best if (share := shares.get((one.system, author, title))) is not None},
            )
            for author, title, _, _ in kept
        ]
        systems = [one.system for one in best]
        marked = [systems[0], *([FLOOR] if FLOOR in systems[1:] else [])]
        yield part(
            f"scores-{slug(track)}-{split}",
            f"Scores of the baselines: {configuration}, {split}",
            f"Share of right rows on {of}. The best baseline has a colour, and so has the floor, which sees "
            "annotation and no Greek.",
            dots_picture(f"Scores of the baselines on the works of {configuration}", drawn, marked, "others"),
            [(f"Right rows by work, {configuration}", ["author", "work", "group", "rows", *systems], lines)],
        )


def leakage(site: Site) -> Iterator[Part]:
    """Yield how much each column says of the project in the full annotation, and as it is published."""
    query = """
        select category, sum(round(1e6 * bits)::bigint) / sum(words) / 1e3 as bits, sum(words)::bigint as words
        from {} group by category order by category
    """
    after = {row["category"]: row for row in rows(site.con, query.format("audit.project_information"))}
    before = {row["category"]: row["bits"] for row in rows(site.con, query.format(f"({of_full_annotation(site)})"))}
    pairs = [
        (name, max(before.get(name) or 0.0, 0.0), max(row["bits"], 0.0))
        for name, row in sorted(after.items(), key=lambda item: (-(before.get(item[0]) or 0.0), item[0]))
    ]
    lines = [[name, after[name]["words"], before.get(name), after[name]["bits"]] for name, _, _ in pairs]
    yield part(
        "leakage",
        "What names the project, before and after the rules",
        "Bits that a thousand words say about the project that has annotated them, author and form being known "
        "(`audit.project_information`): one bit decides between two projects. Before: the full annotation, that is "
        "relations, classes and features of Universal Dependencies, and lemmas as annotated. After: what is published. "
        "Heads are the same in both, and with them the direction.",
        pairs_picture("Bits about the project", pairs, ("full annotation", "published"), 1),
        [
            (
                "Bits about the project in a thousand words",
                ["column", "words compared", "full annotation", "published"],
                lines,
            )
        ],
        "" if pairs else "No form of this build has two projects that could be told apart.",
    )


def of_full_annotation(site: Site) -> str:
    """Return the query of `audit.project_information`, asked of the full annotation of the same words.

    The rule is that of the model, as dbt has compiled it; only the words that it reads are others.

    Raises:
        ExportError: the model does not read the words that are put in their place.
    """
    nodes = {name: site.manifest["nodes"][f"model.sphragis.{name}"] for name in READ_BY_LEAKAGE}
    name = {model: node["relation_name"].partition(".")[2] for model, node in nodes.items()}
    asked: str = nodes["audit_project_information"]["compiled_code"]
    place = nodes["int_leakage__words"]["relation_name"]
    if place not in asked:
        raise ExportError(f"audit_project_information does not read {place}: exports/site/results.py asks it of others")
    site.con.execute(
        f"""
        create or replace temp table site_full_annotation as
        select
            words.* replace (
                annotation.ud_upos as upos, annotation.ud_feats as feats, words.relation as deprel, texts.lemma as lemma
            )
        from {name["int_leakage__words"]} as words
        inner join {name["int_syntax__full_annotation"]} as annotation using (gid)
        inner join {name["int_text__tokens"]} as texts using (gid)
        where words.layer = 'human' and words.is_published
        """
    )
    return asked.replace(place, "site_full_annotation")


READ_BY_LEAKAGE = (
    "audit_project_information",
    "int_leakage__words",
    "int_syntax__full_annotation",
    "int_text__tokens",
)


def repairs(site: Site) -> Iterator[Part]:
    """Yield the words of every project whose head had to be repaired."""
    kinds = ", ".join(REPAIRS)
    query = f"select project, tokens, {kinds}, heads_changed, coordinators_moved from audit.conversion_changes"
    found = rows(site.con, f"{query} order by project")
    bars = [(row["project"], [round(1e4 * row[name] / row["tokens"]) for name in REPAIRS]) for row in found]
    names, lines = as_table(found)
    yield part(
        "repairs",
        "Repairs by project",
        "Words in ten thousand whose head had to be repaired, by the first reason that holds: `ellipsis` and "
        "`editorial` hang on what is not published, the others on nothing that a tree can have.",
        bars_picture("Repaired heads in ten thousand words, by project", bars, REPAIRS),
        [("What the conversion did to the trees", names, lines)],
    )


def agreement(site: Site) -> Iterator[Part]:
    """Yield how far annotators agree, before and after the rules, and how far the machine layer agrees with them."""
    query = "select * from audit.conversion_agreement order by project, other_project, measure"
    found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for row in rows(site.con, query):
        found.setdefault((row["project"], row["other_project"]), {})[row["measure"]] = row
    pairs = [
        (name, shared(found.values(), before), shared(found.values(), after))
        for name, before, after in BEFORE_AND_AFTER
    ]
    measures = [one for _, *both in BEFORE_AND_AFTER for one in both]
    heads = [f"{name}, {when}" for name, *_ in BEFORE_AND_AFTER for when in ("before", "after")]
    lines = [
        [*pair, *(of["head"][name] for name in ("sentences", "tokens")), *(of[one]["share"] for one in measures)]
        for pair, of in found.items()
    ]
    yield part(
        "annotators",
        "Agreement of annotators, before and after the rules",
        "Share of the words of sentences that two projects have annotated on which both say the same. Before: heads as "
        "annotated, and the full annotation; after: what is published. Some projects started from the trees of others.",
        pairs_picture("Agreement of annotators", pairs, ("before", "after"), 3) if found else None,
        [("Agreement of two projects", ["project", "other", "sentences", "words", *heads], lines)] if found else [],
        "" if found else "No sentence of this build has been annotated twice.",
    )
    machine = rows(
        site.con,
        """
        select scope, scope_value, measure, tokens, share from audit.layer_agreement
        where scope in ('all', 'project') order by all
        """,
    )
    shares: dict[str, dict[str, float]] = {told: {} for told in MEASURES.values()}
    for row in machine:
        shares[MEASURES[row["measure"]]][row["scope_value"]] = row["share"]
    names, lines = as_table(machine)
    yield part(
        "agreement",
        "Agreement of the machine layer with the human one",
        "Words on which the parser says what the published annotation says: of all projects, and of each.",
        dots_picture("Agreement of the layers", list(shares.items()), ["all"], "a project") if machine else None,
        [("Agreement of the layers", names, lines)] if machine else [],
        "" if machine else "This build has no machine layer.",
    )


def shared(pairs: Iterable[Mapping[str, Mapping[str, Any]]], measure: str) -> float:
    """Return the share of words on which two projects agree in a measure, over all pairs of projects."""
    found = [pair[measure] for pair in pairs if measure in pair]
    agreeing, tokens = (sum(int(row[name]) for row in found) for name in ("agreeing", "tokens"))
    return agreeing / (tokens or 1)


PARTS: Sequence[Any] = (fates, splits, held_out, leakage, repairs, agreement)
"""The parts in the order of the page."""


def parts(site: Site) -> list[Mapping[str, Any]]:
    """Return all parts of the page."""
    return [one for made in PARTS for one in made(site)]
