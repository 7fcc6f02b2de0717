"""Distributed arrays."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from far._dense import Dense, Local
from far._elements import Elements
from far._far import ArrayBase, BadArgument
from far._show import with_methods_of
from far._types import cast, code_of, element_type

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    from far._world import World

    class _Base(Elements, Local, Dense, ArrayBase): ...

else:
    _Base = ArrayBase  # which the others' methods are added to


@with_methods_of(Elements, Local, Dense)
class Array(_Base):
    """Collective: `size` elements, zero at first, in blocks of equal size rank by rank.

    Any rank reads and writes any element: `a[i]`, slices, lists and arrays of indices, and masks.
    Reading returns copies: numbers of Python for one element, NumPy arrays for several. `local` is
    this rank's block itself.

    dtype: anything of NumPy's without references.
    Cost: an element on this machine, about that of a NumPy array's; on another, a round trip. Many
    at once travel together.
    Errors: OutOfBounds (an IndexError), BadArgument (a ValueError) for values that lose something,
    OutOfMemory, JobEnded after free() or the job.
    """

    def __init__(self, world: World, size: int, dtype: DTypeLike = np.float64) -> None:
        self._world = world
        self.dtype = element_type(dtype)
        self._code = code_of(self.dtype)
        size = operator.index(size)
        if size < 0:
            raise BadArgument(f"an array of {size} elements")
        super().__init__(world._native, size, self.dtype.itemsize, self._code)

    @classmethod
    def of(cls, world: World, values: ArrayLike | None) -> Array:
        """Collective: an array of the values that rank 0 gives; other ranks may give None."""
        given = np.ascontiguousarray(values) if world.rank == 0 else None
        shape = world.broadcast_object(None if given is None else (given.shape, given.dtype))
        if len(shape[0]) != 1:
            raise BadArgument(f"an array of shape {shape[0]}: one dimension")
        made = cls(world, shape[0][0], shape[1])
        if world.rank == 0:
            made[:] = given
        world.barrier()
        return made

    @property
    def local(self) -> np.ndarray:
        """This rank's elements, a NumPy array without a copy. The memory stays while it does."""
        return self._local_bytes().view(self.dtype)

    @property
    def local_range(self) -> range:
        """The indices of this rank's elements."""
        first = min(self._world.rank * self.block, len(self))
        return range(first, min(first + self.block, len(self)))

    def owner(self, i: int) -> int:
        """The rank in whose block element i lies."""
        return self._one(i) // self.block

    # -- atomic operations -------------------------------------------------------------------------

    def fetch_add(self, i: int, value: Any) -> Any:
        """Adds to element i atomically, and returns what it was before."""
        return self.fetch_update(i, value, "sum")

    def fetch_update(self, i: int, value: Any, op: str) -> Any:
        """The same for the operations of update_at."""
        operand = cast([value], self.dtype, "an operand")
        return self._fetch_update(self._one(i), operand, self._code, op)

    def compare_swap(self, i: int, expected: Any, desired: Any) -> Any:
        """Replaces element i if it is `expected`, atomically. Returns what it was before."""
        both = cast([expected, desired], self.dtype, "an operand")
        return self._compare_swap(self._one(i), both, self._code)
