"""The table of docs/comparison.md as a picture: how many times as fast libfar is as the others.

A cell of others is `NAME NUMBER[, remark]`, several of them separated by semicolons. Of a time the
smaller is faster; of a rate (unit M/s) the larger. A range, a-b, stands for its geometric mean, and
its ends are shown as a bar.
"""

import re
from math import log10

from svg import COLOURS, FAINT, INK, Page, width
from tables import plain, tables, value

SIZE = 11
ROW = 24
TOP = 74
NAMES, OURS, PLOT, OTHERS = 285, 85, 380, 370  # the widths of the four columns
MARGIN = 16
LOW, HIGH = 0.1, 3000
OTHER = re.compile(r"^(.*?) ([\d.]+(?:-[\d.]+)?)(?:,.*)?$")
KINDS = {"MPICH": 1, "Open MPI": 0}  # the colours; all others have the third


def kind_of(name):
    return next((colour for word, colour in KINDS.items() if word in name), 2)


def others_of(cell):
    """(name, the number as it is written) of each."""
    found = [OTHER.match(part.strip()) for part in plain(cell).split(";")]
    if not all(found):
        raise ValueError(f"'{cell}': each must be NAME NUMBER[, remark]")
    return [match.groups() for match in found]


def times_as_fast(unit, ours, theirs):
    return ours / theirs if unit == "M/s" else theirs / ours


def ends(cell):
    return [float(end) for end in plain(cell).split("-")]


def mark(page, x, y, kind):
    colour = COLOURS[kind]
    if kind == 0:
        page.circle(x, y, 4.5, colour)
    elif kind == 1:
        page.rect(x - 4, y - 4, 8, 8, colour)
    else:
        page.polygon([(x, y - 5), (x - 5, y + 4), (x + 5, y + 4)], colour)


def figure(text):
    (titles, *rows), *_ = tables(text, "How fast")
    if titles[:4] != ["operation", "unit", "libfar", "others"]:
        raise ValueError(f"the table of speeds has the columns {titles}")
    left = MARGIN + NAMES + OURS
    bottom = TOP + ROW * len(rows)
    page = Page(left + PLOT + OTHERS, bottom + 40, "How many times as fast libfar is")

    def x_of(ratio):
        return left + PLOT * (log10(ratio) - log10(LOW)) / (log10(HIGH) - log10(LOW))

    page.text(MARGIN, 20, "How many times as fast libfar is as the others", 13, bold=True)
    page.text(left - 12, TOP - 12, "libfar", SIZE, "end", bold=True)
    x = MARGIN
    for kind, label in enumerate(("Open MPI, or over it", "MPICH", "another library")):
        mark(page, x + 6, 39, kind)
        page.text(x + 16, 43, label, SIZE, fill=COLOURS[kind])
        x += 36 + width(label, SIZE)
    for ratio in (0.1, 1, 10, 100, 1000):
        x = x_of(ratio)
        page.line(x, TOP - 6, x, bottom, INK if ratio == 1 else "#cccccc", 1.4 if ratio == 1 else 1)
        page.text(x, TOP - 12, f"{ratio:g}", SIZE, "middle")
        page.text(x, bottom + 15, f"{ratio:g}", SIZE, "middle")
    page.text(x_of(1) - 6, bottom + 31, "the other is faster", SIZE, "end", FAINT)
    page.text(x_of(1) + 6, bottom + 31, "libfar is faster", SIZE, fill=FAINT)

    for i, row in enumerate(rows):
        name, unit, ours, others = (plain(cell) for cell in row[:4])
        y = TOP + ROW * i + ROW / 2
        if i % 2 == 0:
            page.rect(MARGIN - 6, y - ROW / 2, NAMES + OURS, ROW, "#f6f6f6")
        page.text(MARGIN, y + 4, name.replace("*", ""), SIZE)
        page.text(left - 12, y + 4, f"{ours} {unit}", SIZE, "end", bold="**" in row[2])
        page.line(left, y, left + PLOT, y, "#eeeeee")
        after = left + PLOT + 12
        for other, shown in others_of(others):
            kind = kind_of(other)
            ratios = [times_as_fast(unit, mine, its) for mine in ends(ours) for its in ends(shown)]
            page.line(x_of(min(ratios)), y, x_of(max(ratios)), y, COLOURS[kind], 2.4)
            mark(page, x_of(times_as_fast(unit, value(ours), value(shown))), y, kind)
            label = f"{other} {shown}"
            page.text(after, y + 4, label, SIZE, fill=COLOURS[kind])
            after += width(label, SIZE) + 8
    return page.show()
