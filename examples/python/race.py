"""A lost update: two ranks read a counter, add to it, and write it back.

On most runs the sum is right. The simulator tries orders of the ranks' steps until it is not, and
names the seed that repeats that order (Python 3.12 or later):

    far sim explore -n 2 python race.py
"""

import far


def main(world):
    counter = far.Array(world, 1, int)
    world.barrier()
    counter[0] += 1  # should be: counter.add_at(0, 1)
    world.barrier()
    if world.rank == 0 and counter[0] != world.size:
        raise far.Error(f"{world.size} ranks have added 1, and the sum is {counter[0]}")


if __name__ == "__main__":
    far.run(main)
