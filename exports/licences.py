"""The licence page of the dataset, and of the repository: one text, made from the table of projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

NOTES = (
    "`gorman`: the README of the repository names CC BY-NC-SA 4.0, its licence file has the text of CC BY-SA 4.0. "
    "The licence file is followed here; whoever depends on the difference asks the author.",
    "`ud_proiel`: the licence file names version 3.0 and links to version 4.0; the name is followed.",
    "`agdt`: files that are replaced by those of an older release of the same project are under the same licence.",
)


def is_non_commercial(licence: str) -> bool:
    """Return true when a licence forbids commercial use.

    >>> is_non_commercial("CC BY-NC-SA 2.5"), is_non_commercial("CC BY-SA 4.0")
    (True, False)
    """
    return "-NC" in licence


def render(projects: Sequence[Mapping[str, Any]], rows: Mapping[str, int] | None = None) -> str:
    """Return the page as Markdown.

    Args:
        projects: rows of the seed `projects`.
        rows: distinct published sentences under each licence, where there is an edition to count.
    """
    lines = [
        "# Licences and attribution",
        "",
        "The code of Sphragis is under the MIT licence. The data is not: every row of the dataset is derived from "
        "a treebank, and stays under the licence of that treebank. Ancient Greek texts themselves are in the public "
        "domain; editions and annotation are not.",
        "",
        "## Sources",
        "",
        "| project | repository | licence | attribution |",
        "|---|---|---|---|",
    ]
    for project in sorted(projects, key=lambda row: str(row["project"])):
        lines.append(
            f"| `{project['project']}` | [{project['repository']}](https://github.com/{project['repository']}) "
            f"at `{str(project['revision'])[:12]}` | [{project['licence']}]({project['licence_url']}) "
            f"| {project['attribution']} |"
        )
    lines += ["", *(f"- {note}" for note in NOTES)]
    if rows is not None:
        lines += ["", "Published sentences under each licence (a sentence in several projects counts for each):", ""]
        lines += ["| licence | sentences |", "|---|---|"]
        lines += [f"| {licence} | {count:,} |" for licence, count in sorted(rows.items())]
    lines += [
        "",
        "## What the licences ask",
        "",
        "- **Attribution (BY)**: name the source and its authors, link to the licence, say what was changed. "
        "`source_records` of every row names project, file, sentence, revision and annotators. What was changed: "
        "normalised spelling, no punctuation, heads and labels converted to a shared inventory.",
        "- **ShareAlike (SA)**: what you make out of a row and give to others has to be under the same licence, or "
        "one that the licence names as compatible (a later version of it, for versions 2.0 and later).",
        "- **NonCommercial (NC)**: rows of `ud_perseus` and `ud_proiel` may not be used for commercial purposes.",
        "",
        "## The mixture",
        "",
        "CC BY-SA and CC BY-NC-SA do not allow their material to be merged into one work under one licence. The "
        "dataset is therefore a *collection*: its rows stand side by side, each under its own licences, and no single "
        "licence covers the whole.",
        "",
        "- The column `licenses` has every licence of the row: that of the copy which is published, and those of "
        "exact duplicates merged into `source_records`, and in a chunk those of all its sentences. Each of them "
        "applies to the part that comes from its source; taking all of them as binding is always safe.",
        "- Used as a whole, the dataset is for **non-commercial** use.",
        "- For commercial use keep the rows without a NonCommercial licence:",
        "",
        "```python",
        'rows = rows.filter(lambda row: not any("-NC" in name for name in row["licenses"]))',
        "```",
        "",
        "- A dataset derived from several rows keeps the licences apart in the same way, row by row. A derivative of "
        "one row is under that row's licences.",
        "",
        "This page explains; the licences themselves decide.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the page of the repository: `python -m exports.licences > LICENSES.md` after a change of the table."""
    import csv

    from exports.warehouse import ExportError
    from ingest.checkout import project_root

    path = project_root(ExportError) / "seeds" / "catalogue" / "projects.csv"
    with path.open(encoding="utf-8", newline="") as file:
        print(render(list(csv.DictReader(file))), end="")


if __name__ == "__main__":
    main()
