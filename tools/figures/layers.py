"""The layers, as src/far/LAYERS.md lists them, from the top down."""

import re

from svg import COLOURS, FAINT, Page, balanced

ROW = re.compile(r"^\|\s*`([\w/]+)`\s*\|([^|]*)\|.*\|([^|]*)\|\s*$")
SIZE = 12
LINE = 15
MARGIN = 20
WIDTH = 900
NAME_WIDTH = 120
STYLE = {False: ("#eaf3fa", COLOURS[0], None), True: ("#fdf3ea", COLOURS[1], "5 4")}


def plain(cell):
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").strip()


def read_rows(text):
    """(name, what it is, what it may include)."""
    rows = [row.groups() for row in map(ROW.match, text.splitlines()) if row]
    return [(name, plain(what), may.strip()) for name, what, may in rows]


def is_aside(row):
    """The leaves and the launcher: no layer above includes them."""
    return "/" in row[0] or row[0] == "launch"


def groups(rows):
    """Rows that stand beside each other are one group."""
    found = []
    for row in rows:
        if found and is_aside(row) and is_aside(found[-1][-1]):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def figure(layers_page):
    full = WIDTH - 2 * MARGIN
    boxes = []  # (x, y, width, height, name, lines, aside)
    y = 84
    for group in groups(read_rows(layers_page)):
        if not is_aside(group[0]):
            name, what, _ = group[0]
            lines = balanced(what, SIZE, full - NAME_WIDTH - 24)
            height = LINE * len(lines) + 14
            boxes.append((MARGIN, y, full, height, name, lines, False))
        else:
            each = (full - 10 * (len(group) - 1)) / len(group)
            texts = [balanced(what, SIZE - 1, each - 20) for _, what, _ in group]
            height = max((LINE - 1) * len(lines) for lines in texts) + 34
            for i, ((name, _, _), lines) in enumerate(zip(group, texts)):
                boxes.append((MARGIN + i * (each + 10), y, each, height, name, lines, True))
        y += height + 8
    page = Page(WIDTH, y + 30, "The layers of libfar")
    page.rect(MARGIN, 14, full, 52, "#f4f4f4", FAINT, "5 4", 5)
    page.text(MARGIN + 12, 35, "above the library", 13, bold=True)
    above = "apps, bench, bindings, examples, tools/far: they include what they need"
    page.text(MARGIN + 12, 55, above, SIZE)
    for x, top, w, height, name, lines, aside in boxes:
        fill, edge, dash = STYLE[aside]
        page.rect(x, top, w, height, fill, edge, dash, 5)
        page.text(x + 12, top + 20, name, 13, bold=True)
        for i, line in enumerate(lines):
            if aside:
                page.text(x + 10, top + 38 + (LINE - 1) * i, line, SIZE - 1)
            else:
                page.text(x + NAME_WIDTH + 12, top + 19 + LINE * i, line, SIZE)
    rule = "A layer may include every layer below it, but none with a broken border."
    page.text(MARGIN, y + 16, rule, SIZE)
    return page.show()
