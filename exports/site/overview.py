"""The first page of dbt's own site: its picture, which is part of the text, and its links to the pages beside it.

The text is `models/overview.md`. dbt shows no picture from a file and no SVG in a text, so that the picture stands
there as an address that holds it. `python -m exports.site.overview` draws it anew after a change of layers or colours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from exports.about.svg import FAINT, Drawing, number
from exports.site.pages import LAYERS as ALL_LAYERS

BLOCK = "doc.sphragis.__overview__"
"""The text in a manifest."""
PICTURE = re.compile(r"!\[([^\]]*)\]\(data:[^)]*\)")
LAYERS = tuple((name, said) for name, said, _ in ALL_LAYERS[1:-1])
"""The layers from left to right, each with what it is; seeds feed the work, and audits watch it."""
BESIDE = (
    ("../index.html", "First page"),
    ("../columns/index.html", "Columns"),
    ("../vocabulary/index.html", "Vocabulary"),
    ("../build.html", "What the build did"),
    ("../tables/index.html", "Tables"),
    ("../search.html", "Search"),
)
"""Pages of the documentation site, as they are seen from dbt's own page within it."""


def colours(project: Mapping[str, Any]) -> dict[str, str]:
    """Return the colour of every layer in the graph, as `dbt_project.yml` gives them."""
    found = {"raw": FAINT, "dataset": FAINT, "seeds": project["seeds"]["sphragis"]["+docs"]["node_color"]}
    models = project["models"]["sphragis"]
    return found | {
        name: of["+docs"]["node_color"] for name, of in models.items() if name != "queries" and "+docs" in of
    }


def layers(of: Mapping[str, str]) -> str:
    """Return the layers as SVG, each in its colour."""
    drawing = Drawing(
        780,
        190,
        "The layers of the warehouse",
        "From the files of the treebanks over " + ", ".join(name for name, _ in LAYERS) + " to the dataset.",
    )
    wide, step, top = 92.0, 111.0, 76.0

    def box(x: float, y: float, name: str, said: str) -> None:
        drawing.rectangle(x, y, wide, 40, fill=of[name], rx="4")
        drawing.text(x + wide / 2, y + 17, name, text_anchor="middle", fill="#ffffff", font_weight="bold")
        drawing.text(x + wide / 2, y + 32, said, text_anchor="middle", fill="#ffffff")

    def arrow(x: float, y: float, to_x: float, to_y: float) -> None:
        drawing.line(x, y, to_x, to_y, stroke=FAINT)
        drawing.circle(to_x, to_y, 2.5, fill=FAINT)

    for place, (name, said) in enumerate((*LAYERS, ("dataset", "in Parquet"))):
        x = 10 + step * place
        box(x, top, name, said)
        if place:
            arrow(x - step + wide, top + 20, x, top + 20)
    work = 10 + step * 2
    box(work, 10, "seeds", "decisions")
    arrow(work + wide / 2, 50, work + wide / 2, top)
    box(work + step * 2, 142, "audit", "findings")
    for place in (2, 3, 4):
        arrow(10 + step * place + wide / 2, top + 40, work + step * 2 + wide / 2, 142)
    return drawing.whole()


def renewed(text: str, project: Mapping[str, Any]) -> str:
    """Return the text of the first page with the picture that belongs to the colours of the project.

    Raises:
        ValueError: the text has no place for it, or several.
    """
    drawn = layers(colours(project)).replace("\n", "").replace('"', "'")
    address = "data:image/svg+xml," + quote(drawn, safe="='/:;,.-")
    changed, places = PICTURE.subn(lambda found: f"![{found[1]}]({address})", text)
    if places != 1:
        raise ValueError(f"expected one picture in the overview, found {number(places)}")
    return changed


def with_pages(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest whose first page leads to the pages of the documentation site beside it."""
    docs = dict(manifest["docs"])
    if BLOCK in docs:
        links = " · ".join(f"[{title}]({address})" for address, title in BESIDE)
        text = docs[BLOCK]["block_contents"].replace("\n## ", f"\nPages beside this one: {links}\n\n## ", 1)
        docs[BLOCK] = {**docs[BLOCK], "block_contents": text}
    return {**manifest, "docs": docs}


if __name__ == "__main__":
    import yaml

    from exports.warehouse import ExportError
    from runtime.checkout import project_root

    ROOT = project_root(ExportError)
    PATH = ROOT / "models" / "overview.md"
    PATH.write_text(
        renewed(
            PATH.read_text(encoding="utf-8"), yaml.safe_load((ROOT / "dbt_project.yml").read_text(encoding="utf-8"))
        ),
        encoding="utf-8",
    )
