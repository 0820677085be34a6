"""``python -m ingest``: read the treebanks into the raw tables."""

from __future__ import annotations

if __name__ == "__main__":
    import typer

    from ingest.cli import ingest

    typer.run(ingest)
