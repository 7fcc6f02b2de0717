"""Processor time, printed as lines of a name and nanoseconds for bench/python.cpp."""

import statistics
import time

ROUNDS = 9
ONES = 20_000  # accesses to one element in a round
MANY = 1_000  # elements of a batch
WORDS = 1 << 20  # 8 MB at each rank: more than a core's private caches
SMALL = 1 << 15  # 256 KB


def measured(name, repeat, count):
    """repeat() does the operation `count` times."""
    repeat()
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time_ns()
        repeat()
        times.append((time.process_time_ns() - begin) / count)
    print(name, statistics.median(times), flush=True)


def reads(name, array, places):
    def repeat():
        for i in places:
            array[i]

    measured(name, repeat, len(places))


def writes(name, array, places):
    def repeat():
        for i in places:
            array[i] = 1

    measured(name, repeat, len(places))
