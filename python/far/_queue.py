"""Distributed queues."""

from __future__ import annotations

import pickle
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from far._far import BadArgument, QueueBase
from far._show import Shown, with_methods_of
from far._types import cast, element_type

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from far._world import World

_LENGTH = struct.Struct("<I")


@with_methods_of(Shown)
class Queue(QueueBase):
    """Collective: a first-in first-out queue of up to `capacity` elements at one rank, its host.

    Any rank pushes and pops at any time; an element is popped once. Give either

    dtype: elements of a type of NumPy's, of up to 8192 bytes, or
    max_bytes: elements are any objects; pickled, they take up to so many bytes.

    Cost: one operation of a few; on another machine two round trips, or one message each way.
    Errors: BadArgument, OutOfMemory, JobEnded.
    """

    def __init__(
        self,
        world: World,
        capacity: int,
        dtype: DTypeLike | None = None,
        host: int = 0,
        max_bytes: int | None = None,
    ) -> None:
        if (dtype is None) == (max_bytes is None):
            raise BadArgument("a queue has elements of a dtype, or objects of up to max_bytes")
        if capacity < 1:
            raise BadArgument(f"a queue of {capacity} elements")
        self._world = world
        self.dtype = None if dtype is None else element_type(dtype)
        self._max_bytes = max_bytes
        size = self.dtype.itemsize if self.dtype is not None else max_bytes + _LENGTH.size
        super().__init__(world._native, size, world._member(host), capacity)
        self._slot = self.slot_bytes
        self._room = capacity, host

    def _facts(self):
        _ = self.slot_bytes  # raises after free() or the job
        capacity, host = self._room
        elements = f"objects of up to {self._max_bytes} bytes" if self.dtype is None else self.dtype
        return {"capacity": capacity, "elements": elements, "host": host}

    def push(self, value: Any) -> None:
        """Appends an element. Waits while the queue is full."""
        self._push(self._slots([value]), True)

    def try_push(self, value: Any) -> bool:
        """The same without waiting: returns whether there was room."""
        return self._push(self._slots([value]), False)

    def push_many(self, values: Any) -> None:
        """Appends elements, next to each other. Waits for room for all of them."""
        slots = self._slots(values)
        if slots.size:
            self._push(slots, True)

    def pop(self) -> Any:
        """Takes the first element. Waits for one."""
        return self._popped(1, True)[0]

    def try_pop(self) -> Any:
        """The same without waiting: None if there was no element."""
        values = self._popped(1, False)
        return values[0] if len(values) else None

    def pop_many(self, most: int) -> Any:
        """Takes up to `most` elements that are there, without waiting: an array, or a list."""
        return self._popped(most, False)

    def _slots(self, values):
        if self.dtype is not None:
            given = cast(values, self.dtype, "an element").reshape(-1)
            size = self.dtype.itemsize
            if size == self._slot:
                return given
            slots = np.zeros((len(given), self._slot), np.uint8)
            slots[:, :size] = given.view(np.uint8).reshape(len(given), size)
            return slots.reshape(-1)
        slots = np.zeros((len(values), self._slot), np.uint8)
        for row, value in zip(slots, values):
            text = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
            if len(text) > self._max_bytes:
                raise BadArgument(
                    f"an object of {len(text)} bytes when pickled, in a queue of objects of up "
                    f"to {self._max_bytes}"
                )
            whole = _LENGTH.pack(len(text)) + text
            row[: len(whole)] = np.frombuffer(whole, np.uint8)
        return slots.reshape(-1)

    def _popped(self, most, waits):
        slots = np.empty(most * self._slot, np.uint8)
        count = self._pop(slots, waits) if most else 0
        rows = slots[: count * self._slot].reshape(count, self._slot)
        if self.dtype is not None:
            size = self.dtype.itemsize
            return np.ascontiguousarray(rows[:, :size]).reshape(-1).view(self.dtype)
        values = []
        for row in rows:
            whole = row.tobytes()
            (length,) = _LENGTH.unpack_from(whole)
            values.append(pickle.loads(whole[_LENGTH.size : _LENGTH.size + length]))
        return values

    def free(self) -> None:
        """Collective: frees the memory."""
        self._free()
        self._world._native._collect()
