"""How often each word occurs in a text: python word_count.py FILE

Each rank reads its part of the file, counts its words by itself, and adds the counts to a map that
all ranks share, in one batch.

    far run -n 4 python word_count.py book.txt
"""

import os
import re
import sys
from collections import Counter

import far


def part_of(path, rank, ranks):
    """The words that begin in this rank's part of a file's bytes."""
    size = os.path.getsize(path)
    begin, end = size * rank // ranks, size * (rank + 1) // ranks
    with open(path, "rb") as file:
        # A word belongs to the rank in whose part it begins, so the byte before is looked at, too.
        file.seek(max(begin - 1, 0))
        text = file.read(end - max(begin - 1, 0))
        while text and text[-1:].isalnum() and (more := file.read(1)):
            text += more
    if begin > 0:
        text = re.sub(rb"\A\w*", b"", text)
    return [word.decode(errors="replace").lower() for word in re.findall(rb"\w+", text)]


def main(world):
    counts = far.HashMap(world, key=str, value=int)
    mine = Counter(part_of(sys.argv[1], world.rank, world.size))
    counts.add(list(mine), list(mine.values()))
    world.barrier()

    # Each rank has some of the words; the most frequent of all are among those of each.
    words, numbers = counts.local_items()
    top = sorted(zip(numbers.tolist(), words), key=lambda pair: (-pair[0], pair[1]))[:10]
    tops = world.gather_object(top)
    if world.rank == 0:
        for number, word in sorted(sum(tops, []), key=lambda pair: (-pair[0], pair[1]))[:10]:
            print(f"{number:8} {word}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: word_count.py FILE")
    far.run(main)
