"""``python -m ingest``: read the treebanks into the raw tables."""

from __future__ import annotations

from runtime.command import run


def main() -> None:
    """Run the command of this folder."""
    import typer

    from ingest.cli import ingest

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(ingest)
    app(prog_name="python -m ingest")


if __name__ == "__main__":
    run(main)
