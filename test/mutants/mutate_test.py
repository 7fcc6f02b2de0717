#!/usr/bin/env python3
"""Tests mutate.py: the catalogue matches the sources, and edits that do not match are refused."""

import unittest
from pathlib import Path

import catalogue
import mutate
import planted

ROOT = Path(__file__).resolve().parents[2]


class MutateTest(unittest.TestCase):
    def test_edits_have_one_place(self):
        self.assertEqual(mutate.mutated("a b c", [("b", "x"), ("c", "")]), "a x ")
        for text in ("a", "b b"):
            with self.assertRaisesRegex(ValueError, "places for the edit, not 1, of:\nb"):
                mutate.mutated(text, [("b", "x")])

    def test_catalogue_fits_the_sources(self):
        for m in catalogue.MUTANTS:
            with self.subTest(m.name):
                text = (ROOT / m.file).read_text(encoding="utf-8")
                self.assertNotEqual(mutate.mutated(text, m.edits), text)

    def test_programs_are_those_of_the_files(self):
        for name in planted.PROGRAMS:
            text = (ROOT / planted.program_file(name)).read_text(encoding="utf-8")
            self.assertIn(f'("{name}", ', text)
            self.assertTrue(any(m.program == name for m in catalogue.MUTANTS), name)

    def test_names_are_unique(self):
        self.assertEqual(len({m.name for m in catalogue.MUTANTS}), len(catalogue.MUTANTS))


if __name__ == "__main__":
    unittest.main()
