"""Locks of all ranks."""

from __future__ import annotations

import threading
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from far import _far
from far._show import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from far._world import World


class _Turns:
    """One at a time of the threads that share a view of the world: it waits for the lock, and the
    holder could not take its turn to release it."""

    def __init__(self, lock):
        self._lock = lock
        self._of_lane = defaultdict(threading.Lock)

    def here(self):
        return self._of_lane[self._lock._lane()]


class Lock(Shown):
    """Collective: an exclusive lock.

        with lock:
            ...

    It is held by one thread of one rank. It prefers waiters of the same machine, and starves none.
    Cost: on one machine an atomic operation; between machines a round trip or two.
    Source: P. Schmid et al., High-performance distributed RMA locks, 2016.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._lock = _far.Lock(world._native)
        self._turns = _Turns(self._lock)

    def _facts(self):
        return {"ranks": self._world.size}

    def acquire(self) -> None:
        turn = self._turns.here()
        turn.acquire()
        try:
            self._lock.acquire()
        except BaseException:
            turn.release()
            raise

    def release(self) -> None:
        self._lock.release()
        self._turns.here().release()

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def free(self) -> None:
        """Collective: frees the memory. Nobody holds the lock."""
        self._lock._free()
        self._world._native._collect()


class RWLock(Shown):
    """Collective: a lock of one writer or several readers.

        with lock.reading():
            ...
        with lock.writing():
            ...

    Cost and source: as Lock; a reader writes a counter of its own machine.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._lock = _far.RWLock(world._native)
        self._turns = _Turns(self._lock)

    def _facts(self):
        return {"ranks": self._world.size}

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._turns.here():
            self._lock.acquire()
            try:
                yield
            finally:
                self._lock.release()

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._turns.here():
            self._lock.acquire_shared()
            try:
                yield
            finally:
                self._lock.release_shared()

    def free(self) -> None:
        """Collective: frees the memory. Nobody holds the lock."""
        self._lock._free()
        self._world._native._collect()
