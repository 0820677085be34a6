"""The command ``sphragis docs``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from exports.told import told


def docs(
    folder: Annotated[Path | None, typer.Option(help="Where it is put; by default `site` in the build folder.")] = None,
    without_dbt: Annotated[bool, typer.Option("--without-dbt", help="Leave dbt's own site out.")] = False,
    serve: Annotated[bool, typer.Option("--serve", help="Then serve it to this machine, until Ctrl-C.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --serve; 0 takes one that is free.")] = 8766,
    db: Annotated[Path | None, typer.Option(help="Warehouse; by default the published one.")] = None,
) -> None:
    """Write the documentation site: from every published column back to the files, and the vocabulary.

    One folder that opens from the disk and asks nothing of a network. Exit code 1: nothing was changed.
    """
    from exports.site.write import write_site
    from runtime.settings import load_settings

    with told():
        settings = load_settings()
        place = folder or settings.build / "site"
        say = (lambda line: print(line, file=sys.stderr)) if sys.stderr.isatty() else (lambda line: None)
        made = write_site(db or settings.db, settings.hub, place, not without_dbt, say)
        print(f"site: {place}/index.html ({made['pages']:,} files, {made['bytes'] / 1e6:,.1f} MB)")
        if serve:
            serve_folder(place, port)


def serve_folder(folder: Path, port: int) -> None:
    """Serve a folder to this machine alone, until it is interrupted.

    Raises:
        ExportError: the port cannot be had.
    """
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    from exports.warehouse import ExportError

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    except OSError as error:
        raise ExportError(f"cannot listen on port {port}: {error}; choose another with --port") from error
    with server:
        print(f"http://127.0.0.1:{server.server_address[1]}/ until Ctrl-C", file=sys.stderr, flush=True)
        server.serve_forever()
