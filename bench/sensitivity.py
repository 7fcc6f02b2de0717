#!/usr/bin/env python3
"""Finds the figures of a simulated machine on which a benchmark depends most.

    bench/sensitivity.py BIN [--profile NAME] [--ranks N] [--benchmark NAME] [--json]

BIN is the folder of the far command. Each figure of the profile in turn is raised by a tenth, and
the benchmark runs again under `far sim`, which is deterministic. The elasticity is the relative
growth of the row's time divided by that of the figure: 1 means that the time is proportional to the
figure, 0 that it does not depend on it. Elasticities below a hundredth are omitted.
"""

import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

RAISE = 1.1
LEAST = 0.01


def run(line):
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"sensitivity: {' '.join(map(str, line))}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def figures(profile, path=()):
    """The places of all times in a profile."""
    for key, value in profile.items():
        if isinstance(value, dict):
            yield from figures(value, path + (key,))
        elif isinstance(value, float) and value > 0:
            yield path + (key,)


def raised(profile, path):
    result = copy.deepcopy(profile)
    place = result
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] *= RAISE
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--profile", default="cori-aries")
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--benchmark", default="components")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    far = options.bin.resolve() / "far"

    base = run([far, "sim", "--show-profile", options.profile])

    def times(profile):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(profile, file)
            file.flush()
            rows = run([far, "sim", "-n", str(options.ranks), "-p", file.name, far, "bench",
                        options.benchmark, "--json"])
        return {row["name"]: row["ns"] for row in rows}

    before = times(base)
    found = {name: {} for name in before}
    paths = list(figures(base))
    for i, path in enumerate(paths):
        if sys.stderr.isatty():
            print(f"\r{i + 1}/{len(paths)} {'.'.join(path):<24}", end="", file=sys.stderr)
        for name, ns in times(raised(base, path)).items():
            elasticity = (ns / before[name] - 1) / (RAISE - 1)
            if abs(elasticity) >= LEAST:
                found[name][".".join(path)] = round(elasticity, 3)
    if sys.stderr.isatty():
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr)

    ordered = {name: dict(sorted(e.items(), key=lambda x: -abs(x[1]))) for name, e in found.items()}
    if options.json:
        print(json.dumps(ordered, indent=2))
        return
    width = max(map(len, ordered))
    for name, elasticities in ordered.items():
        most = ", ".join(f"{figure} {value:.2f}" for figure, value in list(elasticities.items())[:4])
        print(f"{name:<{width}}  {most}")


if __name__ == "__main__":
    main()
