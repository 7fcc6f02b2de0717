"""Distributed arrays of several dimensions."""

import math
import operator

import numpy as np

from far._dense import Dense, Local
from far._far import BadArgument, GridBase, OutOfMemory
from far._keys import Points, Section, spread
from far._show import with_methods_of
from far._types import cast, code_of, element_type

_most_dimensions = 7  # libfar's sections have 8, one of which is an element's bytes
_most_bytes = 1 << 62


@with_methods_of(Local, Dense)
class NdArray(GridBase):
    """Collective: an array of 1 to 7 dimensions, zero at first, cut into a block for each rank.

    Any rank reads and writes any section: `a[i, j]`, `a[2:10, ::-3]`, `a[..., 0]`, with arrays of
    integers, and masks, as NumPy does. Reading returns copies: numbers of Python for one element,
    NumPy arrays for several. `local` is this rank's block itself.

    shape: the number of elements in each dimension.
    dtype: anything of NumPy's without references.
    blocks: the number of blocks in each dimension; 0: chosen, so that the largest block is small.
    begins: for uneven blocks, a list for each dimension (or None) of where its blocks begin.
    ghosts: the width of the ghost cells on both sides of each block, one or one for each dimension.
    periodic: whether the neighbor of the last element is the first one, for `update_ghosts`.

    Cost: a barrier to make it. An element on this machine takes some 60 ns, on another a round
    trip. A section travels as one transfer for each rank that has a part of it; elements at arrays
    of integers as one list for each rank.
    Errors: OutOfBounds (an IndexError), BadArgument (a ValueError) for values that lose something,
    OutOfMemory, JobEnded after free() or the job.
    """

    def __init__(self, world, shape, dtype=np.float64, *, blocks=0, begins=None, ghosts=0,
                 periodic=False):
        self._world = world
        self.dtype = element_type(dtype)
        self._code = code_of(self.dtype)
        self.shape = _shape_in(shape)
        if math.prod(self.shape) * self.dtype.itemsize > _most_bytes:
            raise OutOfMemory(f"an array of shape {self.shape} of {self.dtype} has more bytes than "
                              "memory has addresses for")
        self.ghosts = self._numbers(ghosts, "ghosts")
        begins = [None] * self.ndim if begins is None else list(begins)
        if len(begins) != self.ndim:
            raise BadArgument(f"begins for {len(begins)} dimensions of {self.ndim}")
        begins = [[] if one is None else [_count(i, "begins") for i in one] for one in begins]
        self.periodic = tuple(bool(one) for one in self._each(periodic, "periodic"))
        super().__init__(world._native, self.shape, self.dtype.itemsize, self._code,
                         self._numbers(blocks, "blocks"), begins, self.ghosts, self.periodic)

    @classmethod
    def of(cls, world, values, **options):
        """Collective: an array of the values that rank 0 gives; other ranks may give None."""
        given = np.ascontiguousarray(values) if world.rank == 0 else None
        shape, dtype = world.broadcast_object(None if given is None else (given.shape, given.dtype))
        made = cls._of_shape(world, shape, dtype, options)
        if world.rank == 0:
            made[...] = given
        world.barrier()
        return made

    @classmethod
    def _of_shape(cls, world, shape, dtype, options):
        return cls(world, shape, dtype, **options)

    def _each(self, option, what):
        given = list(option) if np.ndim(option) else [option] * self.ndim
        if len(given) != self.ndim:
            raise BadArgument(f"{what} for {len(given)} dimensions of {self.ndim}")
        return given

    def _numbers(self, option, what):
        return tuple(_count(one, what) for one in self._each(option, what))

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        """The number of all elements."""
        return math.prod(self.shape)

    # -- the blocks --------------------------------------------------------------------------------

    def block(self, rank=None):
        """What a rank holds (this one), as a tuple of slices: `a[a.block(2)]`. Not a message."""
        rank = self._world.rank if rank is None else self._world._member(rank)
        return tuple(slice(b, b + n) for b, n in zip(*self._block(rank)))

    def owner(self, *index):
        """The rank that holds an element: `a.owner(3, 5)`. Not a message."""
        section = Section(index, self.shape)
        if section.result_shape != ():
            raise BadArgument(f"the owner of one element: {self.ndim} integers")
        return self._owner(section.first)

    @property
    def local(self):
        """This rank's block, a NumPy array without a copy. The memory stays while it does.

        Its shape is (0, ...) where there are more ranks than blocks.
        """
        return self.local_with_ghosts[tuple(slice(g, -g or None) for g in self.ghosts)]

    @property
    def local_with_ghosts(self):
        """The same with the ghost cells around it: element (i, j) of `local` is (i + g, j + g)."""
        extents = self._block(self._world.rank)[1]
        if 0 in extents:
            return np.zeros([n and n + 2 * g for n, g in zip(extents, self.ghosts)], self.dtype)
        stored = [n + 2 * g for n, g in zip(extents, self.ghosts)]
        return self._local_bytes().view(self.dtype).reshape(stored)

    def update_ghosts(self):
        """Collective: copies to all ghost cells what they stand for, corners included.

        Those beyond the array's ends, where it is not periodic, keep their values.
        Cost: two barriers, and a transfer for each side, edge and corner, all at once.
        """
        self._update_ghosts()

    # -- sections ----------------------------------------------------------------------------------

    def accumulate(self, key, values, alpha=1):
        """a[key] += alpha * values, each element atomically against the accumulates of all ranks.

        Elements at arrays of integers may occur several times: each counts. Integers wrap around.
        values: of the shape of a[key], or what is broadcast to it.
        dtype: integers of 4 or 8 bytes, floating-point and complex numbers of 4 to 16.
        Cost: on one machine a lock and a pass over the elements; else the owner's processor adds.
        """
        len(self)  # raises what a freed array does
        where = self._selected(key)
        given = where.ordered(spread(cast(values, self.dtype, "an operand"), where.result_shape))
        factor = cast([alpha], self.dtype, "the factor")
        code = self._code or f"{self.dtype.kind}{self.dtype.itemsize}"
        if given.size == 0:
            return
        if isinstance(where, Section):
            self._accumulate(*where.bounds, factor, given, code)
        else:
            self._accumulate_runs(where.starts, where.length, factor, given, code)

    def _selected(self, key):
        key = key if isinstance(key, tuple) else (key,)
        is_basic = all(one is Ellipsis or isinstance(one, slice) or _is_integer(one) for one in key)
        return (Section if is_basic else Points)(key, self.shape)

    def _get_items(self, key):
        where = self._selected(key)
        result = np.empty(where.moved_shape, self.dtype)
        if result.size and isinstance(where, Section):
            self._read(*where.bounds, result)
        elif result.size:
            self._read_runs(where.starts, where.length, result)
        result = where.ordered(result.reshape(where.result_shape))
        return result.item() if result.ndim == 0 and self._code else result[()]

    def _set_items(self, key, values):
        where = self._selected(key)
        given = where.ordered(spread(cast(values, self.dtype, "an element"), where.result_shape))
        if given.size == 0:
            return
        if isinstance(where, Section):
            self._write(*where.bounds, given)
        else:
            self._write_runs(where.starts, where.length, given)


class Matrix(NdArray):
    """Collective: a matrix of `rows` x `columns` elements, an NdArray of two dimensions."""

    def __init__(self, world, rows, columns, dtype=np.float64, **options):
        super().__init__(world, (rows, columns), dtype, **options)

    @classmethod
    def _of_shape(cls, world, shape, dtype, options):
        if len(shape) != 2:
            raise BadArgument(f"a matrix of shape {shape}: two dimensions")
        return cls(world, *shape, dtype, **options)


def _is_integer(one):
    return hasattr(one, "__index__") and not isinstance(one, (bool, np.bool_, np.ndarray))


def _count(given, what):
    number = operator.index(given)
    if not 0 <= number <= _most_bytes:
        raise BadArgument(f"{what}: {number} is not from 0 to 2^62")
    return number


def _shape_in(given):
    shape = tuple(_count(n, "a shape") for n in (given if np.ndim(given) else [given]))
    if not 1 <= len(shape) <= _most_dimensions:
        raise BadArgument(f"an array of {len(shape)} dimensions: there can be 1 to "
                          f"{_most_dimensions}")
    return shape
