"""Tasks that take very different times, shared among ranks by a queue: the number of primes below N.

    far run -n 4 python work_queue.py
"""

import far

N, TASK = 60_000, 1000


def primes_in(first, last):
    """By trial division, which takes longer for larger numbers."""
    return sum(
        n > 1 and all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(first, last)
    )


def main(world):
    tasks = far.Queue(world, capacity=N // TASK, dtype=int)
    found = far.Array(world, 1, int)
    if world.rank == 0:
        tasks.push_many(range(0, N, TASK))
    world.barrier()

    done = 0
    while (first := tasks.try_pop()) is not None:
        found.add_at(0, primes_in(first, first + TASK))
        done += 1
    world.barrier()
    shares = world.gather(done)
    if world.rank == 0:
        print(f"{found[0]} primes below {N}")
        print(f"{sum(shares)} tasks, each done once; by rank: {shares.tolist()}")


if __name__ == "__main__":
    far.run(main)
