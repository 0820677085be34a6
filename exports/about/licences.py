"""The licence page of the dataset, and of the repository: one text, `licences.md.jinja`, with the table of projects."""

from __future__ import annotations

from collections.abc import Sequence

from exports.about.record import LicenceCount, Project
from exports.about.template import render_template


def render(projects: Sequence[Project], counts: Sequence[LicenceCount] | None = None) -> str:
    """Return the page as Markdown.

    Args:
        projects: the projects, in any order.
        counts: distinct published sentences under each licence, where there is an edition to count.
    """
    by_name = sorted(projects, key=lambda project: project.project)
    return render_template("licences.md.jinja", projects=by_name, counts=counts)


def catalogue() -> tuple[Project, ...]:
    """Return the projects of the catalogue, as the checkout has them.

    Raises:
        ExportError: there is no checkout here.
    """
    import csv

    from exports.about.read import typed
    from exports.warehouse import ExportError
    from runtime.checkout import project_root

    path = project_root(ExportError) / "seeds" / "catalogue" / "projects.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return typed(Project, csv.DictReader(file))


def main() -> None:
    """Print the page of the repository: `python -m exports.about.licences > LICENSES.md` when the table changes."""
    print(render(catalogue()), end="")


if __name__ == "__main__":
    main()
