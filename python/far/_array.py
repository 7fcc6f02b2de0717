"""Distributed arrays."""

import operator

import numpy as np

from far._far import ArrayBase, BadArgument, OutOfBounds
from far._types import as_bytes, cast, code_of, element_type

_INDEX = np.dtype(np.int64)


class Array(ArrayBase):
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

    def __init__(self, world, size, dtype=np.float64):
        self._world = world
        self.dtype = element_type(dtype)
        self._code = code_of(self.dtype)
        size = operator.index(size)
        if size < 0:
            raise BadArgument(f"an array of {size} elements")
        super().__init__(world._native, size, self.dtype.itemsize, self._code)

    @classmethod
    def of(cls, world, values):
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

    def __repr__(self):
        try:
            return f"<far.Array: {len(self)} of {self.dtype} on {self._world.size} ranks>"
        except Exception:  # noqa: BLE001 - a repr does not raise
            return "<far.Array that exists no longer>"

    def __iter__(self):
        raise TypeError("an array is read by slices: for x in a[:], or a.local")

    @property
    def shape(self):
        return (len(self),)

    @property
    def local(self):
        """This rank's elements, a NumPy array without a copy. The memory stays while it does."""
        return self._local_bytes().view(self.dtype)

    @property
    def local_range(self):
        """The indices of this rank's elements."""
        first = min(self._world.rank * self.block, len(self))
        return range(first, min(first + self.block, len(self)))

    def owner(self, i):
        """The rank in whose block element i lies."""
        return self._one(i) // self.block

    # -- many elements -----------------------------------------------------------------------------

    def _get_items(self, key):
        if isinstance(key, slice):
            first, step, count = self._slice(key)
            result = np.empty(count, self.dtype)
            if count == 0:
                return result
            if step == 1:
                self._read(first, as_bytes(result))
            else:
                self._read_at(_steps(first, step, count), as_bytes(result))
            return result
        indices, shape = self._indices(key)
        result = np.empty(shape, self.dtype)
        self._read_at(indices, as_bytes(result))
        if shape != ():
            return result
        return result[()] if self._code == "" else result.item()

    def _set_items(self, key, values):
        given = cast(values, self.dtype, "an element")
        if isinstance(key, slice):
            first, step, count = self._slice(key)
            if given.shape != (count,):
                given = self._spread(given, (count,))
            if count and step == 1:
                self._write(first, as_bytes(given))
            elif count:
                self._write_at(_steps(first, step, count), as_bytes(given))
            return
        indices, shape = self._indices(key)
        self._write_at(indices, as_bytes(self._spread(given, shape)))

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

    def _spread(self, given, shape):
        try:
            return np.asarray(np.broadcast_to(given, shape), order="C")
        except ValueError:
            raise BadArgument(
                f"values of shape {given.shape} for elements of shape {shape}"
            ) from None

    # -- atomic operations -------------------------------------------------------------------------

    def add_at(self, indices, values):
        """Adds to the elements, each atomically; an index may occur several times.

        Elements of 4 or 8 bytes. Cost: an atomic operation each, on another machine a round trip.
        """
        self.update_at(indices, values, "sum")

    def min_at(self, indices, values):
        """Lowers the elements to the values, atomically."""
        self.update_at(indices, values, "min")

    def max_at(self, indices, values):
        """Raises the elements to the values, atomically."""
        self.update_at(indices, values, "max")

    def update_at(self, indices, values, op):
        """The same for "sum", "min", "max", and for integers "and", "or", "xor"."""
        at, shape = self._indices(indices)
        given = cast(values, self.dtype, "an operand")
        if given.ndim:
            given = self._spread(given, shape)
        self._update_at(at, as_bytes(given), self._code, op)

    def fetch_add(self, i, value):
        """Adds to element i atomically, and returns what it was before."""
        return self.fetch_update(i, value, "sum")

    def fetch_update(self, i, value, op):
        """The same for the operations of update_at."""
        operand = as_bytes(cast([value], self.dtype, "an operand"))
        return self._fetch_update(self._one(i), operand, self._code, op)

    def compare_swap(self, i, expected, desired):
        """Replaces element i if it is `expected`, atomically. Returns what it was before."""
        both = as_bytes(cast([expected, desired], self.dtype, "an operand"))
        return self._compare_swap(self._one(i), both, self._code)

    # -- of all ranks ------------------------------------------------------------------------------

    def fill(self, value):
        """Collective: sets all elements."""
        self.local[:] = cast(value, self.dtype, "an element")
        self._world.barrier()

    def sum(self):
        """Collective: the sum of all elements."""
        return self._reduced(np.sum, "sum")

    def min(self):
        """Collective: the least element."""
        return self._reduced(np.min, "min")

    def max(self):
        """Collective: the greatest element."""
        return self._reduced(np.max, "max")

    def _reduced(self, function, op):
        if len(self) == 0 and op != "sum":
            raise BadArgument(f"the {op} of an array without elements")
        self._world.barrier()
        mine = self.local
        if op != "sum" and len(mine) == 0:  # a rank without elements changes nothing
            mine = self[0:1]
        return self._world.allreduce(function(mine), op)

    def free(self):
        """Collective: frees the memory, or once nothing has a view of it."""
        self._free()
        self._world._native._collect()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.free()


def _steps(first, step, count):
    return np.arange(first, first + step * count, step, dtype=np.int64)[:count]
