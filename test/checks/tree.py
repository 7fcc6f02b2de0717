"""Lists the files of a source tree, and reports the problems that a check finds in them."""

import os
import sys
from pathlib import Path

# Folders without our sources, relative to the root.
SKIPPED = {".git", ".cache", "build"}
CPP = (".cpp", ".hpp", ".hpp.in")


def files(root, *endings, under=()):
    """The paths, relative to root, that end in one of `endings`, in a fixed order."""
    found = []
    for folder, folders, names in os.walk(root):
        here = Path(folder).relative_to(root)
        folders[:] = sorted(
            name for name in folders if str(here / name) not in SKIPPED and name != "__pycache__"
        )
        found += [here / name for name in sorted(names) if name.endswith(endings)]
    if under:
        found = [path for path in found if path.parts[0] in under]
    return found


def lines(root, path):
    """(number, text) for each line of a file."""
    text = (Path(root) / path).read_text(encoding="utf-8")
    return list(enumerate(text.splitlines(), 1))


def is_test(path):
    return path.name.endswith("_test.cpp") or path.parts[0] == "test"


def run(name, check):
    """The main program of a check: prints a line for each problem; status 1 if there is any."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    problems = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"{name}: {len(problems)} problem(s)", file=sys.stderr)
        sys.exit(1)
    print(f"{name}: good")
