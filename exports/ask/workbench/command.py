"""The command ``sphragis serve``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exports.told import told

if TYPE_CHECKING:
    import socket

MOST_CONNECTIONS = 100
"""Connections at a time; more are told to come back."""


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes one that is free.")] = 8765,
    host: Annotated[
        str, typer.Option(help="Address to listen on; by default this machine alone can ask.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(help="A name under which others may ask, with --host; may be repeated.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time that a request may take.")] = 20.0,
    db: Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.")] = None,
) -> None:
    """Serve the workbench, one page for a browser on this machine: patterns, SQL, hits, counts, trees.

    It reads one edition and nothing else, and writes nothing. Ctrl-C ends it.
    """
    from exports.ask.reading import opened
    from exports.warehouse import ExportError
    from runtime.settings import load_settings

    with told():
        try:
            import uvicorn

            from exports.ask.workbench.app import make_app
            from exports.ask.workbench.guard import LOOPBACK
        except ModuleNotFoundError as error:
            if error.name not in ("starlette", "uvicorn"):
                raise
            raise ExportError(
                "the page needs starlette and uvicorn: pip install -e '.[serve]' in the checkout"
            ) from error
        names = {*LOOPBACK, *(name or [])} | ({host} if host not in ("0.0.0.0", "::") else set())
        path = db or load_settings().db
        with opened(path) as con, listening(host, port) as sock:
            app = make_app(con, path.resolve().parent.name, names, seconds)
            address = f"[{host}]" if ":" in host else host
            print(f"http://{address}:{sock.getsockname()[1]}/ until Ctrl-C", file=sys.stderr, flush=True)
            settings = uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                ws="none",
                lifespan="off",
                limit_concurrency=MOST_CONNECTIONS,
            )
            uvicorn.Server(settings).run(sockets=[sock])


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        ExportError: the address cannot be had.
    """
    import socket

    from exports.warehouse import ExportError

    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise ExportError(f"cannot listen on {host}, port {port}: {error}; choose another with --port") from error
