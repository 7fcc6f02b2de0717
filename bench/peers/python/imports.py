"""Processor time of starting Python with NumPy, and with far: python3 imports.py"""

import resource
import statistics
import subprocess
import sys

ROUNDS = 9


def used_ns():
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (of.ru_utime + of.ru_stime) * 1e9


times = {"numpy": [], "far": []}
for module in [*times, *list(times) * ROUNDS]:  # the first of each reads files
    begin = used_ns()
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
    times[module].append(used_ns() - begin)
for module, all_ns in times.items():
    print(f"import_{module}", statistics.median(all_ns[1:]))
