#!/usr/bin/env python3
"""Compiles every source for its syntax and warnings with clang 16, and each header by itself.

It writes a ninja file made from compile_commands.json, so that a second pass looks only at what
changed.

usage: clang_pass.py BUILD_FOLDER [JOBS]
"""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import tree

GCC_ONLY = {"-Wduplicated-cond", "-Wduplicated-branches", "-Wlogical-op", "-Wno-restrict"}

RULES = """\
builddir = .
rule cxx
  command = $cxx $flags -fsyntax-only -MD -MF $out.d -MT $out $in && touch $out
  description = clang $name
  depfile = $out.d
  deps = gcc
"""


def flags_of(entry):
    """The arguments without launcher, compiler, input, output and what only GCC knows."""
    words = entry.get("arguments") or shlex.split(entry["command"])
    names = [Path(word).name for word in words]
    first = next(i for i, name in enumerate(names) if name.startswith(("c++", "g++", "clang")))
    kept, skip = [], False
    for word in words[first + 1 :]:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        elif word not in GCC_ONLY | {"-c", "-MD", entry["file"]}:
            kept.append(word)
    return kept


def escape(text):
    return text.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def sources(root, build, folder):
    """(name, path, flags) of every source, and of a file made for each header that needs proof.

    X.cpp begins with X.hpp, which proves that the header includes what it needs.
    """
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    library_flags = []
    for entry in commands:
        path = Path(entry["file"])
        flags = flags_of(entry)
        if "-Dfar_EXPORTS" in flags:
            library_flags = flags
        # What the build writes may not be there, and is made of sources that are seen.
        if path.is_relative_to(root) and not path.is_relative_to(build):
            yield path.relative_to(root), path, flags
    proved = {Path(entry["file"]).with_suffix(".hpp") for entry in commands}
    for header in tree.files(root, ".hpp", under=("src",)):
        if root / header not in proved:
            path = folder / "headers" / f"{'_'.join(header.parts)}.cpp"
            text = f'#include "{"/".join(header.parts[1:])}"\n'
            path.parent.mkdir(exist_ok=True)
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
            yield header, path, library_flags


def main():
    root = Path(__file__).resolve().parents[2]
    build = Path(sys.argv[1]).resolve()
    jobs = sys.argv[2] if len(sys.argv) > 2 else "2"
    clang = shutil.which("clang++-16")
    if not clang:
        sys.exit("clang pass: clang++-16 is not installed; ./dev check installs it")
    folder = build / "clang"
    folder.mkdir(exist_ok=True)
    text = RULES.replace("$cxx", shlex.quote(clang))
    seen = set()
    for name, path, flags in sources(root, build, folder):
        if name in seen:  # a source may be in two targets
            continue
        seen.add(name)
        text += (
            f"build {escape(str(name))}.checked: cxx {escape(str(path))}\n"
            f"  name = {name}\n"
            f"  flags = {' '.join(shlex.quote(flag) for flag in flags).replace('$', '$$')}\n"
        )
    (folder / "build.ninja").write_text(text, encoding="utf-8")
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    sys.stdout.flush()
    ninja = ["ninja", "-C", str(folder), "-j", jobs, "-k", "10", *quiet]
    if subprocess.run(ninja, check=False).returncode:
        sys.exit("clang pass: clang++-16 does not accept the sources named above")
    print(f"clang pass: good ({len(seen)} files)")


if __name__ == "__main__":
    main()
