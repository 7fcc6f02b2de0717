"""Structures that come and go leave nothing behind."""

import far

# Each kind, and how often it is made and dropped. An array, in 10^5 turns, stands for what all
# have in common.
MAKES = {
    "Array": (100_000, lambda world: far.Array(world, 100)),
    "a view": (10_000, lambda world: far.Array(world, 100).local),
    "CachedArray": (10_000, lambda world: far.CachedArray(world, 100)),
    "Matrix": (10_000, lambda world: far.Matrix(world, 10, 10)),
    "NdArray": (10_000, lambda world: far.NdArray(world, (10, 10))),
    "HashMap": (10_000, lambda world: far.HashMap(world, key=str)),
    "HashMap with a capacity": (10_000, lambda world: far.HashMap(world, capacity=100)),
    "Queue": (10_000, lambda world: far.Queue(world, 10, dtype=int)),
    "Lock": (10_000, lambda world: far.Lock(world)),
    "RWLock": (10_000, lambda world: far.RWLock(world)),
    "Team": (10_000, lambda world: world.split(0)),
}
PAGE_KB = 4
WARM_UP = 500
ALLOWED_KB = 64  # what the C library's allocator takes now and then


def resident_kb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE_KB


def growth_of(world, times, make):
    for _ in range(WARM_UP):
        make(world)
    before = resident_kb()
    for _ in range(times):
        make(world)
    return resident_kb() - before


def test_making_and_dropping_takes_no_memory():
    def body(world):
        return {name: growth_of(world, *how) for name, how in MAKES.items()}

    for grown in far.run(body, ranks=2):
        assert {name: kb for name, kb in grown.items() if kb > ALLOWED_KB} == {}
