"""Distributed data structures over one-sided remote memory.

    import far

    def main(world):
        counts = far.HashMap(world, key="u8", value="i8")
        counts.add([1, 2, 2], 1)
        world.barrier()
        if world.rank == 0:
            print(counts[2])

    far.run(main)              # under: far run -n 4 python s.py, mpirun, srun, far sim, or alone
    far.run(main, ranks=4)     # from a plain script or a notebook: starts four processes

A rank is a process, or part of one; all ranks run the same function. What they make together they
make in the same order: `far.Array`, `far.CachedArray`, `far.Matrix`, `far.NdArray`, `far.HashMap`,
`far.Queue`, `far.Lock`, `far.RWLock`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from far._far import (
    BadArgument,
    Deadlock,
    Error,
    FabricError,
    JobEnded,
    OutOfBounds,
    OutOfMemory,
    RankFailed,
    __version__,
)
from far._array import Array
from far._cached import CachedArray
from far._grid import Matrix, NdArray
from far._map import HashMap
from far._queue import Queue
from far._lock import Lock, RWLock
from far._run import init, run
from far._team import Team
from far._world import World

if TYPE_CHECKING:
    from far import model as model
    from far._pool import Pool
else:
    # Most programs do without what these import.
    def __getattr__(name):
        from importlib import import_module

        if name == "model":
            return import_module("far.model")
        if name == "Pool":
            return import_module("far._pool").Pool
        raise AttributeError(f"module 'far' has no attribute '{name}'")


__all__ = [
    "Array",
    "BadArgument",
    "CachedArray",
    "Deadlock",
    "Error",
    "FabricError",
    "HashMap",
    "JobEnded",
    "Lock",
    "Matrix",
    "NdArray",
    "OutOfBounds",
    "OutOfMemory",
    "Pool",
    "Queue",
    "RankFailed",
    "RWLock",
    "Team",
    "World",
    "init",
    "model",
    "run",
]
