"""``python -m exports``: write the dataset folder and publish the warehouse."""

from __future__ import annotations

from runtime.command import run


def main() -> None:
    """Run the command of this folder."""
    import typer

    from exports.edition.cli import export

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(export)
    app(prog_name="python -m exports")


if __name__ == "__main__":
    run(main)
