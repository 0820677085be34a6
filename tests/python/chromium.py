"""Chromium without a window, driven over a pipe by its own protocol: nothing beside it has to be installed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 300.0
"""Seconds that an answer may take; a machine that is busy with other work is slow."""

LAUNCHER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""The browser reads its commands from the descriptor 3 and answers to 4."""

KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, "")}
"""Keys without a letter: number of the key, and the text that it gives."""


class Chromium:
    """A running browser.

    Args:
        process: the browser.
        reading, writing: ends of the pipes.
    """

    def __init__(self, process: subprocess.Popen[bytes], reading: int, writing: int) -> None:
        self.process, self.reading, self.writing = process, reading, writing
        self.number, self.waiting = 0, b""
        self.events: list[dict[str, Any]] = []

    def ask(self, method: str, session: str | None = None, **values: Any) -> dict[str, Any]:
        """Send a command and return its answer; what happens meanwhile is kept in `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": values} | ({"sessionId": session} if session else {})
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            told = self.next(end)
            if told.get("id") == self.number:
                if "error" in told:
                    raise AssertionError(f"{method}: {told['error']['message']}")
                found: dict[str, Any] = told["result"]
                return found
            self.events.append(told)

    def next(self, end: float) -> dict[str, Any]:
        """Return the next message of the browser."""
        while b"\0" not in self.waiting:
            if not select.select([self.reading], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self.reading, 1 << 20)
            if not got:
                raise AssertionError("the browser has ended")
            self.waiting += got
        told, _, self.waiting = self.waiting.partition(b"\0")
        found: dict[str, Any] = json.loads(told)
        return found


class Tab:
    """One page of a browser, with what it asked, said and loaded.

    Args:
        browser: the browser.
        width, height: of the window.
        scheme: light or dark.
    """

    def __init__(self, browser: Chromium, width: int = 1200, height: int = 900, scheme: str = "light") -> None:
        self.browser = browser
        self.context = browser.ask("Target.createBrowserContext")["browserContextId"]
        target = browser.ask("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def ask(self, method: str, **values: Any) -> dict[str, Any]:
        """Send a command to the page."""
        return self.browser.ask(method, self.session, **values)

    def close(self) -> None:
        """End the page and what it stored."""
        self.browser.ask("Target.disposeBrowserContext", browserContextId=self.context)

    def go(self, address: str) -> None:
        """Open an address, and wait until it has been loaded.

        An address that differs from the present one behind its `#` only loads nothing: there is nothing to wait for.
        """
        before = len(self.happened("Page.loadEventFired"))
        told = self.ask("Page.navigate", url=address)
        assert "errorText" not in told, (address, told)
        if told.get("loaderId"):
            self.until_loaded(before)

    def until_loaded(self, before: int) -> None:
        """Wait until one more page has been loaded than before."""
        end = time.monotonic() + PATIENCE
        while len(self.happened("Page.loadEventFired")) <= before:
            self.browser.events.append(self.browser.next(end))

    def value(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript on the page."""
        told = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.value(expression):
            assert time.monotonic() < end, f"this never was true: {expression}"
            time.sleep(0.05)

    def press(self, *names: str) -> None:
        """Press keys one after the other."""
        for name in names:
            number, text = KEYS[name]
            known = {"key": name, "code": name, "windowsVirtualKeyCode": number}
            self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **known)
            self.ask("Input.dispatchKeyEvent", type="keyUp", **known)

    def write(self, text: str) -> None:
        """Write a text where the focus is."""
        self.ask("Input.insertText", text=text)

    def happened(self, method: str) -> list[dict[str, Any]]:
        """Return the events of a name on this page."""
        return [
            one["params"]
            for one in self.browser.events
            if one.get("method") == method and one.get("sessionId") == self.session
        ]

    def complaints(self) -> list[str]:
        """Return what the page said to the console: errors and warnings, of scripts and of the browser."""
        found = [one["exceptionDetails"]["text"] for one in self.happened("Runtime.exceptionThrown")]
        found += [str(one["args"]) for one in self.happened("Runtime.consoleAPICalled")]
        found += [
            f"{one['entry']['text']} {one['entry'].get('url', '')}"
            for one in self.happened("Log.entryAdded")
            # A browser asks every server for an icon by itself.
            if not one["entry"].get("url", "").endswith("/favicon.ico")
        ]
        return found

    def asked(self) -> list[str]:
        """Return the addresses that the page asked for."""
        return [one["request"]["url"] for one in self.happened("Network.requestWillBeSent")]

    def picture(self, path: Path) -> None:
        """Write what is seen as PNG."""
        import base64

        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Chromium]:
    """Start a browser with a fresh profile in a folder, and end it with all that it has started."""
    ends = [*os.pipe(), *os.pipe()]
    # High numbers: 3 and 4 have to be free for the browser.
    to_browser, writing, reading, from_browser = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe",
        f"--user-data-dir={folder}", "about:blank",
    ]  # fmt: skip

    started = [sys.executable, "-c", LAUNCHER, str(to_browser), str(from_browser), *command]
    process = subprocess.Popen(
        started,
        pass_fds=(to_browser, from_browser),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Chromium(process, reading, writing)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        os.close(writing)
        os.close(reading)
