"""The page of the workbench, asked over the loopback: what it shows, what it gives, what it refuses, how it ends."""

from __future__ import annotations

import csv
import html
import io
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import conllu
import pytest
from conftest import ROOT, Build, connection
from match_fixture import warehouse
from match_reference import Sentence
from typer.testing import CliRunner
from workbench_fixture import Answer, Markup, Server, serving

import sphragis
from exports.ask.patterns.search import match
from exports.ask.reading import opened
from exports.ask.workbench.asked import read_example

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

CLAUSE = "pattern { V [upos=VERB]; e: V -[nsubj]-> S }"
ENDLESS = "pattern { A []; B []; C []; D []; E []; F [] }"
XSS = "<script>alert(1)</script>"
ATTRIBUTE = "\"'><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def server(sample_build: Build) -> Iterator[Server]:
    """The sample, served."""
    with serving(sample_build.db, "--seconds", "30") as found:
        yield found


@pytest.fixture(scope="module")
def hurried(sample_build: Build) -> Iterator[Server]:
    """The sample, served with hardly any time."""
    with serving(sample_build.db, "--seconds", "1") as found:
        yield found


def hostile_warehouse(path: Path) -> None:
    """Make a warehouse of one sentence in which everything that a page shows tries to be markup; it lacks much."""
    features = [{"form": "__0__"}, {"form": XSS, "lemma": XSS, "upos": "VERB"}, {"form": ATTRIBUTE, "upos": "NOUN"}]
    sentence = Sentence(1, features, [None, 0, 1], [None, "root", XSS], ":", {"author": ATTRIBUTE})
    con = warehouse({"ud": [sentence], "native": [sentence]}, str(path))
    con.execute("alter table corpus.sentences add column native_text varchar")
    con.execute("alter table corpus.sentences add column dedup_key varchar")
    for column in ("repository", "revision", "attribution"):
        con.execute(f"alter table corpus.projects add column {column} varchar")
    con.execute("update corpus.projects set license = ?, attribution = ?", [XSS, ATTRIBUTE])
    con.execute(
        "update corpus.sentences set citation = ?, native_text = ?, fate = ?, path = ?", [ATTRIBUTE, XSS, XSS, XSS]
    )
    con.execute(
        "create table corpus.sentence_fates as select sentence_id, ? as reason from corpus.sentences", [ATTRIBUTE]
    )
    con.execute("create schema hub")
    con.execute("create table hub.sentences as select sentence_id, ? as id from corpus.sentences", [XSS])
    con.execute("create table hub.rows as select 'c' as id, ['x'] as constituent_ids")
    con.execute(
        "create macro corpus.explain_sentence(wanted) as table select 1 as step, 'source' as rule, "
        "citation as finding, "
        "citation as other_sentence_id, 1 as shared, 1 as set_size, 1 as other_set_size, citation as other_author, "
        "fate as other_fate, native_text as other_text from corpus.sentences where sentence_id = wanted"
    )
    con.close()


def test_the_form_has_examples_help_and_everything_that_can_be_chosen(server: Server) -> None:
    page = server.page("/")
    assert len(page.all("textarea", name="request")) == 1
    assert {item["name"] for item in page.all("select")} == {"layer", "scope", "author"}
    assert len([item for item in page.all("a") if item["href"].startswith("/?request=")]) >= 10
    assert "X, Y" not in page.texts and page.all("a", href="/help")
    labelled = {item["for"] for item in page.all("label")}
    named = {item["id"] for tag in ("textarea", "select", "input") for item in page.all(tag)}
    assert labelled == named
    assert page.dangers() == []


def test_every_example_can_be_asked(server: Server) -> None:
    for example in server.page("/").all("a"):
        if example["href"].startswith("/?request="):
            answer = server.get(example["href"])
            assert answer.code == 200 and 'id="found"' in answer.text, example["href"]


@pytest.mark.real
def test_every_example_has_hits_in_the_treebanks(real_build: Build) -> None:
    for path in sorted((ROOT / "exports" / "ask" / "workbench" / "examples").glob("*.req")):
        _, asked = read_example(path.read_text(encoding="utf-8"))
        with opened(real_build.db) as con:
            answer = match(con, asked.question())
        assert answer.total > 100, path.name


def test_every_example_of_sql_is_answered(server: Server) -> None:
    """The sample has no articular infinitives and the like, so that some questions have no rows in it."""
    addresses = [item["href"] for item in server.page("/sql").all("a") if item["href"].startswith("/sql?statement=")]
    assert len(addresses) >= 5
    with_rows = 0
    for address in addresses:
        answer = server.get("/sql", parse_qs(urlsplit(html.unescape(address)).query))
        assert answer.code == 200 and re.search(r'id="found">[0-9]', answer.text), address
        with_rows += bool(re.search(r'id="found">[1-9]', answer.text))
    assert with_rows >= 5


def test_hits_are_a_concordance_with_named_words_in_colours(server: Server) -> None:
    page = server.page("/", {"request": CLAUSE, "author": "Lysias"})
    assert len(page.all("mark", **{"class": "n0"})) == len(page.all("mark", **{"class": "n1"})) > 0
    links = page.all("a", **{"class": "open"})
    assert links and all("mark=" in link["href"] for link in links)
    assert page.dangers() == []


def test_counts_are_those_of_the_command(server: Server, sample_build: Build) -> None:
    told = server.get("/", {"request": CLAUSE, "key": ["meta.author", "V#S"]}).text
    given = server.get("/hits.csv", {"request": CLAUSE, "key": ["meta.author", "V#S"]})
    rows = list(csv.reader(io.StringIO(given.text)))
    command = [sys.executable, "-m", "sphragis", "match", CLAUSE, "--key", "meta.author", "--key", "V#S"]
    printed = subprocess.run(
        [*command, "--db", str(sample_build.db)], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert given.text == printed
    assert rows[0][:4] == ["meta.author", "V#S", "hits", "sentences"]
    first = rows[1]
    assert f'<td>{first[0]}</td><td>{html.escape(first[1])}</td><td class="number">{int(first[2]):,}</td>' in told
    with connection(sample_build.db) as con:
        words = con.execute(
            "select sum(node_count) from corpus.trees inner join corpus.sentences using (sentence_number) "
            "where layer = 'ud' and scope <= 2 and author = ?",
            [first[0]],
        ).fetchall()[0][0]
    assert f'<td class="number">{1e6 * int(first[2]) / words:,.1f}</td>' in told


def test_the_first_thousand_are_shown_and_all_are_counted(server: Server, sample_build: Build) -> None:
    answer = server.get("/", {"request": "pattern { X [upos=VERB] }"})
    with connection(sample_build.db) as con:
        [(total,)] = con.execute(
            "select count(*) from corpus.nodes where layer = 'ud' and scope <= 2 and upos = 'VERB'"
        ).fetchall()
    assert total > 1000 and f"{total:,} hits in" in answer.text and "The first 1,000 are shown." in answer.text
    assert len(Markup(answer.text).all("a", **{"class": "open"})) == 1000


def test_files_hold_every_hit(server: Server) -> None:
    asked = {"request": CLAUSE, "author": "Lysias"}
    given = server.get("/hits.csv", asked)
    assert given.headers["content-disposition"] == 'attachment; filename="hits.csv"'
    rows = list(csv.DictReader(io.StringIO(given.text)))
    assert rows and {row["author"] for row in rows} == {"Lysias"}
    sentences = conllu.parse(server.get("/hits.conllu", asked).text)
    assert [sentence.metadata["sent_id"] for sentence in sentences] == list(
        dict.fromkeys(row["sentence_id"] for row in rows)
    )
    assert all(sentence.metadata["licence"] and sentence.metadata["citation"] for sentence in sentences)


def test_a_hit_leads_to_its_trees_fate_and_source(server: Server) -> None:
    [link, *_] = server.page("/", {"request": CLAUSE, "scope": "published"}).all("a", **{"class": "open"})
    answer = server.get(link["href"])
    page = Markup(answer.text)
    assert [item["class"] for item in page.all("g")] == ["panel native", "panel ud"]
    assert len(page.all("rect")) >= 4 and page.all("title") and page.all("desc")
    assert [item["id"] for item in page.all("h2")] == [
        "sentence", "source", "fate", "copies", "rows", "tracks", "words", "tree", "parse",
    ]  # fmt: skip
    assert "<dt>fate</dt><dd>published</dd>" in answer.text and "<dt>licence</dt><dd>" in answer.text
    assert "cannot tell" not in answer.text
    part = server.get(f"{link['href']}&part=1").text
    assert part.startswith('<div class="sentence">') and "<svg" in part and "<html" not in part
    for told in ("<dt>Fate</dt><dd>published", "<dt>Source</dt>", "line ", "<dt>Licence</dt><dd>CC "):
        assert told in part
    other = next(item["href"] for item in page.all("a") if item["href"].startswith("/tree.svg"))
    drawn = server.get(other)
    assert drawn.headers["content-type"].startswith("image/svg+xml") and drawn.text.startswith("<?xml")
    assert "\\begin{dependency}" in server.get(other.replace("/tree.svg", "/tree.tex")).text
    assert page.dangers() == []


def test_a_chunk_leads_to_its_sentences(server: Server, sample_build: Build) -> None:
    with connection(sample_build.db) as con:
        [(name,)] = con.execute("select min(id) from hub.rows where chunk_size = 5").fetchall()
    page = server.page("/sentence", {"id": name})
    assert len([item for item in page.all("a") if item["href"].startswith("/sentence?")]) == 5


def test_every_request_has_an_address_that_stays(server: Server) -> None:
    asked = {"request": 'pattern { V [lemma="λέγω"] }', "layer": "published", "scope": "all", "key": "V.Mood"}
    first = server.page("/", asked)
    [link] = first.all("a", rel="bookmark")
    assert parse_qs(urlsplit(link["href"]).query) == {name: [value] for name, value in asked.items()}
    assert server.get(link["href"]).text == server.get("/", asked).text


def test_the_statement_is_shown_and_can_be_opened(server: Server) -> None:
    page = server.page("/", {"request": CLAUSE})
    address = next(item["href"] for item in page.all("a") if item["href"].startswith("/sql?statement=SELECT"))
    told = re.search(r'id="found">([\d,]+) hits', server.get("/", {"request": CLAUSE}).text)
    rows = re.search(r'id="found">([\d,]+) rows', server.get(address).text)
    assert told and rows and told[1] == rows[1]


@pytest.mark.parametrize(
    ("request_", "told", "sign"),
    [
        ("pattern { X [upos=VERB], Y [] }", "line 1, column 24: expected ';' or '}', found ','", ","),
        ("pattern {\n  X [upos=VERB];\n  X < Z }", "'Z' is not declared", "X"),
        ("pattern { X [", "line 1", "␣"),
        ("nothing", "line 1, column 1", "n"),
    ],
)
def test_a_fault_is_marked_at_its_place(request_: str, told: str, sign: str, server: Server) -> None:
    answer = server.get("/", {"request": request_})
    assert answer.code == 400
    assert told in html.unescape(answer.text)
    assert f"<mark>{sign}</mark>" in answer.text
    assert html.escape(request_, quote=False).replace("'", "&#39;") in answer.text, "the request stays in its box"


@pytest.mark.parametrize("more", [{"layer": "x"}, {"scope": "x"}, {"key": "Z.upos"}, {"whether": "{ X -> }"}])
def test_a_wrong_choice_is_told(more: dict[str, str], server: Server) -> None:
    answer = server.get("/", {"request": CLAUSE, **more})
    assert answer.code == 400 and 'role="alert"' in answer.text


def test_sql_has_a_page_of_its_own(server: Server) -> None:
    statement = "select sentence_id, form from corpus.words where lemma = 'λόγος' order by all"
    answer = server.get("/sql", {"statement": statement})
    page = Markup(answer.text)
    assert page.all("a", **{"class": "open"}) and page.dangers() == []
    rows = list(csv.DictReader(io.StringIO(server.get("/rows.csv", {"statement": statement}).text)))
    assert f"{len(rows):,} rows" in answer.text
    sentences = conllu.parse(server.get("/rows.conllu", {"statement": statement}).text)
    assert len(sentences) == len({row["sentence_id"] for row in rows})
    many = server.get("/sql", {"statement": "select form from corpus.words"}).text
    assert "The first 1,000 are shown." in many and re.search(r'id="found">\d+,\d{3} rows', many)


@pytest.mark.parametrize(
    "statement",
    [
        *("drop table corpus.words", "select 1; select 2", "from read_text('/etc/passwd')", "attach 'x'", "selec"),
        *("select * from glob('*')", "copy corpus.words to 'x.csv'", "set threads = 1", "from query('select 1')"),
        *("'; drop table corpus.words; --", "--", "select '", "\x00"),
    ],
)
def test_sql_that_does_more_than_read_is_refused(statement: str, server: Server) -> None:
    for path in ("/sql", "/rows.csv", "/rows.conllu"):
        answer = server.get(path, {"statement": statement})
        assert answer.code == 400 or (path == "/sql" and not statement.strip()), answer.text
        assert "root:" not in answer.text and "Traceback" not in answer.text


HOSTILE = [
    "'; drop table corpus.sentences; --",
    'pattern { X [lemma="\'; drop table corpus.sentences; --"] }',
    'pattern { "X\'; select 1 --" [] }',
    f'pattern {{ X [form="{XSS}"] }}',
    f"pattern {{ {XSS} }}",
    "pattern { X [form=/(α+)+(α+)+(α+)+β/] }",
    'pattern { X [form=re"\\(\\(α*\\)*\\)*β"] }',
    "pattern { " + "X [upos=VERB]; " * 800 + "}",
    "pattern { " + "[" * 5000,
    "\x00\x07\u202e",
    "%" * 3000,
    "{{ 7 * 7 }}{% include '/etc/passwd' %}",
]


@pytest.mark.parametrize("request_", HOSTILE)
def test_hostile_requests_do_nothing(request_: str, server: Server) -> None:
    answer = server.get("/", {"request": request_, "key": [XSS, "--"], "whether": ATTRIBUTE, "author": ATTRIBUTE})
    assert answer.code == 400
    assert Markup(answer.text).dangers() == []
    plain = server.get("/", {"request": request_})
    assert plain.code in (200, 400), plain.text
    assert Markup(plain.text).dangers() == []
    assert "Traceback" not in plain.text and ">49<" not in plain.text
    assert re.search(r'id="found">[1-9]', server.get("/", {"request": CLAUSE}).text), "everything is still there"


def test_an_address_that_is_too_long_is_refused(server: Server) -> None:
    answer = server.get("/", {"request": "pattern { " + "X [upos=VERB]; " * 2100 + "}"})
    assert answer.code == 414 and "sphragis match" in answer.text


def test_data_that_try_to_be_markup_stay_text(tmp_path: Path) -> None:
    hostile_warehouse(tmp_path / "hostile.duckdb")
    with serving(tmp_path / "hostile.duckdb") as served:
        hits = served.get(
            "/", {"request": "pattern { V -> S }", "key": ["S.form", "meta.author", "V -> S"], "scope": "all"}
        )
        assert hits.code == 200 and html.escape(XSS) in hits.text
        name = "t#1"
        pages = [
            hits,
            served.get("/sentence", {"id": name, "mark": f"1:{XSS},2:{ATTRIBUTE}"}),
            served.get("/sentence", {"id": name, "part": "1"}),
            served.get("/sentence", {"id": XSS}),
            served.get("/sentence", {"id": ATTRIBUTE, "layer": ATTRIBUTE}),
            served.get(
                "/sql", {"statement": f'select form as "{XSS}", sentence_id from corpus.nodes, corpus.sentences'}
            ),
        ]
        assert "made by another version and cannot tell: source, copies, " in pages[1].text
        for answer in pages:
            assert XSS not in answer.text and "<img" not in answer.text
            assert Markup(answer.text).dangers() == []
        assert [answer.code for answer in pages] == [200, 200, 200, 200, 404, 200]
        drawn = served.get("/tree.svg", {"id": name})
        assert drawn.code == 200 and "<script" not in drawn.text


def test_a_request_that_runs_too_long_is_ended_and_says_so(hurried: Server) -> None:
    answer = hurried.get("/", {"request": ENDLESS, "scope": "all"})
    assert answer.code == 408 and "took longer than 1 seconds and was ended" in answer.text
    endless = "select count(*) from range(10000000000) as a, range(10000000000) as b"
    for path in ("/sql", "/rows.csv"):
        answer = hurried.get(path, {"statement": endless})
        assert answer.code in (408, 422) and "was ended" in answer.text
    assert hurried.get("/sql", {"statement": "select 1"}).code == 200


def test_ten_users_at_once_get_their_own_answers(server: Server) -> None:
    authors = ["Lysias", "Herodotus", "Plato", "Xenophon", "Polybius", "Sophocles", "Homeric-Iliad", "Aeschylus"]
    asked = [{"request": CLAUSE, "author": author} for author in authors] + [{"request": CLAUSE}] * 2
    alone = [server.get("/", item).text for item in asked]
    with ThreadPoolExecutor(10) as pool:
        together = list(pool.map(lambda item: server.get("/", item), asked))
    assert [answer.code for answer in together] == [200] * 10
    assert [answer.text for answer in together] == alone


def test_one_that_is_ended_ends_no_other(hurried: Server) -> None:
    def ask(number: int) -> Answer:
        if number % 2:
            return hurried.get("/", {"request": ENDLESS})
        return hurried.get("/sql", {"statement": f"select {number} as n"})

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(4)))
    assert [answer.code for answer in answers] == [200, 408, 200, 408]


HEADERS = ("content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy")


@pytest.mark.parametrize(
    "path", ["/", "/sql", "/help", "/style.css", "/page.js", "/nothing", "/sentence?id=x", "/../etc"]
)
def test_every_answer_has_the_strict_headers(path: str, server: Server) -> None:
    for answer in (server.get(path), server.get(path, headers={"Host": "evil.example"})):
        assert set(HEADERS) <= set(answer.headers)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "http" not in policy
        assert "server" not in answer.headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::2]", "localhost@evil"]
)
def test_another_name_does_not_lead_here(host: str, server: Server) -> None:
    answer = server.get("/", {"request": CLAUSE}, {"Host": host})
    assert answer.code in (400, 421) and "hits" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:80"])
def test_the_names_of_this_machine_lead_here(host: str, server: Server) -> None:
    assert server.get("/", headers={"Host": host}).code == 200


def test_two_hosts_are_none(server: Server) -> None:
    place = urlsplit(server.address)
    with socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=10) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert sock.recv(100).split()[1] in (b"400", b"421")


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_can_link_and_not_load(site: str, server: Server) -> None:
    loaded = server.get("/", {"request": CLAUSE}, {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"})
    assert loaded.code == 403
    followed = server.get("/", {"request": CLAUSE}, {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"})
    assert followed.code == 200
    assert server.get("/", headers={"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}).code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_it_only_answers(method: str, server: Server) -> None:
    assert server.get("/", method=method).code == 405


def test_a_head_is_an_answer_without_its_text(server: Server) -> None:
    answer = server.get("/", method="HEAD")
    assert (answer.code, answer.text) == (200, "")


def test_every_link_of_the_page_leads_somewhere(server: Server) -> None:
    kinds: dict[str, list[str]] = {}
    for path in ("/", "/sql", "/help", f"/?{urlencode({'request': CLAUSE, 'author': 'Lysias'})}"):
        for item in server.page(path).all("a"):
            if item["href"].startswith("/"):
                kinds.setdefault(urlsplit(item["href"]).path, []).append(item["href"])
    assert set(kinds) == {"/", "/sql", "/help", "/sentence", "/hits.csv", "/hits.conllu"}
    addresses = [address for found in kinds.values() for address in found[-2:]]
    assert {address: code for address in addresses if (code := server.get(address).code) != 200} == {}


def test_nothing_comes_from_the_network(server: Server) -> None:
    for path in ("/", "/sql", "/help"):
        page = server.page(path)
        loaded = [item.get("src") or item.get("href") for tag in ("script", "link", "img") for item in page.all(tag)]
        assert loaded and all(str(address).startswith("/") for address in loaded)
    assert not re.search(r"url\(|@import|https?:", server.get("/style.css").text)
    assert not re.search(r"https?:|eval\(|import\(", server.get("/page.js").text)


def test_without_the_extra_the_command_says_what_is_missing(
    sample_build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(sphragis.app, ["serve", "--db", str(sample_build.db)])
    assert result.exit_code == 1 and "pip install -e '.[serve]'" in result.stderr


def test_other_commands_import_nothing_of_a_server() -> None:
    code = "import sys, sphragis; sphragis.app; print(sorted({'starlette', 'uvicorn', 'jinja2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_ctrl_c_ends_it_and_a_port_that_is_taken_is_told(sample_build: Build) -> None:
    with serving(sample_build.db) as served:
        port = str(urlsplit(served.address).port)
        second = subprocess.run(
            [sys.executable, "-m", "sphragis", "serve", "--port", port, "--db", str(sample_build.db)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert second.returncode == 1 and f"cannot listen on 127.0.0.1, port {port}" in second.stderr
        process = served.process
    assert process.returncode == 130
