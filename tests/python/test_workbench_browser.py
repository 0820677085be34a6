"""The page in a real browser, where there is one: example, hits, tree, file, address, fault; with the keys alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Build
from test_workbench import hostile_warehouse
from workbench_fixture import Server, serving

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("starlette")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")

CLAUSE = "pattern { V [upos=VERB]; V -[nsubj]-> S }"


@pytest.fixture(scope="module")
def server(sample_build: Build) -> Iterator[Server]:
    """The sample, served."""
    with serving(sample_build.db) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """A fresh page; nothing that it says to the console may be left over, and nothing is loaded from elsewhere."""
    context = browser.new_context(base_url=server.address)
    fresh = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    fresh.on("console", lambda message: said.append(message.text))
    fresh.on("pageerror", lambda error: said.append(str(error)))
    fresh.on("request", lambda request: asked.append(request.url))
    yield fresh
    context.close()
    assert [text for text in said if "status of 400" not in text] == []
    assert [url for url in asked if not url.startswith(server.address)] == []


def test_from_an_example_to_hits_tree_file_and_address(page: Any) -> None:
    page.goto("/")
    page.get_by_role("link", name="Genitive absolute").click()
    assert "hits in" in page.locator("#found").inner_text()
    assert page.locator("table.counts").count() == 2
    link = page.locator("a.open").first
    link.click()
    page.locator("tr.detail svg.tree").wait_for()
    assert page.locator("tr.detail g.panel").count() == 2
    assert page.locator("tr.detail rect.mark").count() >= 4
    link.click()
    assert page.locator("tr.detail").count() == 0
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    assert Path(download.value.path()).read_text(encoding="utf-8").startswith("meta.author,hits,sentences")
    before = page.locator("main").inner_text()
    page.get_by_role("link", name="Link to this request").click()
    assert page.locator("main").inner_text() == before


def test_words_of_a_tree_can_be_selected(page: Any) -> None:
    page.goto("/")
    page.get_by_role("link", name="Genitive absolute").click()
    page.locator("a.open").first.click()
    word = page.locator("tr.detail text.word").first
    word.wait_for()
    word.dblclick()
    assert page.evaluate("getSelection().toString().trim()") == word.text_content()


def test_a_fault_is_where_one_goes_on_writing(page: Any) -> None:
    page.goto("/")
    page.locator("#request").fill("pattern {\n  V [upos=VERB], S [] }")
    page.get_by_role("button", name="Search").click()
    assert "line 2, column 16" in page.get_by_role("alert").inner_text()
    assert page.locator(".error mark").inner_text() == ","
    box = page.evaluate(
        "(() => { const b = document.activeElement; return [b.id, b.selectionStart, b.value[b.selectionStart]]; })()"
    )
    assert box == ["request", 25, ","]


def test_the_keys_are_enough(page: Any) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "request"
    page.keyboard.type(CLAUSE)
    page.keyboard.press("Control+Enter")
    page.locator("#found").wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('open')"):
            break
    page.keyboard.press("Enter")
    page.locator("tr.detail svg.tree").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.detail') !== null")


def test_sql_is_asked_with_the_keys(page: Any) -> None:
    page.goto("/sql")
    page.locator("#statement").fill("select author, count(*) as n from corpus.words group by author order by n desc")
    page.keyboard.press("Control+Enter")
    page.locator("#found").wait_for()
    assert page.locator("table.rows tbody tr").count() > 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_is_wider_than_the_window_and_letters_can_be_read(
    scheme: str, width: int, browser: Any, server: Server
) -> None:
    context = browser.new_context(
        base_url=server.address, viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    fresh = context.new_page()
    for path in ("/", "/sql", "/help", f"/?request={CLAUSE.replace(' ', '+')}&key=V%23S"):
        fresh.goto(path)
        assert fresh.evaluate("document.documentElement.scrollWidth") <= width, path
    fresh.locator("a.open").first.click()
    fresh.locator("tr.detail svg.tree").wait_for()
    assert fresh.evaluate("document.documentElement.scrollWidth") <= width
    # The luminance of letters and ground, as the guidelines for accessibility compute their contrast.
    contrast = fresh.evaluate(
        """() => {
            const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((x) => x / 255)
                .map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
                .reduce((sum, x, place) => sum + x * [0.2126, 0.7152, 0.0722][place], 0);
            const ground = light(getComputedStyle(document.body).backgroundColor);
            return ['body', 'a.open', 'label', '.told', 'th'].map((name) => {
                const one = light(getComputedStyle(document.querySelector(name)).color);
                return (Math.max(one, ground) + 0.05) / (Math.min(one, ground) + 0.05);
            });
        }"""
    )
    assert min(contrast) >= 4.5
    context.close()


def test_everything_works_without_scripts(browser: Any, server: Server) -> None:
    context = browser.new_context(base_url=server.address, java_script_enabled=False)
    fresh = context.new_page()
    fresh.goto("/")
    fresh.locator("#request").fill(CLAUSE)
    fresh.get_by_role("button", name="Search").click()
    assert "hits in" in fresh.locator("#found").inner_text()
    fresh.locator("a.open").first.click()
    assert fresh.locator("svg.tree g.panel").count() == 2
    context.close()


def test_no_script_of_the_data_runs(browser: Any, tmp_path: Path) -> None:
    hostile_warehouse(tmp_path / "hostile.duckdb")
    with serving(tmp_path / "hostile.duckdb") as served:
        context = browser.new_context(base_url=served.address)
        fresh = context.new_page()
        shown: list[str] = []

        def close(dialog: Any) -> None:
            shown.append(dialog.message)
            dialog.dismiss()

        fresh.on("dialog", close)
        fresh.goto("/?request=pattern+%7B+V+->+S+%7D&scope=all&key=S.form")
        fresh.locator("a.open").first.click()
        fresh.locator("tr.detail svg.tree").wait_for()
        assert "<script>alert(1)</script>" in fresh.locator("tr.detail").inner_text()
        fresh.goto("/sentence?id=t%231&mark=1:<script>alert(1)</script>")
        assert fresh.locator("svg.tree").count() == 1
        assert fresh.locator("main script, main img").count() == 0
        assert shown == []
        context.close()
