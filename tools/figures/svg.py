"""A page of SVG: shapes, and text that stays text. The same calls make the same bytes."""

from html import escape

FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
INK = "#1a1a1a"
FAINT = "#6b6b6b"
PAPER = "#ffffff"

# Colours that differ in lightness, too (after Okabe and Ito), dark enough for text on white.
COLOURS = ("#0072b2", "#b54700", "#007a5a", "#a0357d", "#5b4ba8", "#8a6d00", "#333333", "#2f8fbf")

_NARROW = "iljtfr.,:;'|!()[] /\\"
_WIDE = "mwMWGOQ@%—"


def width(text, size):
    """About what the text takes, in the widest of the fonts; never much less."""
    units = sum(0.38 if c in _NARROW else 0.95 if c in _WIDE else 0.64 for c in text)
    return units * size


def balanced(text, size, room):
    """As few lines as wrap makes, of about the same length."""
    count = len(wrap(text, size, room))
    while len(wrap(text, size, room * 0.96)) == count and room > size:
        room *= 0.96
    return wrap(text, size, room)


def wrap(text, size, room):
    """Lines of at most `room`; a word that is longer is a line of its own."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and width(longer, size) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return lines + [line] if line else lines


def number(value):
    return f"{value:.1f}".removesuffix(".0")


class Page:
    """A white page with a title, for readers of the page and for those who hear it."""

    def __init__(self, page_width, height, title):
        self.width, self.height, self.title = page_width, height, title
        self._parts = []
        self._right = 0

    def _add(self, name, content="", **attributes):
        shown = []
        for key, value in attributes.items():
            value = number(value) if isinstance(value, (int, float)) else escape(str(value))
            shown.append(f'{key.rstrip("_").replace("_", "-")}="{value}"')
        end = f">{content}</{name}>" if content else "/>"
        self._parts.append(f"<{name} {' '.join(shown)}{end}")

    def rect(self, x, y, w, h, fill=PAPER, stroke="none", dash=None, radius=0):
        more = {"stroke_dasharray": dash} if dash else {}
        self._add("rect", x=x, y=y, width=w, height=h, rx=radius, fill=fill, stroke=stroke, **more)

    def line(self, x1, y1, x2, y2, stroke=INK, thick=1, dash=None):
        more = {"stroke_dasharray": dash} if dash else {}
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=thick, **more)

    def polyline(self, points, stroke, thick=1.6, dash=None):
        shown = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        more = {"stroke_dasharray": dash} if dash else {}
        self._add("polyline", points=shown, fill="none", stroke=stroke, stroke_width=thick, **more)

    def polygon(self, points, fill, stroke="none"):
        shown = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._add("polygon", points=shown, fill=fill, stroke=stroke)

    def circle(self, x, y, r, fill, stroke="none"):
        self._add("circle", cx=x, cy=y, r=r, fill=fill, stroke=stroke)

    def text(self, x, y, words, size=12, anchor="start", fill=INK, bold=False, backed=False):
        """`y`: the baseline. `backed`: white behind it, so that lines below do not cross it."""
        takes = width(words, size) * (1.08 if bold else 1)
        left = x - (takes if anchor == "end" else takes / 2 if anchor == "middle" else 0)
        self._right = max(self._right, left + takes)
        if left < 0 or self._right > self.width or y > self.height:
            raise ValueError(f"{self.title}: '{words}' leaves the page")
        if backed:
            self.rect(left - 2, y - size, takes + 4, size * 1.3)
        more = {"font_weight": "bold"} if bold else {}
        self._add("text", escape(words, quote=False), x=x, y=y, font_size=size, text_anchor=anchor,
                  fill=fill, **more)

    def arrow(self, x1, x2, y1, y2, stroke, dash=None, thick=1.6):
        """From (x1, y1) to (x2, y2); they differ mostly in x."""
        way = 1 if x2 > x1 else -1
        self.line(x1, y1, x2 - 7 * way, y2 - 7 * (y2 - y1) / max(1, abs(x2 - x1)), stroke, thick,
                  dash)
        slope = (y2 - y1) / max(1, abs(x2 - x1))
        back = y2 - 9 * slope
        self.polygon([(x2, y2), (x2 - 9 * way, back - 4), (x2 - 9 * way, back + 4)], stroke)

    def show(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
                f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" '
                f'font-family="{FONT}" role="img">')
        lines = [head, f"<title>{escape(self.title)}</title>",
                 f'<rect width="{self.width}" height="{self.height}" fill="{PAPER}"/>']
        return "\n".join(lines + self._parts + ["</svg>", ""])
