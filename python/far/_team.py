"""The collective functions, of the world and of its teams."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np

from far._far import BadArgument, OutOfBounds
from far._types import cast, code_of, element_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from far import _far


class Collectives:
    """Functions that all members call, in the same order.

    Those of arrays take what `numpy.asarray` takes, with the same shape and type on every member
    unless they say otherwise, and do not pickle. Those that end in `_object` take any objects.
    Cost: up to ceil(log2 size) messages one after the other; large lists twice their bytes.
    Errors: BadArgument, RankFailed.
    """

    def __init__(self, team: _far.Team) -> None:
        self._team = team

    @property
    def rank(self) -> int:
        """This rank's number in the team, or in the world: 0 to size - 1."""
        return self._team.rank

    @property
    def size(self) -> int:
        """The number of members, or ranks."""
        return self._team.size

    def barrier(self) -> None:
        """Returns when all members have called it, and sees what they wrote before."""
        self._team.barrier()

    def split(self, color: int | None, key: int = 0) -> Team | None:
        """A team of the members that give the same color, in the order of their keys.

        color: 0 or more, or None, which joins no team and returns None.
        """
        if color is not None and color < 0:
            raise BadArgument(f"color {color} of a team: 0 or more, or None")
        made = self._team.split(-1 if color is None else int(color), int(key))
        return None if made is None else Team(made)

    # -- of arrays ---------------------------------------------------------------------------------

    def allreduce(self, values: ArrayLike, op: str = "sum") -> Any:
        """Combines the members' values element by element; all members get the result.

        op: "sum", "prod", "min", "max", and for integers "and", "or", "xor". Sums are the same on
        every run: the order depends only on the number of members.
        """
        return self._combined(self._team.allreduce, values, op)

    def reduce(self, values: ArrayLike, op: str = "sum", root: int = 0) -> Any:
        """The same, but only `root` gets the result; others get None."""
        result = self._combined(self._team.reduce, values, op, self._member(root))
        return result if self.rank == root else None

    def scan(self, values: ArrayLike, op: str = "sum") -> Any:
        """The combination of the values of member 0 to this one."""
        return self._combined(self._team.scan, values, op)

    def exclusive_scan(self, values: ArrayLike, op: str = "sum", initial: Any = 0) -> Any:
        """The combination of `initial` and the values of the members before this one."""
        given = np.asarray(values)
        first = np.array(cast(initial, given.dtype, "initial"), ndmin=1)

        def scan(result, code, op):
            self._team.exclusive_scan(result, first, code, op)

        return self._combined(scan, given, op)

    def _combined(self, function, values, op, *more):
        given = np.asarray(values)
        result = np.array(given, dtype=element_type(given.dtype), order="C", ndmin=1)
        if given.size:
            function(result, code_of(result.dtype), op, *more)
        return result[0].item() if given.ndim == 0 else result.reshape(given.shape)

    def broadcast(self, values: ArrayLike, root: int = 0) -> Any:
        """`root`'s values on all members. All give arrays of the same shape and type."""
        given = np.asarray(values)
        result = np.array(given, dtype=element_type(given.dtype), order="C", ndmin=1)
        self._team.broadcast(result, self._member(root))
        return result[0].item() if given.ndim == 0 else result.reshape(given.shape)

    def gather(self, values: ArrayLike, root: int = 0) -> np.ndarray | None:
        """At `root` an array of the members' values, with the member as its first index."""
        given = _contiguous(values)
        is_root = self.rank == self._member(root)
        result = np.empty((self.size if is_root else 0, *given.shape), given.dtype)
        self._team.gather(given, result, root)
        return result if is_root else None

    def allgather(self, values: ArrayLike) -> np.ndarray:
        """The same on all members."""
        given = _contiguous(values)
        result = np.empty((self.size, *given.shape), given.dtype)
        self._team.allgather(given, result)
        return result

    def allgatherv(self, values: ArrayLike) -> list[np.ndarray]:
        """A list of the members' arrays: of one dimension, and of any lengths."""
        given = _of_one_dimension(values, "allgatherv")
        return [
            np.frombuffer(one, given.dtype) for one in self._team.allgather_any(given.tobytes())
        ]

    def alltoall(self, values: ArrayLike) -> np.ndarray:
        """Element m of `values` goes to member m. Returns what the members sent to this one."""
        given = _contiguous(values)
        if given.ndim == 0 or len(given) != self.size:
            raise BadArgument(
                f"alltoall of shape {given.shape}: one element for each of {self.size} "
                "members"
            )
        result = np.empty_like(given)
        self._team.alltoall(given, result)
        return result

    def alltoallv(self, parts: Sequence[ArrayLike]) -> list[np.ndarray]:
        """Array m of `parts` goes to member m. Returns a list of what each sent to this one.

        The arrays have one dimension and the same type everywhere, and any lengths.
        """
        if len(parts) != self.size:
            raise BadArgument(
                f"alltoallv of {len(parts)} arrays: one for each of {self.size} members"
            )
        given = [_of_one_dimension(part, "alltoallv") for part in parts]
        if any(part.dtype != given[0].dtype for part in given):
            raise BadArgument("alltoallv of arrays of different types")
        lengths = np.array([part.nbytes for part in given], np.uint64)
        got = self._team.alltoall_any(b"".join(part.tobytes() for part in given), lengths)
        return [np.frombuffer(one, given[0].dtype) for one in got]

    # -- of objects --------------------------------------------------------------------------------

    def broadcast_object(self, value: Any = None, root: int = 0) -> Any:
        """`root`'s object on all members."""
        is_root = self.rank == self._member(root)
        result = self._team.broadcast_any(_pickled(value) if is_root else b"", root)
        return value if is_root else pickle.loads(result)

    def allgather_object(self, value: Any) -> list[Any]:
        """A list of the members' objects."""
        return [pickle.loads(one) for one in self._team.allgather_any(_pickled(value))]

    def gather_object(self, value: Any, root: int = 0) -> list[Any] | None:
        """The same at `root`; None elsewhere."""
        is_root = self.rank == self._member(root)
        everything = self.allgather_object(value)
        return everything if is_root else None

    def alltoall_object(self, values: Sequence[Any]) -> list[Any]:
        """values[m] goes to member m. Returns a list of what each sent to this one."""
        if len(values) != self.size:
            raise BadArgument(
                f"alltoall_object of {len(values)} objects: one for each of {self.size} "
                "members"
            )
        given = [_pickled(value) for value in values]
        lengths = np.array([len(one) for one in given], np.uint64)
        return [pickle.loads(one) for one in self._team.alltoall_any(b"".join(given), lengths)]

    def _member(self, number):
        if not 0 <= number < self.size:
            raise OutOfBounds(f"rank {number} of {self.size}")
        return int(number)


class Team(Collectives):
    """Some ranks of the job, renumbered from 0. `split` of the world or of a team makes them.

    Dropping it does not communicate.
    """

    def __repr__(self) -> str:
        return f"<far.Team: member {self.rank} of {self.size}>"

    def world_rank(self, member: int) -> int:
        """The number in the world of a member."""
        return self._team.world_rank(member)


def _contiguous(values):
    given = np.asarray(values, order="C")
    element_type(given.dtype)
    return given


def _of_one_dimension(values, what):
    given = _contiguous(values)
    if given.ndim != 1:
        raise BadArgument(f"{what} of shape {given.shape}: arrays of one dimension")
    return given


def _pickled(value):
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception as failure:
        raise BadArgument(f"this object cannot be sent: {failure}") from failure
