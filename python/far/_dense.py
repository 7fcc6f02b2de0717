"""What all arrays do with their elements as a whole."""

from __future__ import annotations

from typing import Any, NoReturn, Self

import numpy as np

from far._far import BadArgument
from far._show import Shown, with_methods_of
from far._types import cast


@with_methods_of(Shown)
class Dense:
    """Needs _world, dtype, shape, `_part()`, this rank's elements to read, and _element()."""

    def _facts(self):
        len(self)  # raises after free() or the job
        return {"shape": self.shape, "dtype": self.dtype, "ranks": self._world.size}

    def __iter__(self) -> NoReturn:
        raise TypeError("an array is read by slices: for x in a[:]")

    def sum(self) -> Any:
        """Collective: the sum of all elements, as numpy.sum of them is. A barrier before."""
        return self._reduced(np.sum, "sum")

    def min(self) -> Any:
        """Collective: the least element."""
        return self._reduced(np.min, "min")

    def max(self) -> Any:
        """Collective: the greatest element."""
        return self._reduced(np.max, "max")

    def _reduced(self, function, op):
        if 0 in self.shape and op != "sum":
            raise BadArgument(f"the {op} of an array without elements")
        self._world.barrier()
        mine = self._part()
        if op != "sum" and mine.size == 0:  # a rank without elements changes nothing
            mine = np.asarray(self[(0,) * len(self.shape)], self.dtype)
        return self._world.allreduce(function(mine), op)

    def free(self) -> None:
        """Collective: frees the memory, or once nothing has a view of it."""
        self._free()
        self._world._native._collect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.free()


class Local:
    """For arrays whose `local` is memory of this rank."""

    def _part(self):
        return self.local

    def fill(self, value: Any) -> None:
        """Collective: sets all elements. A barrier before and after."""
        given = cast([value], self.dtype, "an element")
        self._world.barrier()
        self.local[...] = given
        self._world.barrier()
