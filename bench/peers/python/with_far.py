"""The package far: far run -n 2 python3 with_far.py. Rank 1 sleeps."""

import numpy as np
from timing import MANY, ONES, SMALL, WORDS, measured, reads, writes

import far

MILLION = 1_000_000
CALLS = 500


def one_element(world, random):
    small, large = far.Array(world, 2 * SMALL, int), far.Array(world, 2 * WORDS, int)
    keys = far.HashMap(world, capacity=2 * SMALL)
    keys.put_many(np.arange(world.rank, SMALL, world.size), np.arange(world.rank, SMALL, world.size))
    world.barrier()
    if world.rank == 0:
        places = random.integers(0, SMALL, ONES)
        own = np.zeros(SMALL, int)
        for round in range(2):  # the first one loads code and memory
            suffix = "" if round else "_cold"
            reads("numpy_get" + suffix, own, places.tolist())
            reads("small_get" + suffix, small, (places + SMALL).tolist())
            writes("numpy_set" + suffix, own, places.tolist())
            writes("small_set" + suffix, small, (places + SMALL).tolist())
            reads("map_find" + suffix, keys, places.tolist())
        reads("get", large, (random.integers(0, WORDS, ONES) + WORDS).tolist())
        writes("put", large, (random.integers(0, WORDS, ONES) + WORDS).tolist())
        lists = [random.integers(0, WORDS, MANY) + WORDS for _ in range(20)]

        def get_lists():
            for places in lists:
                large[places]

        measured("get_1000", get_lists, 20)

        def put_lists():
            for places in lists:
                large[places] = places

        measured("put_1000", put_lists, 20)
    world.barrier()


def batches(world, random):
    array = far.Array(world, 2 * WORDS, int)
    keys = far.HashMap(world, capacity=2 * WORDS)
    mine = np.arange(world.rank, WORDS, world.size)
    keys.put_many(mine, mine)
    world.barrier()
    if world.rank == 0:
        places = random.integers(0, 2 * WORDS, MILLION)
        wanted = random.integers(0, WORDS, MILLION)

        def put_all():
            array[places] = places

        measured("batch_get", lambda: array[places], MILLION)
        measured("batch_put", put_all, MILLION)
        measured("batch_add", lambda: array.add_at(places, 1), MILLION)
        measured("batch_find", lambda: keys.get_many(wanted), MILLION)
        measured("batch_update", lambda: keys.add(wanted, 1), MILLION)
        one = np.array([WORDS + 5])

        def small_batches(operation):
            def repeat():
                for _ in range(ONES):
                    operation(one)

            return repeat

        def put_one(places):
            array[places] = 1

        measured("fixed_get", small_batches(lambda places: array[places]), ONES)
        measured("fixed_put", small_batches(put_one), ONES)
        measured("fixed_find", small_batches(keys.get_many), ONES)
        measured("fixed_update", small_batches(lambda some: keys.add(some, 1)), ONES)
    world.barrier()


def nothing():
    pass


def calls(world):
    if world.rank == 0:
        for name, inline in (("rpc_inline", True), ("rpc", False)):

            def repeat():
                for _ in range(CALLS):
                    world.rpc(1, nothing, inline=inline).result()

            measured(name, repeat, CALLS)
    world.barrier()


def main(world):
    random = np.random.default_rng(7)
    one_element(world, random)
    batches(world, random)
    calls(world)


far.run(main)
