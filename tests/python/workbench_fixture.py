"""The page as a reader has it: the command in a process of its own, on a free port of this machine."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

from conftest import ROOT


@dataclass(frozen=True)
class Answer:
    """What came of a request."""

    code: int
    headers: dict[str, str]
    text: str


class Markup(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        """Return the attributes of all tags of a name with some attributes."""
        return [
            attributes
            for name, attributes in self.tags
            if name == tag and all(attributes.get(key) == value for key, value in wanted.items())
        ]

    def dangers(self) -> list[str]:
        """Return what could run: scripts beside the one of the page, handlers, addresses of another kind."""
        found = [
            f"<script {attributes}>"
            for attributes in self.all("script")
            if attributes != {"src": "/page.js", "defer": ""}
        ]
        for tag, attributes in self.tags:
            found += [f"{tag} {name}" for name in attributes if name.startswith("on") or name in ("style", "srcdoc")]
            found += [
                f"{tag} {attributes[name]}"
                for name in ("href", "src", "action")
                if name in attributes and not re.match(r"(/|#|https://)", attributes[name])
            ]
            found += [tag] * (tag in ("img", "iframe", "object", "embed", "base", "style"))
        return found


@dataclass(frozen=True)
class Server:
    """A page that is served.

    Attributes:
        address: with a slash at its end.
        process: the command.
    """

    address: str
    process: subprocess.Popen[str]

    def get(
        self,
        path: str,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        method: str = "GET",
    ) -> Answer:
        """Ask for a path; lists of a query are repeated."""
        address = (
            self.address
            + quote(path.lstrip("/"), safe="/?=&+%()'")
            + (f"?{urlencode(query, doseq=True)}" if query else "")
        )
        request = urllib.request.Request(address, headers=dict(headers or {}), method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Answer(answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, {k.lower(): v for k, v in error.headers.items()}, error.read().decode())

    def page(self, path: str, query: Mapping[str, object] | None = None) -> Markup:
        """Return a page that is there."""
        answer = self.get(path, query)
        assert answer.code == 200, answer.text[-2000:]
        return Markup(answer.text)


@contextlib.contextmanager
def serving(db: Path, *arguments: str) -> Iterator[Server]:
    """Serve a warehouse, and end the command as Ctrl-C does."""
    command = [sys.executable, "-m", "sphragis", "serve", "--port", "0", "--db", str(db), *arguments]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.match(r"(http://\S+/) until Ctrl-C", line)
        assert found, line + process.stderr.read()
        yield Server(found[1], process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
