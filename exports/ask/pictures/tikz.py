r"""A picture for LaTeX, in the language of the package tikz-dependency.

>>> print(escaped("50% & α_β"))
50\% {\char38} α\_β
"""

from __future__ import annotations

from exports.ask.pictures.record import Panel, Picture

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    # In the words of a tree `\&` is what stands between two of them.
    "&": r"{\char38}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "|": r"\textbar{}",
    # An optional argument would end or begin with one.
    "[": r"{[}",
    "]": r"{]}",
    "`": r"\textasciigrave{}",
    "'": r"{'}",
    "-": r"{-}",
}
"""What has a meaning in LaTeX, also at the beginning of a line or as a pair, and how it is written as itself."""

HEADER = """% With XeLaTeX or LuaLaTeX, a Greek font, and \\usepackage{tikz-dependency}
"""


def escaped(text: str) -> str:
    """Return a text as LaTeX that prints it; empty text is an empty group."""
    return "".join(SPECIAL.get(sign, sign) for sign in text) or "{}"


def as_tikz(picture: Picture) -> str:
    """Return a picture as LaTeX: one environment per layer, from above."""
    comment = "  ".join(
        part for part in (picture.citation, picture.sentence_id, picture.source, picture.licence) if part
    )
    return HEADER + f"% {comment}\n" + "\n\\par\n".join(map(as_environment, picture.panels)) + "\n"


def as_environment(panel: Panel) -> str:
    """Return the tree of one layer. A word whose head is itself or is not there is drawn as a root."""
    places = {word.position: place for place, word in enumerate(panel.words, start=1)}
    lines = [
        f"% {panel.title}",
        r"\begin{dependency}[arc edge, text only label, label style={above}]",
        r"\begin{deptext}[column sep=0.6em]",
        " \\& ".join(escaped(word.form) for word in panel.words) + r" \\",
        " \\& ".join(str(word.position) for word in panel.words) + r" \\",
        r"\end{deptext}",
    ]
    for word in panel.words:
        here, head = places[word.position], places.get(word.head or 0)
        if word.head is None:
            continue
        if head is None or head == here:
            lines.append(f"\\deproot{{{here}}}{{{escaped(word.label or '')}}}")
        else:
            lines.append(f"\\depedge{{{head}}}{{{here}}}{{{escaped(word.label or '')}}}")
    lines += [
        f"\\wordgroup{{1}}{{{places[number]}}}{{{places[number]}}}{{mark{number}}}" for number in sorted(panel.marks)
    ]
    lines.append(r"\end{dependency}")
    return "\n".join(lines)
