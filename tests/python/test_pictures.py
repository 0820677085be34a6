"""Pictures of trees: where everything stands, what is told in words, and that no form of a source becomes markup."""

from __future__ import annotations

import random
import re
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Build, connection
from match_fixture import random_sentence
from typer.testing import CliRunner

import sphragis
from exports.ask.pictures.arcs import SMALL, Layout, layout, text_width
from exports.ask.pictures.html import as_html
from exports.ask.pictures.record import Panel, Picture, Word, read_picture
from exports.ask.pictures.svg import as_svg
from exports.ask.pictures.tikz import as_tikz

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>",
    "&amp; & &#x3c;",
    "\"' onload='alert(1)",
    "]]> --> <!-- <![CDATA[",
    "\\end{deptext}\\input{/etc/passwd}",
    "50% $x$ #1 a_b ^ ~ {} \\& & \\\\",
    "\x00\x07\x1b[31m\u202e\ufffe\ud800",
    "{{ 7 * 7 }}{% raw %}",
    "\n\r\u2028%\n\\relax",
]


def picture(*panels: Panel, **facts: str) -> Picture:
    """Return a picture of some panels."""
    told = {"sentence_id": "t#1", "citation": "Cited 1", "fate": "published", "source": "t, line 1", "licence": "CC BY"}
    return Picture(**(told | facts), panels=panels)


def panel(heads: list[int | None], labels: list[str | None] | None = None, layer: str = "ud") -> Panel:
    """Return a panel of words, each with the head and label of its place."""
    named = labels or ["root" if head == 0 else "nsubj:pass" for head in heads]
    words = [
        Word(number, number - 1, f"λόγος{number}", head, label)
        for number, (head, label) in enumerate(zip(heads, named, strict=True), start=1)
    ]
    return Panel(layer, "Universal Dependencies", tuple(words))


def boxes(placed: Layout) -> list[list[tuple[float, float, float, float]]]:
    """Return the labels of every panel as left, right, lower and upper edge."""
    found = []
    for part in placed.panels:
        found.append(
            [
                (
                    arc.label_x - text_width(arc.label, SMALL) / 2,
                    arc.label_x + text_width(arc.label, SMALL) / 2,
                    arc.top,
                    arc.top + SMALL,
                )
                for arc in part.arcs
            ]
        )
    return found


def overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    """Whether two boxes share more than an edge."""
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def trees(count: int) -> list[Panel]:
    """Return trees made at random: projective or not, with cycles, without heads, of one or several roots."""
    chance = random.Random(917)
    made = []
    for number in range(count):
        sentence = random_sentence(number, chance, is_odd=bool(number % 2))
        made.append(panel(sentence.heads[1:], sentence.labels[1:]))
    for size in (25, 60):
        heads: list[int | None] = [0, *(chance.randint(1, place) for place in range(1, size))]
        made.append(panel(heads, [chance.choice(["obj", "advcl:relcl", "nsubj:outer:pass"]) for _ in heads]))
    return made


@pytest.mark.parametrize("tree", trees(120))
def test_no_label_covers_another(tree: Panel) -> None:
    for labels in boxes(layout(picture(tree))):
        assert not [pair for pair in combinations(labels, 2) if overlap(*pair)]


@pytest.mark.parametrize("tree", trees(120))
def test_an_arc_stands_above_what_it_spans_and_beside_what_it_crosses(tree: Panel) -> None:
    [placed] = layout(picture(tree)).panels
    for one, other in combinations([arc for arc in placed.arcs if not arc.is_root], 2):
        left, right = sorted((one.head_x, one.foot_x))
        low, high = sorted((other.head_x, other.foot_x))
        if left < high and low < right:
            assert one.top != other.top
            if left <= low and high <= right:
                assert one.top > other.top
            if low <= left and right <= high:
                assert other.top > one.top


@pytest.mark.parametrize("tree", trees(120))
def test_no_line_passes_through_a_label(tree: Panel) -> None:
    [placed] = layout(picture(tree)).panels
    for arc in placed.arcs:
        half = text_width(arc.label, SMALL) / 2
        above = {x for other in placed.arcs if other.top > arc.top for x in (other.head_x, other.foot_x)}
        assert not [x for x in above if arc.label_x - half < x < arc.label_x + half]


@pytest.mark.parametrize("tree", trees(40))
def test_words_stand_apart_and_within_the_picture(tree: Panel) -> None:
    placed = layout(picture(tree))
    edges = [(x - width / 2, x + width / 2) for x, width in zip(placed.xs, placed.widths, strict=True)]
    assert all(before[1] < after[0] for before, after in pairwise(edges))
    assert edges[0][0] >= 0 and edges[-1][1] <= placed.width
    assert all(0 <= part.base - arc.top <= placed.height for part in placed.panels for arc in part.arcs)


def test_a_label_is_no_wider_than_its_arc() -> None:
    [placed] = layout(picture(panel([2, 0], ["a:very:long:label:of:some:kind", "root"]))).panels
    [arc] = [arc for arc in placed.arcs if not arc.is_root]
    assert abs(arc.head_x - arc.foot_x) >= text_width(arc.label, SMALL)


def test_the_same_word_stands_below_itself_in_two_layers() -> None:
    above = Panel("native", "as annotated", (Word(1, 0, "Ἀνὴρ", 3), Word(2, 1, ",", 3), Word(3, 2, "λέγει", 0)))
    below = Panel("ud", "Universal Dependencies", (Word(1, 0, "ἀνὴρ", 2, "nsubj"), Word(2, 2, "λέγει", 0, "root")))
    tree = ElementTree.fromstring(as_svg(picture(above, below)).encode())
    places = [(text.text, text.get("x")) for text in tree.iter(f"{SVG}text") if "word" in (text.get("class") or "")]
    found = dict(places)
    assert found["Ἀνὴρ"] == found["ἀνὴρ"]
    assert [x for text, x in places if text == "λέγει"] == [found["λέγει"]] * 2
    ys = [float(str(text.get("y"))) for text in tree.iter(f"{SVG}text") if text.text == "λέγει"]
    assert ys[0] < ys[1]


def test_a_picture_is_told_in_words_and_has_a_title() -> None:
    tree = ElementTree.fromstring(as_svg(picture(panel([2, 0]))).encode())
    title, told = tree.find(f"{SVG}title"), tree.find(f"{SVG}desc")
    assert title is not None and title.text == "Cited 1: λόγος1 λόγος2"
    assert told is not None and "1 λόγος1 is nsubj:pass of 2 λόγος2; 2 λόγος2 is root." in str(told.text)
    assert tree.get("role") == "img"
    assert str(tree.get("aria-labelledby")).split() == [title.get("id"), told.get("id")]


@pytest.mark.parametrize("form", HOSTILE)
def test_no_form_becomes_markup(form: str, tmp_path: Path) -> None:
    from exports.ask.pictures.record import plain

    safe = plain(form)
    words = (Word(1, 0, safe, 2, safe, safe, safe, safe), Word(2, 1, "λέγει", 0, safe))
    drawn = picture(Panel("ud", safe, words, {1: safe}), citation=safe, source=safe, licence=safe, sentence_id=safe)
    tree = ElementTree.fromstring(as_svg(drawn).encode())
    assert {str(node.tag).removeprefix(SVG) for node in tree.iter()} <= {
        "svg",
        "title",
        "desc",
        "g",
        "text",
        "rect",
        "path",
    }
    assert not [name for node in tree.iter() for name in node.attrib if name.startswith("on") or name == "href"]
    assert safe in [text.text for text in tree.iter(f"{SVG}text")]
    page = as_html([drawn])
    assert "<script" not in page and "onload='" not in page
    assert "default-src 'none'" in page


@pytest.mark.parametrize("form", HOSTILE)
def test_no_form_becomes_a_command_of_latex(form: str) -> None:
    from exports.ask.pictures.record import plain

    safe = plain(form)
    drawn = picture(Panel("ud", safe, (Word(1, 0, safe, 0, safe), Word(2, 1, "λέγει", 1, "x"))), citation=safe)
    text = as_tikz(drawn)
    body = [line for line in text.splitlines() if not line.startswith("%")]
    commands = set(re.findall(r"\\([A-Za-z]+)", "\n".join(body)))
    assert commands <= {
        *("begin", "end", "depedge", "deproot", "wordgroup", "par", "char"),
        *("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textquotedbl", "textbar"),
        "textasciigrave",
    }
    # Two words and their numbers: a sign of a form is never taken for what stands between words.
    assert sum(line.count(r" \& ") for line in body) == 2
    bare = re.sub(r"\\[{}]", "", "\n".join(body))
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"(?<!\\)%", "\n".join(body))


def test_latex_has_every_dependency() -> None:
    text = as_tikz(picture(panel([2, 0, 2])))
    assert r"\depedge{2}{1}{nsubj:pass}" in text and r"\depedge{2}{3}{nsubj:pass}" in text
    assert r"\deproot{2}{root}" in text


def test_marks_have_colours_in_their_order_and_names() -> None:
    tree = panel([2, 0, 2])
    marked = Panel(tree.layer, tree.title, tree.words, {3: "V", 1: "S"})
    text = as_svg(picture(marked))
    assert re.findall(r'class="mark n(\d)"', text) == ["1", "0"]
    assert ">3 V<" in text and ">1 S<" in text


def command(build: Build, *arguments: str) -> str:
    """Run `sphragis tree` and return what it printed."""
    result = CliRunner().invoke(sphragis.app, ["tree", *arguments, "--db", str(build.db)])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_format_of_the_command(sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        name, size = con.execute(
            "select sentence_id, node_count from corpus.trees where layer = 'ud' and scope = 1 "
            "order by sentence_number limit 1"
        ).fetchall()[0]
    assert command(sample_build, name) == command(sample_build, name, "--text")
    tree = ElementTree.fromstring(command(sample_build, name, "--svg", "--layer", "ud").encode())
    words = [text for text in tree.iter(f"{SVG}text") if str(text.get("class")).startswith("word")]
    assert len(words) == size
    assert len([path for path in tree.iter(f"{SVG}path") if path.get("class") == "arc"]) == size
    assert command(sample_build, name, "--html").startswith("<!doctype html>")
    assert command(sample_build, name, "--tikz").count(r"\begin{dependency}") == 2
    assert 'class="word marked"' in command(sample_build, name, "--svg", "--mark", "1,2")
    assert "\n1*" in command(sample_build, name, "--mark", "1")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--svg", "--html"], 2, "choose one of"),
        (["--svg", "--layer", "nothing"], 1, "--layer is native"),
        (["--svg", "--mark", "9999"], 1, "no word 9999 to mark"),
        (["--mark", "9999"], 1, "no word 9999 to mark"),
        (["--svg", "--mark", "a"], 1, "--mark is numbers"),
    ],
)
def test_what_cannot_be_drawn_is_told(arguments: list[str], code: int, told: str, sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        [(name,)] = con.execute("select min(sentence_id) from corpus.trees where layer = 'ud'").fetchall()
    result = CliRunner().invoke(sphragis.app, ["tree", name, "--db", str(sample_build.db), *arguments])
    assert (result.exit_code, told in result.stderr) == (code, True), result.stderr


def test_pictures_of_the_sample_are_whole(sample_build: Build) -> None:
    """Every dependency of a layer is one arc, in sentences of all projects."""
    with connection(sample_build.db) as con:
        names = con.execute(
            "select sentence_id from corpus.trees where layer = 'native' and scope = 1 "
            "order by sha256(sentence_id) limit 60"
        ).fetchall()
        for (name,) in names:
            drawn = read_picture(con, name, ["native", "ud"])
            for part in layout(drawn).panels:
                assert len(part.arcs) == len([word for word in part.panel.words if word.head is not None])
            ElementTree.fromstring(as_svg(drawn).encode())
