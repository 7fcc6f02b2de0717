#!/usr/bin/env python3
"""Looks for every planted bug, and for bugs where none is planted.

Each mutant must fail within its number of seeds; a check that ends the program is a failure. Each
unchanged program must run without failure under four times the max number of seeds of its mutants,
and at least 200.

usage: find_all.py FOLDER              FOLDER: the built programs
       find_all.py FOLDER --rates N    prints how many of N seeds find each mutant, and how many
                                       seeds it needs
"""

import math
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import catalogue
import planted

LEAST_SEEDS = 200
CHANCE_TO_MISS = 1e-4


def explore(folder, executable, *args):
    """The output of explore; which check has failed, if one has; or how it ended if it failed."""
    command = [str(Path(folder) / executable), *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    _, is_check, why = done.stderr.partition("broken invariant: ")
    if done.returncode == -signal.SIGABRT and is_check:
        return f"found - {why.strip()}"
    if done.returncode != 0:
        return f"ended with status {done.returncode}: {' '.join(command)}: {done.stderr}".strip()
    return done.stdout.rstrip("\n")


def rates(folder, count):
    width = max(len(m.name) for m in catalogue.MUTANTS)
    for m in catalogue.MUTANTS:
        result = explore(folder, f"mutant_{m.name}", m.program, 1, count, "--count")
        if not result.isdigit():
            print(f"{m.name:{width}}  {result}")
            continue
        found = int(result)
        missed = 1 - found / count
        needed = "more" if missed == 1 else "1"
        if 0 < missed < 1:
            needed = math.ceil(math.log(CHANCE_TO_MISS) / math.log(missed))
        print(f"{m.name:{width}}  {found:5} of {count}  needs {needed}", flush=True)


def look_for(folder, mutant):
    """(whether it was found in time, its row of the table)"""
    result = explore(folder, f"mutant_{mutant.name}", mutant.program, 1, mutant.seeds)
    if not result.startswith("found "):
        return False, (mutant.name, mutant.program, "-", mutant.seeds, f"NOT FOUND: {result}")
    _, seed, why = result.split(" ", 2)
    return True, (mutant.name, mutant.program, seed, mutant.seeds, why)


def look_for_nothing(folder, program):
    own = [m.seeds for m in catalogue.MUTANTS if m.program == program]
    seeds = max(LEAST_SEEDS, 4 * max(own))
    result = explore(folder, "mutant_of_nothing", program, 1, seeds)
    return result == "none", ("-", program, "-", seeds, result)


def find_all(folder):
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda m: look_for(folder, m), catalogue.MUTANTS))
        found += pool.map(lambda p: look_for_nothing(folder, p), planted.PROGRAMS)
    rows = [("mutant", "program", "seed", "of", "how it shows"), *(row for _, row in found)]
    widths = [max(len(str(row[i])) for row in rows) for i in range(4)]
    for name, program, seed, of, why in rows:
        print(
            f"{name:{widths[0]}}  {program:{widths[1]}}  {seed:>{widths[2]}}  {of:>{widths[3]}}  "
            f"{why[:70]}".rstrip()
        )
    bad = [row for good, row in found if not good]
    for name, program, *_, why in bad:
        print(f"{'program ' + program if name == '-' else name}: {why}", file=sys.stderr)
    print(f"{len(found) - len(bad)} of {len(found)} as they should be")
    return 1 if bad else 0


def main(args):
    if len(args) == 1:
        return find_all(args[0])
    if len(args) == 3 and args[1] == "--rates":
        rates(args[0], int(args[2]))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
