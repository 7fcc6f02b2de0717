#!/usr/bin/env python3
"""Runs the models with SPIN, and prints the result of each search.

A search must be complete and find no error. With a planted fault, or a bound that is too small by
one, it must find an error.

usage: check.py [--large]
"""

import math
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from searches import LARGE, RUNS

FOLDER = Path(__file__).resolve().parent
SECONDS = 120  # a search of the usual sizes takes at most a tenth of this
LARGE_SECONDS = 3600


def search(run, limit, packed):
    """Returns (states, seconds, verdict, text to print if the search failed or None). `packed` has
    the compiler's flags for states that take less memory and more time."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        kind = "-DNP" if run.cycles else "-DSAFETY"
        options = ["-w24", *(["-l"] if run.cycles else [])]
        # A planted fault is found long before all has been searched.
        steps = (
            ["spin", "-a", *run.defines(), str(FOLDER / f"{run.model}.pml")],
            ["gcc", "-O0" if run.fault else run.level, "-w", kind, *packed, "pan.c"],
            ["./a.out", f"-m{run.depth}", *options],
        )
        said = ""
        try:
            for step in steps:
                done = subprocess.run(
                    step, cwd=folder, capture_output=True, text=True, timeout=limit, check=False
                )
                said = done.stdout + done.stderr
                if done.returncode != 0 or "rror: syntax" in said:
                    return 0, 0, "FAILED", f"{step[0]}: {said[-2000:]}"
        except subprocess.TimeoutExpired:
            return 0, limit, "FAILED", f"not done after {limit} s"
        seconds = time.monotonic() - began

    found = re.search(r"([\d.e+]+) states, stored", said)
    states = int(float(found.group(1))) if found else 0
    error = re.search(r"pan:1: (.*?) \(at depth", said)
    if run.fault:
        if error:
            return states, seconds, f"found: {error.group(1)}", None
        return states, seconds, "NOT FOUND", said[-2000:]
    if error:
        return states, seconds, "FAILED", error.group(1)
    # SPIN's messages for a search that was cut short: by depth, memory, or anything else.
    cut = re.search(r"max search depth too small|out of memory|Search not completed", said)
    if cut or "errors: 0" not in said:
        return states, seconds, "FAILED", cut.group(0) if cut else said[-2000:]
    return states, seconds, "good", None


def main():
    if sys.argv[1:] not in ([], ["--large"]):
        sys.exit(__doc__)
    for tool in ("spin", "gcc"):
        if not shutil.which(tool):
            sys.exit(f"models: {tool} is not installed; ./dev check installs it")
    large = sys.argv[1:] == ["--large"]
    runs = LARGE if large else RUNS
    limit = LARGE_SECONDS if large else SECONDS

    width = max(len(run.title()) for run in runs)
    print(f"{'model':13}  {'sizes':{width}}  {'states':>11}  {'s':>6}  verdict")
    failures = []
    # Large searches need most of the memory, so they run one at a time.
    with ThreadPoolExecutor(1 if large else 2) as pool:
        results = pool.map(lambda run: search(run, limit, ["-DCOLLAPSE"] if large else []), runs)
        for run, (states, seconds, verdict, trouble) in zip(runs, results):
            print(
                f"{run.model:13}  {run.title():{width}}  {states:11,}  "
                f"{math.ceil(seconds):6}  {verdict}",
                flush=True,
            )
            if trouble:
                failures.append(f"{run.model}, {run.title()}: {trouble}")
    for failure in failures:
        print(f"models: {failure}", file=sys.stderr)
    if failures:
        sys.exit(f"models: {len(failures)} of {len(runs)} searches failed")
    print(f"models: good ({len(runs)} searches)")


if __name__ == "__main__":
    main()
