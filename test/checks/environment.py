#!/usr/bin/env python3
"""Checks that the table of docs/environment.md lists exactly the FAR_* variables of the code.

A variable of the code is a string literal "FAR_..." in src, tools, apps, bench, python or
test/support; other tests do not count. A variable of the table is a row that begins with | `FAR_...`.

usage: environment.py [ROOT]
"""

import re
from pathlib import Path

import tree

FOLDERS = ("src", "tools", "apps", "bench", "python", "test")
TABLE = "docs/environment.md"
LITERAL = re.compile(r"""["'](FAR_[A-Z0-9_]*[A-Z0-9])(?==|["'])""")
ROW = re.compile(r"^\|\s*`(FAR_[A-Z0-9_]+)`")


def check(root):
    used = {}
    for path in tree.files(root, *tree.CPP, ".py", under=FOLDERS):
        support = path.parts[:2] == ("test", "support")
        if path.stem.endswith("_test") or (path.parts[0] == "test" and not support):
            continue
        for number, text in tree.lines(root, path):
            for name in LITERAL.findall(text):
                used.setdefault(name, f"{path}:{number}")

    if not (root / TABLE).exists():
        missing = f"is in no table, for {TABLE} is missing"
        return [f"{used[name]}: {name} {missing}" for name in sorted(used)]
    problems, listed = [], {}
    for number, text in tree.lines(root, Path(TABLE)):
        row = ROW.match(text)
        if row:
            if row.group(1) in listed:
                problems.append(f"{TABLE}:{number}: a second row for {row.group(1)}")
            listed[row.group(1)] = number
    for name in sorted(used.keys() - listed.keys()):
        problems.append(f"{used[name]}: {name} has no row in {TABLE}")
    for name in sorted(listed.keys() - used.keys()):
        problems.append(f"{TABLE}:{listed[name]}: no code reads {name}")
    return problems


if __name__ == "__main__":
    tree.run("environment", check)
