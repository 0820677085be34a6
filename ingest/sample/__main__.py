"""Write the bundled sample: `python -m ingest.sample FOLDER`, or list its hand-made sentences: `--list`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ingest.sample.generator import constructions, digest, render, write_sample
from runtime.command import run


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m ingest.sample", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder to write (made when it does not exist)")
    parser.add_argument("--list", action="store_true", help="print the hand-made sentences and what each shows")
    parser.add_argument("--digest", action="store_true", help="print the digest of the whole sample")
    options = parser.parse_args(arguments)
    if options.list:
        for item in constructions():
            print("\t".join((item.key, item.project, item.path, item.sentence, item.note)))
        return 0
    if options.digest:
        print(digest(render()))
        return 0
    if options.folder is None:
        parser.error("give a folder, --list or --digest")
    try:
        write_sample(options.folder)
    except OSError as error:
        print(f"cannot write the sample to {options.folder}: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"sample written to {options.folder} (made up for tests; see SAMPLE.md there)")
    return 0


if __name__ == "__main__":
    run(lambda: sys.exit(main()))
