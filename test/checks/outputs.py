#!/usr/bin/env python3
"""Checks that the outputs shown in pages are what the `far` command prints.

A fenced block whose info string names a command, ```text command="far model explain", must contain
the whole standard output of that command.

usage: outputs.py FAR [ROOT]
"""

import difflib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import tree

BLOCK = re.compile(r'^```\w*[ ]command="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def blocks(root):
    """(page, line number, command, text) of each block that names a command."""
    for path in tree.files(root, ".md"):
        page = (root / path).read_text(encoding="utf-8")
        for found in BLOCK.finditer(page):
            yield path, page.count("\n", 0, found.start()) + 1, found.group(1), found.group(2)


def output_of(far, command):
    words = shlex.split(command)
    if words[0] != "far":
        raise ValueError(f"'{command}' does not begin with far")
    result = subprocess.run([far, *words[1:]], capture_output=True, text=True, check=True)
    return "".join(line.rstrip() + "\n" for line in result.stdout.splitlines())


def check(far, root):
    problems = []
    for path, number, command, shown in blocks(root):
        try:
            printed = output_of(far, command)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            problems.append(f"{path}:{number}: {error}")
            continue
        if printed != shown:
            change = difflib.unified_diff(
                shown.splitlines(), printed.splitlines(), "the page", command, lineterm="", n=0
            )
            problems.append(f"{path}:{number}: not what '{command}' prints:\n" + "\n".join(change))
    return problems


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    far_command = sys.argv.pop(1)
    tree.run("outputs", lambda root: check(far_command, root))
