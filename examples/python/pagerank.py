"""PageRank of a random graph, each rank with its share of the vertices, beside SciPy on one rank.

A rank keeps the arcs that end at its vertices. In each iteration it reads the ranks of the vertices
from which they come: all of them at once, from wherever they are.

    far run -n 4 python pagerank.py
"""

import far
import numpy as np

VERTICES, ARCS, DAMPING, TOLERANCE = 2000, 20_000, 0.85, 1e-10


def graph():
    """Arcs as two arrays: from a few popular vertices to any, and back."""
    random = np.random.default_rng(7)
    popular = (VERTICES * random.random(ARCS) ** 3).astype(np.int64)
    return random.integers(0, VERTICES, ARCS), popular


def pagerank(world, sources, targets):
    """The PageRank of all vertices, as a far.Array, and the number of iterations."""
    rank = far.Array(world, VERTICES, float)
    mine = rank.local_range
    out = np.bincount(sources, minlength=VERTICES)
    here = (targets >= mine.start) & (targets < mine.stop)
    come_from, go_to = sources[here], targets[here] - mine.start
    rank.fill(1 / VERTICES)
    for iteration in range(1, 1000):
        weights = rank[come_from] / out[come_from]
        new = np.bincount(go_to, weights=weights, minlength=len(mine))
        # What vertices without arcs have goes to all.
        lost = world.allreduce(float(rank.local[out[mine.start : mine.stop] == 0].sum()))
        new = (1 - DAMPING + DAMPING * lost) / VERTICES + DAMPING * new
        change = world.allreduce(float(np.abs(new - rank.local).sum()))  # all have read by then
        rank.local[:] = new
        world.barrier()
        if change < TOLERANCE:
            return rank, iteration
    raise far.Error("PageRank does not converge")


def by_scipy(sources, targets):
    """The same by a sparse matrix in one process; None if there is no SciPy."""
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        return None
    out = np.bincount(sources, minlength=VERTICES)
    matrix = csr_matrix((1 / out[sources], (targets, sources)), (VERTICES, VERTICES))
    rank = np.full(VERTICES, 1 / VERTICES)
    while True:
        lost = rank[out == 0].sum()
        new = (1 - DAMPING + DAMPING * lost) / VERTICES + DAMPING * (matrix @ rank)
        if np.abs(new - rank).sum() < TOLERANCE:
            return new
        rank = new


def main(world):
    sources, targets = graph()
    rank, iterations = pagerank(world, sources, targets)
    if world.rank == 0:
        everything = rank[:]
        print(f"{iterations} iterations, sum {everything.sum():.6f}")
        print("the first are", np.argsort(-everything)[:5].tolist())
        other = by_scipy(sources, targets)
        if other is not None:
            print(f"the largest difference to SciPy is {np.abs(everything - other).max():.1e}")


if __name__ == "__main__":
    far.run(main)
