#!/usr/bin/env python3
"""Checks the syntax and warnings of every source with clang 16, of each header by itself, and of the
library for aarch64.

It makes a ninja file from compile_commands.json, so that a second pass compiles only changed files.
It precompiles the same headers as the build, and compiles the same sources as one. The build folder is
configured with neither for the library, whose sources must include what they need of libfar; what most
include of the standard library is precompiled for them, too.

usage: clang_pass.py BUILD_FOLDER [JOBS]
"""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import tree

GCC_ONLY = {
    "-Wduplicated-cond",
    "-Wduplicated-branches",
    "-Wlogical-op",
    "-Wno-restrict",
    "-Wno-stringop-overflow",
    "-fno-ipa-cp",
    "-Wshadow=local",
}

RULES = """\
builddir = .
rule cxx
  command = $cxx $flags -fsyntax-only -MD -MF $out.d -MT $out $in && touch $out
  description = clang $name
  depfile = $out.d
  deps = gcc
rule pch
  command = $cxx $flags -Wno-pragma-system-header-outside-header $
    -x c++-header -MD -MF $out.d -MT $out -o $out $in
  description = clang $name
  depfile = $out.d
  deps = gcc
"""

# What most include of the standard library. No header of libfar: these must include what they
# need.
COMMON = """\
#include <algorithm>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
"""


# A processor whose memory model and instructions differ from those of the machines at hand. The
# headers of most libraries are the same for all processors. Local names may be those of other files of
# the folder.
AARCH64 = [
    "--target=aarch64-linux-gnu",
    "-idirafter",
    "/usr/include/x86_64-linux-gnu",
    "-Wno-shadow",
]

# Left out of unity builds (cmake/far_library.cmake).
ALONE = {Path("src/far/fabric/sim/fiber.cpp")}


def flags_of(entry):
    """(precompiled header or None, flags): the flags without launcher, compiler, input, output,
    optimization and position independence, and without flags that only GCC knows."""
    words = entry.get("arguments") or shlex.split(entry["command"])
    names = [Path(word).name for word in words]
    first = next(i for i, name in enumerate(names) if name.startswith(("c++", "g++", "clang")))
    kept, precompiled, last = [], None, None
    for word in words[first + 1 :]:
        if last == "-include":
            precompiled = Path(word)
        elif last in ("-o", "-MF", "-MT"):
            pass
        elif word in ("-include", "-o", "-MF", "-MT", "-Winvalid-pch"):
            pass
        elif not word.startswith(("-O", "-g", "-fPI")) and word not in GCC_ONLY | {
            "-c",
            "-MD",
            entry["file"],
        }:
            kept.append(word)
        last = word
    return precompiled, kept


def escape(text):
    return text.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def common_header(folder):
    return folder / "headers" / "common.hpp"


def sources(root, build, folder):
    """(name, path, precompiled header, flags) of every source, and of a file made for each header
    that has no X.cpp. X.cpp begins with X.hpp, which proves that the header includes what it needs.
    """
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    common = common_header(folder)
    write(common, COMMON)
    library_flags = []
    for entry in commands:
        path = Path(entry["file"])
        precompiled, flags = flags_of(entry)
        if "-Dfar_EXPORTS" in flags:
            library_flags = flags
        # Other generated sources may be missing. They are made from sources that are checked.
        if path.parent.name == "Unity" or path.is_relative_to(root) and not path.is_relative_to(build):
            yield path.relative_to(root), path, precompiled or common, flags
    proved = {Path(entry["file"]).with_suffix(".hpp") for entry in commands}
    for header in tree.files(root, ".hpp", under=("src",)):
        if root / header not in proved:
            path = folder / "headers" / f"{'_'.join(header.parts)}.cpp"
            write(path, f'#include "{"/".join(header.parts[1:])}"\n')
            yield header, path, common, library_flags
    for name, path in library_by_folder(root, folder, commands):
        yield name, path, None, [*library_flags, *AARCH64]


def library_by_folder(root, folder, commands):
    """(name, path) of a file for each folder of the library, which includes the folder's sources,
    and of one for each source that stays alone."""
    included = {}
    for entry in commands:
        path = Path(entry["file"])
        if "-Dfar_EXPORTS" in flags_of(entry)[1] and path.is_relative_to(root):
            name = path.relative_to(root)
            name = name if name in ALONE else name.parent
            included.setdefault(name, []).append(f'#include "{path}"\n')
    for name, lines in included.items():
        path = folder / "aarch64" / f"{'_'.join(name.parts)}.cpp"
        write(path, "".join(sorted(lines)))
        yield Path("aarch64") / name, path


def write(path, text):
    """Does not touch a file that has this text already, so that it is not compiled again."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def rules_of(root, build, folder):
    """The text of the ninja file, and the number of sources that it compiles."""
    text, seen, precompiled_as = "", set(), {}

    def edge(rule, output, source, name, flags, needs=""):
        words = " ".join(shlex.quote(flag) for flag in flags).replace("$", "$$")
        return (
            f"build {escape(str(output))}: {rule} {escape(str(source))}{needs}\n"
            f"  name = {name}\n  flags = {words}\n"
        )

    for name, path, header, flags in sources(root, build, folder):
        if name in seen:  # a source may be in two targets
            continue
        seen.add(name)
        needs = ""
        if header is not None:
            meant = flags
            if header == common_header(folder):
                # Macros and folders of the project mean nothing to headers of the standard library.
                meant = [flag for flag in flags if flag.startswith(("-std", "-f"))]
            key = (header, tuple(flag for flag in meant if not flag.startswith("-W")))
            if key not in precompiled_as:
                precompiled_as[key] = f"precompiled_{len(precompiled_as)}.pch"
                text += edge("pch", precompiled_as[key], header, header.parent.name, meant)
            flags = ["-include-pch", precompiled_as[key], *flags]
            needs = f" | {precompiled_as[key]}"
        text += edge("cxx", f"{name}.checked", path, name, flags, needs)
    return text, len(seen)


def main():
    root = Path(__file__).resolve().parents[2]
    build = Path(sys.argv[1]).resolve()
    jobs = sys.argv[2] if len(sys.argv) > 2 else "2"
    clang = shutil.which("clang++-16")
    if not clang:
        sys.exit("clang pass: clang++-16 is not installed; ./dev check installs it")
    folder = build / "clang"
    folder.mkdir(exist_ok=True)
    rules, count = rules_of(root, build, folder)
    (folder / "build.ninja").write_text(
        RULES.replace("$cxx", shlex.quote(clang)) + rules, encoding="utf-8"
    )
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    sys.stdout.flush()
    ninja = ["ninja", "-C", str(folder), "-j", jobs, "-k", "10", *quiet]
    if subprocess.run(ninja, check=False).returncode:
        sys.exit("clang pass: clang++-16 does not accept the sources named above")
    print(f"clang pass: good ({count} files)")


if __name__ == "__main__":
    main()
