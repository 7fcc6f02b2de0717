"""Message sequence diagrams: lifelines of ranks, and who sends what to whom.

An arrow is one of two kinds, which differ in colour and in line:

  one-sided  a put, get or atomic
  message    a handler runs at the target, or a wait ends there
"""

from svg import FAINT, INK, Page, balanced, width

ONE_SIDED, MESSAGE = "one-sided", "message"
_STYLE = {ONE_SIDED: ("#0072b2", None), MESSAGE: ("#b54700", "7 3")}
_KEY = {
    ONE_SIDED: "one-sided: put, get or atomic",
    MESSAGE: "message: a handler runs at the target, or a wait ends there",
}
SIZE = 12
LINE = 15
MARGIN = 20


class Arrow:
    """`label`: what is sent. `back`: what comes of a one-sided operation, at its source."""

    def __init__(self, kind, source, target, label, back=None):
        self.kind, self.source, self.target = kind, source, target
        self.label, self.back = label, back

    def lines(self, places):
        room = abs(places[self.target] - places[self.source]) - 24
        shown = self.label if self.back is None else f"{self.label}; {self.back}"
        return balanced(shown, SIZE, room)

    def height(self, places):
        return LINE * len(self.lines(places)) + 16

    def draw(self, page, places, y):
        colour, dash = _STYLE[self.kind]
        x1, x2 = places[self.source], places[self.target]
        lines = self.lines(places)
        for i, line in enumerate(lines):
            page.text((x1 + x2) / 2, y + LINE * i + 10, line, SIZE, "middle", backed=True)
        bottom = y + LINE * len(lines) + 5
        page.arrow(x1, x2, bottom, bottom, colour, dash)
        page.circle(x1, bottom, 2.5, colour)


class Note:
    """What happens at a lifeline; `sleeps`: the rank sleeps there."""

    def __init__(self, at, words, sleeps=False):
        self.at, self.words, self.sleeps = at, words, sleeps

    def _lines(self, places):
        return balanced(self.words, SIZE, places["note width"] - 14)

    def height(self, places):
        return LINE * len(self._lines(places)) + 18

    def draw(self, page, places, y):
        lines = self._lines(places)
        w = max(width(line, SIZE) for line in lines) + 14
        x = places[self.at] - w / 2
        page.rect(x, y, w, LINE * len(lines) + 8, "#eeeeee" if self.sleeps else "#fff8dc", FAINT,
                  "4 3" if self.sleeps else None, 4)
        for i, line in enumerate(lines):
            page.text(places[self.at], y + LINE * (i + 1) - 1, line, SIZE, "middle")


class Together:
    """Steps of different lifelines that take place at the same height."""

    def __init__(self, *steps):
        self.steps = steps

    def height(self, places):
        return max(step.height(places) for step in self.steps)

    def draw(self, page, places, y):
        for step in self.steps:
            step.draw(page, places, y)


def put(source, target, label):
    return Arrow(ONE_SIDED, source, target, label)


def atomic(source, target, label, back):
    return Arrow(ONE_SIDED, source, target, label, back)


def send(source, target, label):
    return Arrow(MESSAGE, source, target, label)


def diagram(title, lifelines, steps, spacing=300, note_width=250):
    """`lifelines`: {key: (name, what it is)}, from left to right."""
    edge = MARGIN + max(note_width, 150) / 2
    places = {key: edge + spacing * i for i, key in enumerate(lifelines)}
    places["note width"] = note_width
    page_width = int(2 * edge + spacing * (len(lifelines) - 1))
    top = 78
    height = top + sum(step.height(places) for step in steps) + 46
    page = Page(page_width, height, title)
    for key, (name, what) in lifelines.items():
        x = places[key]
        page.line(x, 60, x, height - 34, FAINT, 1, "2 3")
        w = max(width(name, 13) * 1.1, width(what, 11)) + 16
        page.rect(x - w / 2, 14, w, 46, "#f4f4f4", INK, None, 4)
        page.text(x, 33, name, 13, "middle", bold=True)
        page.text(x, 51, what, 11, "middle")
    y = top
    for step in steps:
        step.draw(page, places, y)
        y += step.height(places)
    x = MARGIN
    used = {s.kind for step in steps for s in getattr(step, "steps", (step,))
            if isinstance(s, Arrow)}
    for kind in (ONE_SIDED, MESSAGE):
        if kind in used:
            colour, dash = _STYLE[kind]
            page.arrow(x, x + 44, height - 16, height - 16, colour, dash)
            page.text(x + 52, height - 12, _KEY[kind], 11)
            x += 52 + width(_KEY[kind], 11) + 30
    return page.show()
