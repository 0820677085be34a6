"""The page of the build: its pictures are those of the numbers below them, and what is missing is said."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock
from xml.etree import ElementTree

import pytest
from conftest import Build
from test_card import stored

from exports.about.baselines import FLOOR
from exports.site import results
from exports.site.drawings import dots_picture, flow_picture, pairs_picture
from exports.site.pages import Site
from exports.warehouse import ExportError, open_read_only
from runtime.checkout import project_variables

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(sample_build: Build) -> Iterator[Site]:
    """What the page is made of."""
    manifest = json.loads((sample_build.build / "target" / "manifest.json").read_text(encoding="utf-8"))
    with closing(open_read_only(sample_build.db)) as con:
        yield cast(Site, SimpleNamespace(con=con, manifest=manifest, hub=sample_build.hub))


@pytest.fixture(scope="module")
def parts(site: Site) -> dict[str, Any]:
    """All parts of the page by their address."""
    made = results.parts(site)
    found = {one["anchor"]: one for one in made}
    assert len(found) == len(made)
    return found


def titles(picture: str) -> list[str]:
    """Return what a picture is in words: its own title, and those of its marks."""
    svg = "{http://www.w3.org/2000/svg}"
    return [str(element.text) for element in ElementTree.fromstring(picture).iter(f"{svg}title")]


def test_every_part_has_a_picture_with_a_title_and_the_same_as_a_table_or_says_what_is_missing(
    parts: dict[str, Any],
) -> None:
    assert {"fates", "sentence", "held-out-work_held_out", "leakage", "repairs", "annotators", "agreement"} <= set(
        parts
    )
    for anchor, part in parts.items():
        assert part["said"], anchor
        assert bool(part["drawn"]) == bool(part["tables"]) == (not part["remark"]), anchor
        if part["drawn"]:
            assert titles(part["drawn"])[0], anchor
            assert all(table["lines"] and table["caption"] for table in part["tables"]), anchor


def test_an_edition_without_baselines_says_so(site: Site) -> None:
    with mock.patch.object(results, "stored_baselines", lambda _: None):
        made = {one["anchor"]: one for one in results.held_out(site)}
    assert "sphragis baseline --all" in made["scores"]["remark"]
    assert [anchor for anchor in made if anchor.startswith("scores-")] == []


def test_scores_of_works_are_those_of_the_stored_baselines() -> None:
    made = {one["anchor"]: one for one in results.scores(stored(), "work_held_out")}
    assert made
    for anchor, part in made.items():
        split = anchor.rpartition("-")[2]
        (table,) = part["tables"]
        systems = table["names"][4:]
        found = {one.system: one for one in stored().of("work_held_out_10", split)}
        assert list(found) == systems
        for author, title, _, count, *shares in table["lines"]:
            for system, share in zip(systems, shares, strict=True):
                (work,) = (one for one in found[system].works if (one.author, one.title) == (author, title))
                assert (work.rows, work.right / work.rows) == (count, share)
        drawn = titles(part["drawn"])
        assert len(drawn) == 1 + len(systems) * len(table["lines"])
        assert f">{systems[0]}</text>" in part["drawn"] and f">{FLOOR}</text>" in part["drawn"]


def bits(words: list[tuple[Any, ...]], least: int) -> float:
    """Return the bits per thousand words that a value says about the project, author and form being known.

    Args:
        words: author, form, project and value of every word.
        least: words that a form has to have.
    """
    by_author: dict[str, set[str]] = defaultdict(set)
    forms: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for author, form, project, value in words:
        by_author[author].add(project)
        forms[author, form].append((project, value))
    total, compared = 0.0, 0
    for (author, _), pairs in forms.items():
        projects, values = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
        if len(by_author[author]) < 2 or len(projects) < 2 or len(pairs) < least:
            continue
        compared += len(pairs)
        for (project, value), count in Counter(pairs).items():
            total += count * math.log2(count * len(pairs) / (projects[project] * values[value]))
        total -= (len(projects) - 1) * (len(values) - 1) / (2 * math.log(2))
    return 1000 * total / compared


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("upos", "annotation.ud_upos", "words.upos"), ("deprel", "words.relation", "words.deprel")],
)
def test_leakage_is_counted_alike_before_and_after(
    site: Site, parts: dict[str, Any], name: str, before: str, after: str
) -> None:
    least = int(project_variables(ROOT)["tell_min_form_words"])
    expected = []
    for value in (before, after):
        query = f"""
            select words.author, words.form, words.project, {value}
            from intermediate.int_leakage__words as words
            inner join intermediate.int_syntax__full_annotation as annotation using (gid)
            where words.layer = 'human' and words.is_published
        """
        expected.append(bits(site.con.execute(query).fetchall(), least))
    (line,) = (line for line in parts["leakage"]["tables"][0]["lines"] if line[0] == name)
    assert line[2:] == pytest.approx(expected, abs=1e-3)
    assert line[2] > line[3]


def test_leakage_is_asked_of_the_words_that_the_model_reads(site: Site) -> None:
    manifest = json.loads(json.dumps(site.manifest["nodes"]))
    manifest["model.sphragis.audit_project_information"]["compiled_code"] = "select 1 from elsewhere"
    with pytest.raises(ExportError, match="does not read"):
        results.of_full_annotation(
            cast(Site, SimpleNamespace(con=site.con, manifest={"nodes": manifest}, hub=site.hub))
        )


def test_repairs_are_those_of_the_audit(site: Site, parts: dict[str, Any]) -> None:
    (table,) = parts["repairs"]["tables"]
    for project, tokens, *counts in table["lines"]:
        repaired = dict(zip(results.REPAIRS, counts, strict=False))
        columns = ", ".join(results.REPAIRS)
        query = f"select {columns} from audit.conversion_changes where project = ?"
        assert site.con.execute(query, [project]).fetchone() == tuple(repaired.values())
        for name, number in repaired.items():
            said = f"{project}, {name}: {round(1e4 * number / tokens):,}"
            assert said in titles(parts["repairs"]["drawn"])


def test_fates_have_a_colour_each_and_projects_none() -> None:
    counts = {("p", f"fate {number}"): 1 for number in range(12)}
    drawn = flow_picture(counts, "from", "to", ["fate 7"])
    rectangles = [part.partition('"')[0] for part in drawn.split('<rect class="')[1:]]
    assert rectangles == ["plain", *(f"c{number}" for number in range(12))]
    assert drawn.index("fate 7 1") < drawn.index("fate 0 1")


def test_pictures_escape_what_they_tell_and_have_room_for_it() -> None:
    name = "<b> " + "long" * 20
    for drawn in (
        pairs_picture("a & b", [(name, 1.0, 0.5)], ("x", "y"), 2),
        dots_picture("a & b", [(name, {"one": 0.5, "<i>": 0.25})], ["one"], "others"),
    ):
        assert titles(drawn)[0] == "a & b"
        assert "<b>" not in drawn and "<i>" not in drawn
        # The name ends where the bars begin, and begins inside of the picture.
        assert float(drawn.partition('width="')[2].partition('"')[0]) > 500
