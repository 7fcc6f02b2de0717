#!/usr/bin/env python3
"""Writes a FASTA file as from a sequencer: reads of a random genome. Each letter of the genome is
in about ten reads; a few letters are wrong or unknown. The same seed gives the same file.

usage: make_reads.py SEED MEGABYTES > FILE
"""

import random
import sys

READ = 150  # letters
COVERAGE = 10
WRONG = 1 / 500  # of the letters


def main() -> int:
    if len(sys.argv) != 3 or not all(argument.isdigit() for argument in sys.argv[1:]):
        print("make_reads: want a seed and a number of megabytes", file=sys.stderr)
        return 2
    chance = random.Random(int(sys.argv[1]))
    size = int(sys.argv[2]) * 1000 * 1000
    letters = bytes(b"ACGT"[i % 4] for i in range(256))
    genome = chance.randbytes(max(size // COVERAGE, READ)).translate(letters)
    written = number = 0
    while written < size:
        begin = chance.randrange(len(genome) - READ + 1)
        read = bytearray(genome[begin : begin + READ])
        while chance.random() < READ * WRONG:
            read[chance.randrange(READ)] = chance.choice(b"ACGTacgtN")
        record = b">read %d\n%s\n" % (number, bytes(read))
        written += sys.stdout.buffer.write(record)
        number += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
