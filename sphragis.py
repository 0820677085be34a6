"""The command ``sphragis``: mounts the subcommands of ingest/ and exports/, whose heavy imports wait for their use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ingest.command import run

if TYPE_CHECKING:
    import typer

    app: typer.Typer


def make_app() -> typer.Typer:
    """Return the command line with all its commands."""
    import typer

    from exports.audit.cli import audit
    from exports.cli import bench_export, bench_parser, conllu, diff, export, publish, text
    from exports.dedup_cli import bench_dedup, explain
    from exports.tree_cli import tree
    from ingest.cli import bench_ingest, ingest, transform

    app = typer.Typer(
        help="Corpus warehouse and authorship benchmark of the Ancient Greek treebanks.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    bench = typer.Typer(help="Measure one stage beside what would be picked instead.", no_args_is_help=True)
    app.add_typer(bench, name="bench")
    app.add_typer(audit, name="audit")

    app.command("ingest")(ingest)
    app.command("transform", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(transform)
    app.command("export")(export)
    app.command("conllu")(conllu)
    app.command("text")(text)
    app.command("tree")(tree)
    app.command("explain")(explain)
    app.command("diff")(diff)
    app.command("publish")(publish)
    bench.command("ingest")(bench_ingest)
    bench.command("export")(bench_export)
    bench.command("dedup")(bench_dedup)
    bench.command("parser")(bench_parser)
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
