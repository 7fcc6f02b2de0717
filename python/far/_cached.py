"""Distributed arrays whose elements are cached."""

import operator
import threading
from contextlib import contextmanager

import numpy as np

from far._dense import Dense
from far._elements import Elements
from far._far import BadArgument, CachedArrayBase, OutOfBounds
from far._show import with_methods_of
from far._types import cast, code_of, element_type


@with_methods_of(Elements, Dense)
class CachedArray(CachedArrayBase):
    """Collective: `size` numbers, zero at first; each rank keeps copies of those that it uses.

    For programs that use the same or neighboring elements again and again, on several machines; an
    Array goes to an element's owner each time. Copies are coherent: all ranks see one order of all
    accesses. Keys are those of Array. There is no `local`: a NumPy array could not tell when
    another rank asks for its memory back; slices of `local_range` are copies.

    dtype: integers and floating-point numbers of 4 or 8 bytes.
    chunk: the elements that are cached together. Those that several ranks write make the chunk
    travel between them.
    cache_bytes: each rank's memory for copies. 0: FAR_ARRAY_CACHE, or 16 MB.
    caching: "automatic", "always" or "never". By itself the array finds out where copies pay.
    force_protocol: caches where all ranks share one machine's memory, too, for tests; else nothing
    is cached there, as the processors do it.

    Cost: some 130 ns for an element that is here; for another a message to its owner and one
    back, and one to each rank with a copy if it is written. `update_at` combines operands at the
    rank that gives them, until somebody reads.
    Errors: OutOfBounds (an IndexError), BadArgument (a ValueError) for values that lose something,
    OutOfMemory, JobEnded after free() or the job.
    Source: B. Ding, J. Han, R. Chen, DArray, ICPP 2023.
    """

    def __init__(self, world, size, dtype=np.float64, *, chunk=512, cache_bytes=0,
                 caching="automatic", force_protocol=False):
        self._world = world
        self.dtype = element_type(dtype)
        self._code = code_of(self.dtype)
        if self.dtype.kind not in "iuf" or self._code[1:] not in ("4", "8"):
            raise BadArgument(f"a cached array of type {self.dtype}: it has integers or "
                              "floating-point numbers of 4 or 8 bytes; Array takes all types")
        numbers = [operator.index(n) for n in (size, chunk, cache_bytes)]
        if min(numbers) < 0 or max(numbers) >= 1 << 62:
            raise BadArgument(f"a cached array of {size} elements in chunks of {chunk}, with a "
                              f"cache of {cache_bytes} bytes: each from 0 to 2^62")
        super().__init__(world._native, numbers[0], self._code, numbers[1], numbers[2], caching,
                         force_protocol)
        self._locking = threading.RLock()

    @property
    def local_range(self):
        """The indices of the elements whose home is this rank."""
        return range(*self._local_bounds())

    def owner(self, i):
        """The rank that is the home of element i."""
        return self._owner(self._one(i))

    def prefetch(self, first, count):
        """Requests copies of elements, without waiting. A hint: it stops where there is no room."""
        first, count = operator.index(first), operator.index(count)
        if min(first, count) < 0 or first + count > len(self):
            raise OutOfBounds(f"{count} elements from {first} on, of {len(self)}")
        self._prefetch(first, count)

    @contextmanager
    def locked(self, i, shared=False):
        """A context that holds the lock of element i, which excludes others that take it.

        shared: together with others that share it. Accesses without the lock are not excluded. Of
        a rank's threads, one at a time holds locks of an array.
        Cost: a message to the element's home and one back; unlocking sends one.
        """
        i = self._one(i)
        with self._locking:
            self._lock(i, shared)
            try:
                yield
            finally:
                self._unlock(i, shared)

    def fill(self, value):
        """Collective: sets all elements. A barrier before and after."""
        self._fill(cast([value], self.dtype, "an element"))

    def _part(self):
        mine = self.local_range
        return self[mine.start : mine.stop]
