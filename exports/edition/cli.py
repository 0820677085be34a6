"""The commands of an edition: make it and put it in place, upload it."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated

import typer

from exports.told import Folder, as_utf8, dataset_folder, told
from runtime.command import short


def export(
    processes: Annotated[int, typer.Option(help="Threads of the writer and processes of the loader.", min=1)] = 2,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
    if_changed: Annotated[
        bool, typer.Option("--if-changed", help="Write nothing when the current edition is made from what is there.")
    ] = False,
) -> None:
    """Write the dataset folder and publish the warehouse.

    Everything is written beside the last edition; warehouse and folder are put in place in one step when they are
    complete and checked. Exit code 1: nothing was changed. Exit code 130: interrupted; the message says what is in
    place.
    """
    from exports.edition import export as edition
    from exports.edition import unchanged
    from runtime.settings import load_settings

    with told():
        settings = load_settings()
        if if_changed and unchanged.is_current(settings):
            print(f"edition: nothing has changed since {settings.current.resolve().name} was made")
            return
        say = (lambda line: None) if quiet else edition.say_on_terminal
        summary = edition.export(settings, say, processes, quiet)
        if if_changed:
            unchanged.note(settings)
    if not quiet:
        print(edition.report(summary))


def publish(
    repo: Annotated[str, typer.Option(help="Owner and name of the dataset on the Hub.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be uploaded, send nothing.")] = False,
    confirm: Annotated[str | None, typer.Option(help="The name of the dataset again, instead of the question.")] = None,
    message: Annotated[str, typer.Option(help="Title of the commit.")] = "New edition",
    folder: Folder = None,
) -> None:
    """Upload the edition to the Hugging Face Hub, in one commit, after showing what would change.

    Nothing is sent without a confirmation: type the name of the dataset when asked, or give it with --confirm. The
    token is the one of `hf auth login` or HF_TOKEN. Exit code 1: it was not published, and the message says what is on
    the Hub.
    """
    from huggingface_hub import HfApi

    from exports.edition import publish as publication
    from exports.warehouse import ExportError

    def confirmed(change: publication.Change) -> bool:
        print(publication.as_text(change))
        if dry_run:
            return False
        answer = confirm
        if answer is None and sys.stdin.isatty():
            with suppress(EOFError):
                answer = input(f"Type {repo} to upload: ")
        if not publication.confirm_by_name(answer, repo):
            raise ExportError(f"not confirmed, nothing was sent: type the name, or give --confirm {short(repo)}")
        return True

    with told():
        repo, message = as_utf8(repo), as_utf8(message)
        change, address = publication.publish(dataset_folder(folder), repo, HfApi(), confirmed, message)
    if not change.is_needed:
        print(f"{repo} already has this edition")
    elif address is not None:
        print(f"published: {address}")
