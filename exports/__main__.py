"""``python -m exports``: write the dataset folder and publish the warehouse."""

from __future__ import annotations

if __name__ == "__main__":
    import typer

    from exports.cli import export

    typer.run(export)
