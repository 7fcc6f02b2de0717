"""Which sequences of K letters occur in DNA reads, and how often.

A sequence is a word of 2 bits for each letter, so a read of a thousand letters is a few operations
of NumPy, and one batch to the map.

    far run -n 4 python kmers.py
"""

import far
import numpy as np

K = 15
READS, LENGTH = 200, 1000  # of each rank


def reads_of(rank):
    """Random reads, half of which come from one genome that all ranks know."""
    genome = np.random.default_rng(1).integers(0, 4, 5000, dtype=np.uint64)
    random = np.random.default_rng(2 + rank)
    for number in range(READS):
        if number % 2 == 0:
            start = random.integers(0, len(genome) - LENGTH)
            yield genome[start : start + LENGTH]
        else:
            yield random.integers(0, 4, LENGTH, dtype=np.uint64)


def words_of(letters):
    """All sequences of K letters of a read."""
    windows = np.lib.stride_tricks.sliding_window_view(letters, K)
    return windows @ (np.uint64(4) ** np.arange(K, dtype=np.uint64))


def main(world):
    counts = far.HashMap(world, key=np.uint64, value=np.uint32)
    with counts.writing():  # nobody looks up anything until all have added
        for letters in reads_of(world.rank):
            counts.add(words_of(letters), 1)

    _, numbers = counts.local_items()
    histogram = world.allreduce(np.bincount(np.minimum(numbers, 9), minlength=10))
    different = counts.size()
    if world.rank == 0:
        print(f"{different} different sequences of {K} letters")
        for number, how_many in enumerate(histogram[1:], 1):
            print(f"{'9 or more' if number == 9 else number:>10} times: {how_many}")


if __name__ == "__main__":
    far.run(main)
