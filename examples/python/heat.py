"""Heat that spreads on a plate.

Each rank computes the cells of its block of a distributed matrix. The cells next to it, which other
ranks compute, are copied to its ghost cells before each step. examples/heat.cpp is the same in C++.

    far run -n 4 python heat.py
"""

import far

ROWS, COLUMNS, STEPS = 64, 96, 200


def main(world):
    now = far.Matrix(world, ROWS, COLUMNS, ghosts=1)
    new = far.Matrix(world, ROWS, COLUMNS, ghosts=1)
    if world.rank == 0:
        now[0] = 100.0  # the upper edge is hot; any rank may write any section
    world.barrier()

    # The edges keep their heat. A rank's own cells are `local`, those around them have ghosts, too.
    rows, columns = now.block()
    inner = (
        slice(max(1 - rows.start, 0), min(rows.stop, ROWS - 1) - rows.start),
        slice(max(1 - columns.start, 0), min(columns.stop, COLUMNS - 1) - columns.start),
    )
    for _ in range(STEPS):
        now.update_ghosts()
        old = now.local_with_ghosts
        mean = (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]) / 4
        new.local[:] = now.local
        new.local[inner] = mean[inner]
        now, new = new, now

    heat = now.sum()
    if world.rank == 0:
        print(f"the cell (8, 48) has {now[8, 48]:.3f}, all cells {heat:.1f}")


if __name__ == "__main__":
    far.run(main)
