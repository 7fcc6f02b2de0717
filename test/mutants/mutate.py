#!/usr/bin/env python3
"""Makes the mutated copy of a source, and lists the mutants for the build.

usage: mutate.py --list                  NAME;FILE;PROGRAM'S FILE, a line for each mutant
       mutate.py NAME SOURCE_ROOT OUT    writes the mutant's copy of its file to OUT
"""

import sys
from pathlib import Path

import catalogue
import planted


def mutated(text, edits):
    """The text after all edits. ValueError unless each edit matches exactly once."""
    for old, new in edits:
        count = text.count(old)
        if count != 1:
            raise ValueError(f"{count} places for the edit, not 1, of:\n{old}")
        text = text.replace(old, new)
    return text


def write_copy(name, root, out):
    mutant = next((m for m in catalogue.MUTANTS if m.name == name), None)
    if mutant is None:
        raise ValueError("not in catalogue.py")
    try:
        text = mutated((Path(root) / mutant.file).read_text(encoding="utf-8"), mutant.edits)
    except ValueError as error:
        raise ValueError(f"{mutant.file}: {error}") from None
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text(text, encoding="utf-8")


def main(args):
    if args == ["--list"]:
        for m in catalogue.MUTANTS:
            print(f"{m.name};{m.file};{planted.program_file(m.program)}")
        return 0
    if len(args) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        write_copy(*args)
    except (ValueError, OSError) as error:
        print(f"mutant {args[0]}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
