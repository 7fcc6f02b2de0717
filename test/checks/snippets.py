#!/usr/bin/env python3
"""Checks that the code shown in pages is the code of the repository.

A fenced block whose info string names a file, ```cpp file=examples/hello.cpp, must contain
consecutive lines of that file. Blank lines at its ends and common indentation do not count.
docs/tutorial.md must have a block for each tutorial program, examples/tutorial_*.cpp.

usage: snippets.py [ROOT]
"""

import re
import textwrap

import tree

OPENING = re.compile(r"^(\s*)(```+|~~~+)\s*(.*)$")
NAMED = re.compile(r"(?:^|\s)file=(\S+)")
TUTORIAL = "docs/tutorial.md"
PROGRAMS = "examples/tutorial_*.cpp"


def named_blocks(root, path):
    """(line number, file, lines) of each block that names a file."""
    fence, number_of_fence, file, block = None, 0, None, []
    for number, text in tree.lines(root, path):
        opening = OPENING.match(text)
        if fence is None:
            if opening:
                fence, number_of_fence, block = opening.group(2), number, []
                name = NAMED.search(opening.group(3))
                file = name.group(1) if name else None
        elif opening and opening.group(2).startswith(fence) and not opening.group(3):
            if file:
                yield number_of_fence, file, block
            fence = None
        else:
            block.append(text)


def plain(lines):
    return textwrap.dedent("\n".join(lines)).strip("\n")


def is_part_of(block, file_lines):
    """Whether the lines of the block are consecutive lines of the file."""
    wanted = plain(block)
    count = wanted.count("\n") + 1
    return any(
        plain(file_lines[first : first + count]) == wanted
        for first in range(len(file_lines) - count + 1)
    )


def check(root):
    problems, shown = [], set()
    for path in tree.files(root, ".md"):
        for number, file, block in named_blocks(root, path):
            if not (root / file).is_file():
                problems.append(f"{path}:{number}: shows {file}, and there is no such file")
                continue
            if str(path) == TUTORIAL:
                shown.add(file)
            if not block or not is_part_of(block, [text for _, text in tree.lines(root, file)]):
                problems.append(f"{path}:{number}: these lines are not in {file}; copy them anew")
    for program in sorted(root.glob(PROGRAMS)):
        name = str(program.relative_to(root))
        if name not in shown:
            problems.append(f"{TUTORIAL}: shows no part of {name}")
    return problems


if __name__ == "__main__":
    tree.run("snippets", check)
