#!/usr/bin/env python3
"""Checks that continuous integration runs the README's set-up commands: each line `./dev COMMAND` of
a shell block in README.md is a command of .ci/run, word for word, and those come first, in the
README's order. Otherwise a fresh clone may not build, and nothing notices.

usage: setup_commands.py [ROOT]
"""

import re
from pathlib import Path

import tree

PAGE = "README.md"
SCRIPT = ".ci/run"
COMMAND = re.compile(r"^(\./dev(?: [^\s#]+)+)")
STAGE = re.compile(r"^\s*'(\./dev [^']+)'")


def commands_of(root):
    """(line number, command) of each `./dev COMMAND` in a shell block of the page."""
    found, inside = [], False
    for number, text in tree.lines(root, Path(PAGE)):
        if text.startswith("```"):
            inside = text.strip() == "```sh"
        elif inside and (match := COMMAND.match(text)):
            found.append((number, match.group(1)))
    return found


def check(root):
    commands = commands_of(root)
    stages = [
        match.group(1)
        for _, text in tree.lines(root, Path(SCRIPT))
        if (match := STAGE.match(text))
    ]
    if not commands:
        return [f"{PAGE}: no shell block has a set-up command ./dev"]
    problems = [
        f"{PAGE}:{number}: {SCRIPT} does not run '{command}'"
        for number, command in commands
        if command not in stages
    ]
    first = [command for _, command in commands]
    if not problems and stages[: len(first)] != first:
        problems.append(f"{SCRIPT}: does not begin with {PAGE}'s commands, in its order: {first}")
    return problems


if __name__ == "__main__":
    tree.run("set-up commands", check)
