"""The figures of the card as SVG, each a pure function of the record; beside each the card has the same as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from exports.about.baselines import FLOOR, Baseline, Baselines, mean
from exports.about.record import About
from exports.about.svg import COLOURS, FAINT, INK, Drawing, number
from exports.dataset.schema import SPLITS
from score.core.edition import HELD_OUT, MAIN_TRACK, ROTATION, is_held_out, sizes_of, twin_of

FOLDER = "metadata/figures"
SIZE = 10
"""Sentences in a row of the configurations that baselines are shown for."""

SPREADS_LABELLED = 8
"""Categories that are named in the figure of annotators: those that say most of them."""


def draw(about: About) -> dict[str, str]:
    """Return every figure that the edition has the facts for, by its path in the dataset folder."""
    made = {"fates": fates(about), "splits": splits(about), "annotators": annotators(about)}
    stored = about.made.baselines
    if stored is not None:
        for configuration in held_out_configurations(about):
            end = configuration.removesuffix(f"_{SIZE}")
            made[f"works_{end}"] = works(stored, configuration)
        made["sizes"] = sizes(about, stored)
        made["confusion"] = confusion(stored, f"{HELD_OUT}_{SIZE}")
    return {f"{FOLDER}/{name}.svg": text for name, text in made.items() if text is not None}


def paths(about: About) -> dict[str, Any]:
    """Return the figures that the card shows, by what they are of; those of other held-out tracks as a list."""
    drawn = {path.removeprefix(f"{FOLDER}/").removesuffix(".svg"): path for path in draw(about)}
    main = f"works_{HELD_OUT}"
    names = ("fates", "splits", "annotators", "sizes", "confusion")
    return {
        **{name: drawn.get(name) for name in names},
        "works": drawn.get(main),
        "other_works": [path for name, path in sorted(drawn.items()) if name.startswith("works_") and name != main],
    }


def held_out_configurations(about: About) -> list[str]:
    """Return the configurations of ten sentences whose test rows are whole works, the main track first."""
    found = [name for name in about.shapes if name.endswith(f"_{SIZE}") and is_held_out(name.rpartition("_")[0])]
    return sorted(found, key=lambda name: (name.rpartition("_")[0] != HELD_OUT, name))


def fates(about: About) -> str | None:
    """Draw what became of the sentences that were read: one ribbon per fate, as wide as its sentences."""
    found = about.fates_of_all
    total = sum(found.values())
    if not total:
        return None
    top, height, gap, left, right = 40.0, 340.0, 13.0, 130.0, 420.0
    room = height + gap * (len(found) - 1)
    drawing = Drawing(
        760, top + room + 20, "What became of the sentences", f"{total:,} sentences were read; each has one fate."
    )
    drawing.text(20, 22, f"{total:,} sentences were read; every one has one fate", font_size=14)
    start = top + (room - height) / 2
    drawing.rectangle(left - 16, start, 16, height, fill=INK)
    drawing.text(left - 22, start + height / 2, f"read {total:,}", text_anchor="end")
    from_y, to_y = start, top
    for place, (fate, sentences) in enumerate(found.items()):
        wide = max(height * sentences / total, 0.8)
        is_kept = fate in ("published", "remainder")
        colour = COLOURS[0] if is_kept else COLOURS[1 + place % (len(COLOURS) - 1)]
        middle = (left + right) / 2
        drawing.path(
            f"M{number(left)} {number(from_y)} C{number(middle)} {number(from_y)} {number(middle)} {number(to_y)} "
            f"{number(right)} {number(to_y)} L{number(right)} {number(to_y + wide)} C{number(middle)} "
            f"{number(to_y + wide)} {number(middle)} {number(from_y + wide)} {number(left)} {number(from_y + wide)} Z",
            fill=colour,
            fill_opacity="0.45",
        )
        drawing.rectangle(right, to_y, 12, wide, fill=colour)
        drawing.text(right + 20, to_y + wide / 2 + 4, f"{fate.replace('_', ' ')}: {sentences:,}")
        from_y += height * sentences / total
        to_y += wide + gap
    return drawing.whole()


def splits(about: About) -> str | None:
    """Draw the sentences of every author of the main track, one part of the bar per split."""
    rows = [row for row in about.authors if row.track == MAIN_TRACK]
    if not rows:
        return None
    rows.sort(key=lambda row: (-row.sentences, row.author))
    left, wide, step, top = 170.0, 480.0, 20.0, 60.0
    most = max(row.sentences for row in rows)
    drawing = Drawing(
        760,
        top + step * len(rows) + 16,
        "Sentences of every author by split",
        f"Main track, {len(rows)} authors, the one with most sentences first.",
    )
    drawing.text(20, 22, f"Sentences of the {len(rows)} authors of {MAIN_TRACK}_1, by split", font_size=14)
    for place, split in enumerate(SPLITS):
        drawing.rectangle(left + 110 * place, 34, 11, 11, fill=COLOURS[place])
        drawing.text(left + 110 * place + 16, 44, split)
    for number_of, row in enumerate(rows):
        y = top + step * number_of
        drawing.text(left - 8, y + 12, row.author, text_anchor="end")
        x = left
        for place, split in enumerate(SPLITS):
            length = wide * getattr(row, split) / most
            drawing.rectangle(x, y + 2, length, step - 6, fill=COLOURS[place])
            x += length
        drawing.text(x + 6, y + 12, f"{row.sentences:,}")
    return drawing.whole()


def spreads(about: About) -> list[Mapping[str, Any]]:
    """Return the published categories of which both spreads are known, those that say most of annotators first."""
    if not about.made.leakage:
        return []
    rows = about.made.leakage[0].get("variation", [])
    known = [row for row in rows if row["verdict"] != "merged" and row["project_spread"] and row["author_spread"]]
    return sorted(known, key=lambda row: (-row["ratio"], row["feature_group"], row["feature"]))


def annotators(about: About) -> str | None:
    """Draw how far a category differs between projects of one author, against between authors of one project."""
    rows = spreads(about)
    if len(rows) < SPREADS_LABELLED:
        return None
    left, top, side = 70.0, 40.0, 520.0
    values = [row[name] for row in rows for name in ("project_spread", "author_spread")]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    drawing = Drawing(
        760,
        top + side + 60,
        "Annotators against authors",
        "Each dot is a category of the annotation. Above the line it differs more between annotators of one author "
        "than between authors of one project.",
    )

    def place(value: float) -> float:
        return side * (math.log10(value) - low) / (high - low)

    drawing.text(20, 22, "Categories of the annotation: spread between annotators and between authors", font_size=14)
    for exponent in range(low, high + 1):
        at = place(10.0**exponent)
        drawing.line(left + at, top, left + at, top + side, stroke="#e4e4e4")
        drawing.line(left, top + side - at, left + side, top + side - at, stroke="#e4e4e4")
        drawing.text(left + at, top + side + 16, f"{10.0**exponent:g}", text_anchor="middle")
        drawing.text(left - 8, top + side - at + 4, f"{10.0**exponent:g}", text_anchor="end")
    drawing.line(left, top + side, left + side, top, stroke=FAINT, stroke_dasharray="5 4")
    drawing.text(
        left + side / 2, top + side + 38, "between authors of one project, per 1,000 words", text_anchor="middle"
    )
    drawing.text(
        18,
        top + side / 2,
        "between projects of one author, per 1,000 words",
        text_anchor="middle",
        transform=f"rotate(-90 18 {number(top + side / 2)})",
    )
    taken: list[float] = []
    for rank, row in enumerate(rows):
        x, y = left + place(row["author_spread"]), top + side - place(row["project_spread"])
        is_above = row["ratio"] > 1
        drawing.circle(x, y, 3.5, fill=COLOURS[1] if is_above else COLOURS[0], fill_opacity="0.75")
        if rank < SPREADS_LABELLED:
            at = y
            while any(abs(at - other) < 13 for other in taken):
                at += 1
            taken.append(at)
            drawing.line(x, y, left + side + 12, at, stroke="#cccccc")
            drawing.text(left + side + 16, at + 4, f"{row['feature_group']} {row['feature']}: {row['ratio']:.2f}")
    return drawing.whole()


def works(stored: Baselines, configuration: str) -> str | None:
    """Draw the share of right rows of every held-out work, with mean and interval per baseline and the floor."""
    split = stored.ranked_by(configuration)
    found = stored.of(configuration, split)
    if not found:
        return None
    left, wide, step, top = 190.0, 500.0, 34.0, 74.0
    below = top + step * len(found)
    of = "all works of the rotation" if split == ROTATION else "test works"
    drawing = Drawing(
        760,
        below + 40,
        f"Held-out works of {configuration}",
        f"Share of right rows in each of {found[0].figure.works} works, {of}.",
    )
    drawing.text(20, 22, f"{configuration}: right rows of each work ({len(found[0].works)} works, {of})", font_size=14)
    drawing.circle(left + 4, 40, 3, fill=COLOURS[0], fill_opacity="0.5")
    drawing.text(left + 14, 44, "a work")
    drawing.line(left + 80, 40, left + 110, 40, stroke=COLOURS[1], stroke_width="2")
    drawing.text(left + 118, 44, "mean and 95 % interval")
    drawing.line(left + 270, 40, left + 300, 40, stroke=INK, stroke_dasharray="4 3")
    drawing.text(left + 308, 44, "mean of the floor, from annotation alone")
    for tick in range(0, 11, 2):
        x = left + wide * tick / 10
        drawing.line(x, top - 6, x, below, stroke="#e4e4e4")
        drawing.text(x, below + 18, f"{tick * 10} %", text_anchor="middle")
    for place, one in enumerate(found):
        y = top + step * place + step / 2
        weight = "bold" if one.system == FLOOR else None
        drawing.text(left - 10, y + 4, one.system, text_anchor="end", font_weight=weight)
        _swarm(drawing, one, left, wide, y)
        figure = shown_figure(one)
        if figure.low is not None and figure.high is not None:
            drawing.line(left + wide * figure.low, y, left + wide * figure.high, y, stroke=COLOURS[1], stroke_width="2")
        x = left + wide * figure.value
        drawing.line(x, y - 10, x, y + 10, stroke=COLOURS[1], stroke_width="3")
    floor = next((one for one in found if one.system == FLOOR), None)
    if floor is not None:
        x = left + wide * shown_figure(floor).value
        drawing.line(x, top - 6, x, below, stroke=INK, stroke_dasharray="4 3")
    return drawing.whole()


def shown_figure(one: Baseline) -> Any:
    """Return the mean over all works of a baseline on a held-out track."""
    return one.everything or one.figure


def _swarm(drawing: Drawing, one: Baseline, left: float, wide: float, y: float) -> None:
    """Draw a dot per work; dots at one place stand above each other."""
    at: dict[int, int] = {}
    for work in sorted(one.works, key=lambda work: (work.right / work.rows, work.author, work.title)):
        share = work.right / work.rows
        column = round(share * 80)
        height = at.get(column, 0)
        at[column] = height + 1
        offset = ((height + 1) // 2) * (3.4 if height % 2 else -3.4)
        is_single = work.group == "singleton"
        drawing.circle(
            left + wide * share,
            y + max(-13.6, min(13.6, offset)),
            3,
            fill="none" if is_single else COLOURS[0],
            fill_opacity=None if is_single else "0.5",
            stroke=COLOURS[0] if is_single else None,
        )


def by_size(about: About, stored: Baselines) -> list[tuple[str, dict[int, tuple[float, float]]]]:
    """Return of each baseline that is stored for several sizes the mean recall of the same authors, by size.

    The first of a pair is on rows of works that were trained on, the second the mean over held-out works.
    """
    made = []
    for system in sorted({one.system for one in stored.scores}):
        pairs = {}
        for size in sizes_of(about.shapes, HELD_OUT):
            held_out = stored.one(system, f"{HELD_OUT}_{size}")
            twin = stored.one(system, f"{twin_of(HELD_OUT)}_{size}")
            if held_out is None or twin is None or held_out.everything is None:
                continue
            inside = mean(twin.recall[author] for author in sorted(held_out.recall) if author in twin.recall)
            if inside is not None:
                pairs[size] = (inside, held_out.everything.value)
        if len(pairs) > 1:
            made.append((system, pairs))
    return made


def sizes(about: About, stored: Baselines) -> str | None:
    """Draw how baselines do inside known works and outside of them, by the number of sentences in a row."""
    found = by_size(about, stored)
    if not found:
        return None
    left, top, wide, height = 60.0, 60.0, 460.0, 340.0
    known = sorted({size for _, pairs in found for size in pairs})
    places = {size: left + 30 + (wide - 60) * place / (len(known) - 1) for place, size in enumerate(known)}
    drawing = Drawing(
        760,
        top + height + 50,
        "In known works and in held-out works, by size",
        "Mean share of right rows of the same authors, by the number of sentences in a row.",
    )
    drawing.text(20, 22, "The same authors in works that were trained on and in held-out works", font_size=14)
    drawing.line(left, 40, left + 30, 40, stroke_width="2")
    drawing.text(left + 36, 44, "rows of known works")
    drawing.line(left + 180, 40, left + 210, 40, stroke_width="2", stroke_dasharray="5 4")
    drawing.text(left + 216, 44, "rows of held-out works")
    for tick in range(0, 11, 2):
        y = top + height * (1 - tick / 10)
        drawing.line(left, y, left + wide, y, stroke="#e4e4e4")
        drawing.text(left - 8, y + 4, f"{tick * 10} %", text_anchor="end")
    for size, x in places.items():
        drawing.text(x, top + height + 18, f"{size} sentence{'' if size == 1 else 's'}", text_anchor="middle")
    for place, (system, pairs) in enumerate(found):
        colour = COLOURS[place % len(COLOURS)]
        for side, dashes in enumerate((None, "5 4")):
            points = [(places[size], top + height * (1 - pair[side])) for size, pair in sorted(pairs.items())]
            steps = " L".join(f"{number(x)} {number(y)}" for x, y in points)
            drawing.path(f"M{steps}", fill="none", stroke=colour, stroke_width="2", stroke_dasharray=dashes)
            for x, y in points:
                drawing.circle(x, y, 3, fill=colour)
        y = top + 14 + 20 * place
        drawing.line(left + wide + 20, y, left + wide + 44, y, stroke=colour, stroke_width="3")
        drawing.text(left + wide + 50, y + 4, system)
    return drawing.whole()


def confusions(one: Baseline) -> list[tuple[str, str, int, float]]:
    """Return who is taken for whom: author, label, rows, share of the author's rows; the most frequent first."""
    found = []
    for author, counts in zip(one.labels, one.confusion, strict=True):
        total = sum(counts)
        for label, count in zip(one.labels, counts, strict=False):
            if count and label != author:
                found.append((author, label, count, count / total))
    return sorted(found, key=lambda row: (-row[2], row[0], row[1]))


def confusion(stored: Baselines, configuration: str) -> str | None:
    """Draw the confusion table of the best baseline on a configuration, as shares of each author's rows."""
    found = stored.of(configuration, stored.ranked_by(configuration))
    if not found:
        return None
    best = found[0]
    rows = [place for place, counts in enumerate(best.confusion) if sum(counts)]
    cell, left, top = 30.0, 150.0, 150.0
    drawing = Drawing(
        max(680, left + cell * len(best.labels) + 60),
        top + cell * len(rows) + 30,
        f"Confusion of {best.system} on {configuration}",
        "Rows: the author; columns: whom the baseline names; in per cent of the author's rows.",
    )
    drawing.text(
        20, 22, f"{best.system} on {configuration}, {best.split}: per cent of each author's rows", font_size=14
    )
    drawing.text(20, 40, "rows: the author; columns: who is named", fill=FAINT)
    for place, label in enumerate(best.labels):
        x = left + cell * place + cell / 2
        drawing.text(x + 4, top - 6, label, transform=f"rotate(-60 {number(x + 4)} {number(top - 6)})")
    _cells(drawing, best, rows, left, top, cell)
    return drawing.whole()


def _cells(drawing: Drawing, best: Baseline, rows: Sequence[int], left: float, top: float, cell: float) -> None:
    for line, author in enumerate(rows):
        counts = best.confusion[author]
        y = top + cell * line
        drawing.text(left - 8, y + cell / 2 + 4, best.labels[author], text_anchor="end")
        for place in range(len(best.labels)):
            share = counts[place] / sum(counts)
            colour = COLOURS[0] if place == author else COLOURS[1]
            drawing.rectangle(
                left + cell * place,
                y,
                cell - 2,
                cell - 2,
                fill=colour if share else "#f2f2f2",
                fill_opacity=_tone(share),
            )
            if share >= 0.005:
                drawing.text(
                    left + cell * place + cell / 2 - 1,
                    y + cell / 2 + 3,
                    f"{100 * share:.0f}",
                    text_anchor="middle",
                    font_size="9",
                    fill="#ffffff" if share > 0.5 else INK,
                )


def _tone(share: float) -> str:
    return f"{0.12 + 0.88 * share:.2f}" if share else "1"
