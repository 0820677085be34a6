"""What the page refuses before it looks at a request, and what every answer carries.

A page of another site may make a browser ask this machine, and may let its own name lead here (DNS rebinding). So a
name in the header Host that is none of this server is refused, and so is what another site loads without being followed
as a link.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
"""What every answer carries."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LONGEST = 32_000
"""Bytes of the longest address."""


class Guard:
    """Passes on what may be asked.

    Args:
        app: the page.
        names: names under which this server may be asked.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self.app, self.names = app, frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and add the headers."""
        from starlette.responses import PlainTextResponse

        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        code, reason = self.refusal(scope)
        if code:
            await PlainTextResponse(reason + "\n", code)(scope, receive, with_headers)
            return
        await self.app(scope, receive, with_headers)

    def refusal(self, scope: Scope) -> tuple[int, str]:
        """Return code and reason of a refusal, 0 where there is none."""
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).append(value.decode("latin-1"))
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or host_name(hosts[0]) not in self.names:
            return 421, "this server does not have the name by which it was asked"
        if scope["method"] not in ("GET", "HEAD"):
            return 405, "this server only answers: GET and HEAD"
        site = (headers.get(b"sec-fetch-site") or ["none"])[-1]
        mode = (headers.get(b"sec-fetch-mode") or ["navigate"])[-1]
        if site in ("cross-site", "same-site") and mode != "navigate":
            return 403, "another site may link to this page, not load from it"
        if len(scope["query_string"]) > LONGEST:
            return 414, f"the request is longer than {LONGEST:,} bytes: put it into a file for `sphragis match`"
        return 0, ""


def host_name(host: str) -> str:
    """Return the name in a header Host, without its port.

    >>> host_name("LOCALHOST:8000"), host_name("[::1]:8000"), host_name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0]
