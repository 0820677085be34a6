"""The command ``sphragis``: mounts the commands of every room, whose heavy imports wait for their use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from runtime.command import run

if TYPE_CHECKING:
    import typer

    app: typer.Typer


PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
"""Settings of a command whose arguments another program reads."""


def make_app() -> typer.Typer:
    """Return the command line with all its commands."""
    import typer

    from bench.cli import bench
    from exports.ask.cli import conllu, diff, explain, text
    from exports.ask.patterns.command import match
    from exports.ask.pictures.command import tree
    from exports.ask.query_cli import query
    from exports.ask.workbench.command import serve
    from exports.audit.cli import audit
    from exports.edition.cli import export, publish
    from exports.site.command import docs
    from ingest.cli import ingest
    from portable.command import spark
    from runtime.cli import transform
    from score.cli import baseline, leaderboard, pairs, score

    app = typer.Typer(
        help="Corpus warehouse and authorship benchmark of the Ancient Greek treebanks.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.command("ingest")(ingest)
    app.command("transform", context_settings=PASSED_ON)(transform)
    app.command("export")(export)
    app.command("publish")(publish)
    # Its options are those of the script in the dataset folder, which parses them itself.
    app.command("score", context_settings=PASSED_ON | {"help_option_names": []})(score)
    for command in (baseline, leaderboard, pairs, explain, match, query, serve, tree, conllu, text, diff, docs, spark):
        app.command()(command)
    app.add_typer(audit, name="audit")
    app.add_typer(bench, name="bench")
    return app


def __getattr__(name: str) -> Any:
    """Make ``sphragis.app`` when it is asked for: until then a command that begins has imported nothing heavy."""
    if name != "app":
        raise AttributeError(name)
    made = globals()["app"] = make_app()
    return made


def main() -> NoReturn:
    """Run the command ``sphragis``."""
    run(lambda: make_app()(prog_name="sphragis"))


if __name__ == "__main__":
    main()
