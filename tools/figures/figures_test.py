#!/usr/bin/env python3
"""Tests that the pictures of the pages are what draw.py draws, and that pages show all of them."""

import itertools
import re
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import draw
import svg

IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+\.svg)\)")


def shown(root):
    """{picture: its alternative text} of the pages of this repository."""
    found = {}
    for page in [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("src/far/*.md")]:
        for text, target in IMAGE.findall(page.read_text(encoding="utf-8")):
            found[(page.parent / target).resolve()] = text
    return found


class Figures(unittest.TestCase):
    def test_are_as_drawn(self):
        self.assertEqual(draw.problems(draw.ROOT), [])

    def test_are_shown_with_a_text(self):
        texts = shown(draw.ROOT)
        for name in draw.figures(draw.ROOT):
            picture = (draw.ROOT / draw.FOLDER / name).resolve()
            self.assertIn(picture, texts, "no page shows it")
            self.assertGreater(len(texts[picture]), 30, name)

    def test_are_well_formed_on_white_and_have_text(self):
        for name, text in draw.figures(draw.ROOT).items():
            root = xml.fromstring(text)
            kinds = [child.tag.split("}")[1] for child in root]
            self.assertEqual(kinds[:2], ["title", "rect"], name)
            self.assertEqual(root[1].get("fill"), svg.PAPER, name)
            self.assertIn("text", kinds, name)

    def test_the_readme_shows_rows_of_the_table_of_speeds(self):
        table = (draw.ROOT / "docs/comparison.md").read_text(encoding="utf-8").splitlines()
        readme = (draw.ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        begin = readme.index("| operation | unit | libfar | others | command |")
        rows = list(itertools.takewhile(lambda line: line.startswith("|"), readme[begin:]))
        self.assertGreater(len(rows), 3)
        for row in rows:
            self.assertIn(row, table)

    def test_a_changed_or_strange_picture_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for source in draw.SOURCES:
                (root / source).parent.mkdir(parents=True, exist_ok=True)
                (root / source).write_text((draw.ROOT / source).read_text(encoding="utf-8"))
            (root / draw.FOLDER).mkdir(parents=True)
            drawn = draw.figures(root)
            for name, text in drawn.items():
                (root / draw.FOLDER / name).write_text(text)
            self.assertEqual(draw.problems(root), [])
            (root / draw.FOLDER / "layers.svg").write_text(drawn["layers.svg"] + " ")
            (root / draw.FOLDER / "lock_hand_over.svg").unlink()
            (root / draw.FOLDER / "other.svg").write_text("<svg/>")
            self.assertEqual(len(draw.problems(root)), 3)

    def test_text_that_leaves_the_page(self):
        page = svg.Page(100, 100, "small")
        page.text(10, 50, "short", 12)
        with self.assertRaises(ValueError):
            page.text(50, 50, "much too long for it", 12)


if __name__ == "__main__":
    unittest.main()
