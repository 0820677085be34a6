"""The site in a real browser, where there is one: from the disk, served, with the keys alone, narrow, dark."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from chromium import CHROMIUM, Chromium, Tab, running
from conftest import ROOT, Build
from workbench_fixture import serving

from exports.site.command import serve_folder
from exports.site.pages import slug
from exports.warehouse import ExportError

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")

CONTRAST = """
(() => {
    const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((x) => x / 255)
        .map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
        .reduce((sum, x, place) => sum + x * [0.2126, 0.7152, 0.0722][place], 0);
    const ground = light(getComputedStyle(document.body).backgroundColor);
    return Math.min(...['body', 'main a', '.told', 'th', 'dt'].flatMap((name) => {
        const found = document.querySelector(name);
        if (!found) return [];
        const one = light(getComputedStyle(found).color);
        return [(Math.max(one, ground) + 0.05) / (Math.min(one, ground) + 0.05)];
    }));
})()
"""
"""The least contrast of letters and ground, as the guidelines for accessibility compute it."""
FOCUS = "[document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A browser without a window."""
    with running(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def tab(browser: Chromium) -> Iterator[Tab]:
    """A fresh page; nothing that it says to the console may be left over."""
    fresh = Tab(browser)
    yield fresh
    complaints = fresh.complaints()
    fresh.close()
    assert complaints == []


def kinds_of_pages(site: Path) -> list[Path]:
    """Return one page of every kind, and two where a script or a picture is in it."""
    found = [site / name for name in ("index.html", "build.html", "search.html", "cookbook.html")]
    for folder in sorted(path for path in site.iterdir() if path.is_dir() and path.name not in ("dbt", "docs")):
        found += sorted(folder.glob("*.html"))[:1]
    found.append(site / "columns" / "conllu_human-upos.html")
    return found


def test_no_page_complains_or_asks_for_anything_but_the_disk(site: Path, tab: Tab) -> None:
    pages = kinds_of_pages(site)
    assert {path.parent.name for path in pages} >= {
        "author", "class", "columns", "fate", "feature", "files", "project", "relation", "sentence", "tables", "track",
        "vocabulary",
    }  # fmt: skip
    for path in pages:
        tab.go(path.as_uri())
    asked = tab.asked()
    assert len(asked) > len(pages)
    assert [url for url in asked if not url.startswith((site.as_uri(), "data:", "blob:"))] == []


def test_the_page_of_dbt_asks_for_nothing_but_the_disk(site: Path, browser: Chromium) -> None:
    """Its scripts are dbt's own, and so is what they say to the console."""
    tab = Tab(browser)
    tab.go((site / "dbt" / "index.html").as_uri())
    assert [url for url in tab.asked() if not url.startswith((site.as_uri(), "data:", "blob:"))] == []
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_is_wider_than_the_window_and_letters_can_be_read(
    width: int, scheme: str, site: Path, browser: Chromium
) -> None:
    tab = Tab(browser, width, 900, scheme)
    for path in kinds_of_pages(site):
        tab.go(path.as_uri())
        assert tab.value("document.documentElement.scrollWidth") <= width, path
        assert tab.value(CONTRAST) >= 4.5, path
    tab.close()


def test_the_keys_are_enough_to_search(site: Path, tab: Tab) -> None:
    tab.go((site / "index.html").as_uri())
    tab.press("Tab")
    assert tab.value("document.activeElement.className") == "skip"
    for _ in range(12):
        tab.press("Tab")
        if tab.value("document.activeElement.textContent") == "Search":
            break
    assert tab.value(FOCUS) == ["", "solid"]
    loaded = len(tab.happened("Page.loadEventFired"))
    tab.press("Enter")
    tab.until_loaded(loaded)
    assert tab.value(FOCUS) == ["word", "solid"]
    tab.write("near_duplicate")
    tab.press("Enter")
    assert tab.value("document.activeElement.getAttribute('href')") == "fate/near_duplicate.html"
    assert tab.value(FOCUS)[1] == "solid"
    loaded = len(tab.happened("Page.loadEventFired"))
    tab.press("Enter")
    tab.until_loaded(loaded)
    assert tab.value("document.querySelector('h1').textContent") == "near_duplicate"


def search(tab: Tab, site: Path, asked: str, wanted: str = "") -> list[str]:
    """Return the addresses that the search finds, the best first, once there is one that begins as wanted."""
    tab.go((site / "search.html").as_uri())
    tab.value(f"document.getElementById('word').value = {json.dumps(asked)}")
    tab.value("document.getElementById('word').dispatchEvent(new Event('input'))")
    links = "[...document.querySelectorAll('#found a')].map((link) => link.getAttribute('href'))"
    tab.until(f"{links}.some((address) => address.startsWith({json.dumps(wanted)}))")
    found: list[str] = tab.value(links)
    return found


def test_every_id_leads_to_its_line(site: Path, tab: Tab, sample_build: Build) -> None:
    with duckdb.connect(str(sample_build.db), read_only=True) as con:
        published = con.execute(
            "select published.id, sentences.project || '/' || sentences.path, position, line from hub.sentences as "
            "published inner join corpus.sentences as sentences using (sentence_id) order by sha256(id) limit 3"
        ).fetchall()
        others = con.execute(
            "select sentences.sentence_id, sentences.project || '/' || sentences.path, sentences.position, line, "
            "sentences.fate from corpus.sentences as sentences where fate <> 'published' "
            "order by sha256(sentence_id) limit 3"
        ).fetchall()
    for name, file, position, line, *fate in [*published, *others]:
        address = next(one for one in search(tab, site, name, "files/") if one.startswith("files/"))
        assert address == f"files/{slug(file)}.html#s{position}"
        tab.go(f"{site.as_uri()}/{address}")
        cells = tab.value(f"[...document.getElementById('s{position}').cells].map((cell) => cell.textContent.trim())")
        assert cells[:2] == [str(position), str(line)]
        assert (name in cells[2]) if not fate else (cells[3] == fate[0] and cells[4])
        assert tab.value(f"document.getElementById('s{position}').matches(':target')")


def test_readers_find_what_they_ask(site: Path, tab: Tab) -> None:
    assert search(tab, site, "what a row is")[0] == "index.html#row"
    tab.go(f"{site.as_uri()}/index.html#row")
    assert tab.value("document.querySelector('#row:target + p').textContent").startswith(
        "A row of the main track is one"
    )
    assert search(tab, site, "near_duplicate")[0] == "fate/near_duplicate.html"
    found = search(tab, site, "Dionysius")
    author = next(one for one in found if one.startswith("author/"))
    assert found.index(author) == 0
    tab.go(f"{site.as_uri()}/{author}")
    told = tab.value("[...document.querySelectorAll('tr')].map((row) => row.textContent)")
    assert any("Whole works held out" in line and "too few rows" in line for line in told)


def test_a_chunk_is_told_from_a_sentence(site: Path, tab: Tab) -> None:
    tab.go(f"{(site / 'search.html').as_uri()}?q=c-0123456789abcdef")
    assert "constituent_ids" in tab.value("document.getElementById('told').textContent")


def test_every_sentence_of_the_cookbook_has_a_page(site: Path, tab: Tab) -> None:
    tab.go((site / "cookbook.html").as_uri())
    links = tab.value("[...document.querySelectorAll('td a')].map((link) => link.getAttribute('href'))")
    assert len(links) > 15 and all(link.startswith("sentence/") for link in links)
    tab.go(f"{site.as_uri()}/{links[0]}")
    assert tab.value("document.querySelectorAll('svg.tree g.panel').length") == 2
    assert tab.value("document.querySelectorAll('h2').length") == 9


# Served ---------------------------------------------------------------------------------------------------------------


SERVED = """
import sys
from exports.site import write
write.write_site = lambda *given: {"pages": 0, "bytes": 0}
import sphragis
sys.argv = ["sphragis", "docs", "--serve", "--port", "0", "--folder", sys.argv[1]]
sphragis.main()
"""
"""The command, with a folder that is there instead of one that it makes."""


@pytest.fixture
def served(site: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The folder, served by `sphragis docs --serve` in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVED, str(site)],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A run of the tests in the background may ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stderr is not None
    told = process.stderr.readline()
    yield told.split()[0], process
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_it_is_served_to_this_machine_alone_and_ends_clean(
    served: tuple[str, subprocess.Popen[str]], tab: Tab, site: Path
) -> None:
    address, process = served
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    tab.go(address)
    assert tab.value("document.querySelector('h1').textContent") == "From a published value back to its line"
    tab.go(f"{address}search.html?q=near_duplicate")
    assert tab.value("document.querySelector('#found a').getAttribute('href')") == "fate/near_duplicate.html"
    assert [url for url in tab.asked() if not url.startswith(address)] == []
    for outside in ("../", "%2e%2e/", "nothing.html"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(address + outside + "hub/SHA256SUMS", timeout=30)
        assert refused.value.code == 404
    port = int(address.rstrip("/").rpartition(":")[2])
    listening = [
        line.split()[1]
        for table in ("/proc/net/tcp", "/proc/net/tcp6")
        if Path(table).is_file()
        for line in Path(table).read_text(encoding="ascii").splitlines()[1:]
        if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")
    ]
    assert listening in ([f"0100007F:{port:04X}"], [])
    with pytest.raises(ExportError, match="choose another with --port"):
        serve_folder(site, port)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 130, -signal.SIGINT)
    assert "Traceback" not in errors


def test_the_workbench_tells_all_about_a_hit(sample_build: Build, browser: Chromium) -> None:
    tab = Tab(browser, 400)
    with serving(sample_build.db) as server:
        tab.go(f"{server.address}?request=pattern+%7B+V+%5Bupos%3DVERB%5D%3B+V+-%5Bnsubj%5D-%3E+S+%7D&scope=published")
        tab.value("document.querySelector('a.open').click()")
        tab.until("document.querySelector('tr.detail svg.tree') !== null")
        loaded = len(tab.happened("Page.loadEventFired"))
        tab.value("[...document.querySelectorAll('tr.detail a')].at(-1).click()")
        tab.until_loaded(loaded)
        assert tab.value("[...document.querySelectorAll('h2')].map((one) => one.id)") == [
            "sentence", "source", "fate", "copies", "rows", "tracks", "words", "tree", "parse",
        ]  # fmt: skip
        assert tab.value("document.documentElement.scrollWidth") <= 400
        assert tab.complaints() == []
        assert [url for url in tab.asked() if not url.startswith(server.address)] == []
    tab.close()


def test_the_browser_ends_with_its_test(tmp_path: Path) -> None:
    with running(tmp_path / "profile") as opened:
        number = opened.process.pid
        assert Tab(opened).value("1 + 1") == 2
    with pytest.raises(ProcessLookupError):
        for _ in range(400):
            os.killpg(number, 0)
            time.sleep(0.05)
