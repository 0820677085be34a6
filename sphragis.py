"""The command ``sphragis``: mounts the subcommands of ingest/ and exports/, whose heavy imports wait for their use."""

from __future__ import annotations

import typer

from exports.audit.cli import audit
from exports.cli import bench_export, bench_parser, conllu, diff, export, publish, text
from exports.dedup_cli import bench_dedup, explain
from exports.tree_cli import tree
from ingest.cli import bench_ingest, ingest

app = typer.Typer(
    help="Corpus warehouse and authorship benchmark of the Ancient Greek treebanks.",
    no_args_is_help=True,
    add_completion=False,
)
bench = typer.Typer(help="Measure one stage beside what would be picked instead.", no_args_is_help=True)
app.add_typer(bench, name="bench")
app.add_typer(audit, name="audit")

app.command("ingest")(ingest)
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

if __name__ == "__main__":
    app()
