"""The world: a rank's view of its job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from far import _far
from far._team import Collectives

if TYPE_CHECKING:
    from collections.abc import Callable

    from far._calls import Future

R = TypeVar("R")


class World(Collectives):
    """A rank's view of its job. `far.run` and `far.init` make it.

    Its collective functions (far.Team has the same) are called by all ranks, in the same order.
    """

    def __init__(self, native: _far.World) -> None:
        super().__init__(_far.Team(native))
        self._native = native
        self._calls = None

    def __repr__(self) -> str:
        state = "ended" if self._native.ended else "in its job"
        return f"<far.World: rank {self.rank} of {self.size}, {state}>"

    def node_of(self, rank: int) -> int:
        """The number of the machine that holds a rank."""
        return self._native.node_of(rank)

    @property
    def now(self) -> float:
        """Seconds since the job started; virtual in a simulation."""
        return self._native.now_ns() * 1e-9

    def compute(self, seconds: float) -> None:
        """Spends time as a computation would. In a simulation the time is virtual."""
        self._native.compute(round(seconds * 1e9))

    def progress(self) -> bool:
        """Runs what has arrived. Returns whether there was anything."""
        return self._native.progress()

    def threads(self, n: int, function: Callable[[int], object]) -> None:
        """Calls function(i) in n threads of this rank, i from 0 to n - 1, and joins them.

        Each communicates by itself, where other threads of the interpreter take turns. Collective
        functions are called by one thread of a rank at a time. Raises what the first one raised.
        """
        self._native.threads(n, function)

    def rpc(
        self,
        rank: int,
        function: Callable[..., R],
        /,
        *args: Any,
        inline: bool = False,
        **kwargs: Any,
    ) -> Future[R]:
        """Calls function(*args, **kwargs) on a rank, and returns a future of its result.

        A function that its module has under its name travels as that name, so it sees the target's
        own global variables; others are pickled with what they refer to (cloudpickle). It runs in
        a thread of its own at that rank, where calls wait for each other; it may communicate. What
        it raises, the future raises.

        inline: it runs where its message arrives, at once, and must not wait: reaching memory of
        other machines, locks, collective functions raise BadArgument.
        Cost: a message each way, and pickling.
        """
        self._member(rank)
        if inline:
            return self._calls.start_inline(rank, function, args, kwargs)
        return self._calls.start(rank, function, args, kwargs)
