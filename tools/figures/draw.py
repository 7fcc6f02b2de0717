#!/usr/bin/env python3
"""Draws the pictures of the pages, docs/figures/*.svg, from what the repository says.

usage: draw.py [--check]

--check draws nothing: it says which pictures are not what this program makes now, with status 1.
"""

import sys
from pathlib import Path

import layers
import protocols
import scaling
import speed

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "docs/figures"
SOURCES = ("src/far/LAYERS.md", "docs/scaling.md", "docs/comparison.md")


def figures(root):
    """{name of the file: its text}."""
    layer_table, scaling_page, comparison = (
        (root / source).read_text(encoding="utf-8") for source in SOURCES
    )
    return {
        "layers.svg": layers.figure(layer_table),
        "cached_array_miss.svg": protocols.cached_miss(),
        "object_publish.svg": protocols.publish(),
        "object_publish_in_place.svg": protocols.publish_in_place(),
        "queue_hand_over.svg": protocols.queue_hand_over(),
        "lock_hand_over.svg": protocols.lock_hand_over(),
        **scaling.figures(scaling_page),
        "speed.svg": speed.figure(comparison),
    }


def problems(root):
    """What is wrong with the pictures that are there."""
    wanted = figures(root)
    there = {path.name: path.read_text(encoding="utf-8") for path in (root / FOLDER).glob("*.svg")}
    found = []
    for name in sorted(wanted | there):
        if name not in there:
            found.append(f"{FOLDER}/{name}: is missing; run tools/figures/draw.py")
        elif name not in wanted:
            found.append(f"{FOLDER}/{name}: tools/figures/draw.py does not draw it")
        elif wanted[name] != there[name]:
            found.append(f"{FOLDER}/{name}: is not what tools/figures/draw.py draws now; run it")
    return found


def main(arguments):
    if arguments == ["--check"]:
        found = problems(ROOT)
        for problem in found:
            print(problem, file=sys.stderr)
        if not found:
            print("figures: good")
        return 1 if found else 0
    if arguments:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = ROOT / FOLDER
    folder.mkdir(exist_ok=True)
    for name, text in figures(ROOT).items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
