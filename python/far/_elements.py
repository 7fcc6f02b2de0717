"""Arrays of one dimension: what their keys select, and updates of many elements."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from far._far import BadArgument, OutOfBounds
from far._keys import spread
from far._types import cast

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_INDEX = np.dtype(np.int64)


class Elements:
    """Needs dtype, _code and the functions of the compiled class that move bytes."""

    if TYPE_CHECKING:
        dtype: np.dtype

        def __getitem__(self, key: Any) -> Any: ...
        def __setitem__(self, key: Any, values: Any) -> None: ...
        def __len__(self) -> int: ...

    @property
    def shape(self):
        return (len(self),)

    @property
    def ndim(self):
        return 1

    @property
    def size(self):
        return len(self)

    def _get_items(self, key):
        if isinstance(key, slice):
            first, step, count = self._slice(key)
            result = np.empty(count, self.dtype)
            if count == 0:
                return result
            if step == 1:
                self._read(first, result)
            else:
                self._read_at(_steps(first, step, count), result)
            return result
        indices, shape = self._indices(key)
        result = np.empty(shape, self.dtype)
        self._read_at(indices, result)
        if shape != ():
            return result
        return result[()] if self._code == "" else result.item()

    def _set_items(self, key, values):
        given = cast(values, self.dtype, "an element")
        if isinstance(key, slice):
            first, step, count = self._slice(key)
            given = spread(given, (count,))
            if count and step == 1:
                self._write(first, given)
            elif count:
                self._write_at(_steps(first, step, count), given)
            return
        indices, shape = self._indices(key)
        self._write_at(indices, spread(given, shape))

    def _slice(self, key):
        first, stop, step = key.indices(len(self))
        return first, step, len(range(first, stop, step))

    def _one(self, i):
        """An index from 0, of what an int is to NumPy."""
        given = operator.index(i)
        at = given + len(self) if given < 0 else given
        if not 0 <= at < len(self):
            raise OutOfBounds(f"index {given} of an array of {len(self)} elements")
        return at

    def _indices(self, key):
        """The indices of a key as int64, and the shape of the result."""
        if type(key) is np.ndarray and key.dtype == _INDEX and key.flags.c_contiguous:
            return key, key.shape
        if isinstance(key, tuple) and len(key) == 1:
            key = key[0]
        if key is Ellipsis:
            return np.arange(len(self), dtype=np.int64), (len(self),)
        if not isinstance(key, (np.ndarray, list, range)) and hasattr(key, "__index__"):
            return np.array([self._one(key)], np.int64), ()
        if isinstance(key, tuple):
            raise OutOfBounds(f"{len(key)} indices of an array of one dimension")
        given = np.asarray(key)
        if given.dtype == bool:
            if given.shape != (len(self),):
                raise OutOfBounds(f"a mask of shape {given.shape} for {len(self)} elements")
            given = np.flatnonzero(given)
        elif given.size == 0:
            given = given.astype(np.int64)
        elif given.dtype.kind not in "iu":
            raise BadArgument(f"indices of type {given.dtype}: they are integers, slices or masks")
        elif given.dtype == np.uint64 and given.max() > np.iinfo(np.int64).max:
            raise OutOfBounds(f"index {given.max()} of an array of {len(self)} elements")
        return np.ascontiguousarray(given, np.int64).reshape(-1), given.shape

    # -- atomic operations -------------------------------------------------------------------------

    def add_at(self, indices: ArrayLike, values: ArrayLike) -> None:
        """Adds to the elements, each atomically; an index may occur several times.

        Elements of 4 or 8 bytes. Cost: an atomic operation each, on another machine a round trip.
        """
        self.update_at(indices, values, "sum")

    def min_at(self, indices: ArrayLike, values: ArrayLike) -> None:
        """Lowers the elements to the values, atomically."""
        self.update_at(indices, values, "min")

    def max_at(self, indices: ArrayLike, values: ArrayLike) -> None:
        """Raises the elements to the values, atomically."""
        self.update_at(indices, values, "max")

    def update_at(self, indices: ArrayLike, values: ArrayLike, op: str) -> None:
        """The same for "sum", "min", "max", and for integers "and", "or", "xor"."""
        at, shape = self._indices(indices)
        given = cast(values, self.dtype, "an operand")
        if given.ndim:
            given = spread(given, shape)
        self._update_at(at, given, self._code, op)


def _steps(first, step, count):
    return np.arange(first, first + step * count, step, dtype=np.int64)[:count]
