#!/usr/bin/env python3
"""Checks what the sources claim about themselves.

Each name after `Checked by:` in a docstring must be an existing test, each header must have its
include guard, and no file may be longer than 400 lines.

usage: claims.py [ROOT]
"""

import re

import tree

LONGEST = 400
SOURCES = tree.CPP + (".py", ".sh", ".cmake", "CMakeLists.txt")
# TEST, TEST_F, TEST_P, TYPED_TEST, and macros of test/support with similar names.
TEST = re.compile(r"^\s*\w*TEST\w*\(\s*(\w+)\s*,\s*(\w+)\s*[,)]", re.MULTILINE)
CLAIM = re.compile(r"\*?Checked by(?:\*:?|:)\s*(.*)$")


def read_tests(root):
    names = set()
    for path in tree.files(root, ".cpp", ".hpp"):
        if tree.is_test(path):
            text = (root / path).read_text(encoding="utf-8")
            names.update(f"{suite}.{name}" for suite, name in TEST.findall(text))
    return names


def claims(lines):
    """(line number, name) for each test that comments name after `Checked by`."""
    listing = False
    for number, text in lines:
        comment = re.match(r"^\s*(?://[/!]?|\*)\s?(.*)$", text)
        if not comment:
            listing = False
            continue
        claim = CLAIM.search(comment.group(1))
        names = claim.group(1) if claim else comment.group(1) if listing else None
        if names is None:
            continue
        names = names.strip()
        listing = names.endswith(",")  # the list continues in the next line
        for name in names.rstrip(".").split(","):
            if name.strip() or not listing:
                yield number, name.strip().strip("`").removesuffix("()")


def check(root):
    problems = []
    tests = read_tests(root)
    for path in tree.files(root, *SOURCES):
        lines = tree.lines(root, path)
        if len(lines) > LONGEST:
            problems.append(f"{path}: {len(lines)} lines, {LONGEST} at most: split it by subject")
        if not path.name.endswith(tree.CPP):
            continue
        if ".hpp" in path.name and not any(text == "#pragma once" for _, text in lines):
            problems.append(f"{path}: a header needs #pragma once")
        for number, name in claims(lines):
            if name not in tests:
                problems.append(f"{path}:{number}: 'Checked by: {name}' names no test (Suite.Name)")
    return problems


if __name__ == "__main__":
    tree.run("claims", check)
