"""The world: a rank's view of its job."""

import pickle

import numpy as np

from far import _far
from far._far import BadArgument
from far._types import as_bytes, code_of, element_type


class World:
    """A rank's view of its job. `far.run` and `far.init` make it.

    The collective functions are called by all ranks, in the same order. Those of arrays take what
    `numpy.asarray` takes, with the same shape and type on every rank, and do not pickle. Those
    that end in `_object` take any objects.
    """

    def __init__(self, native):
        self._native = native
        self._calls = None

    def __repr__(self):
        state = "ended" if self._native.ended else "in its job"
        return f"<far.World: rank {self.rank} of {self.size}, {state}>"

    @property
    def rank(self):
        """This rank's number, 0 to size - 1."""
        return self._native.rank

    @property
    def size(self):
        """The number of ranks."""
        return self._native.size

    def node_of(self, rank):
        """The number of the machine that holds a rank."""
        return self._native.node_of(rank)

    @property
    def now(self):
        """Seconds since the job started; virtual in a simulation."""
        return self._native.now_ns() * 1e-9

    def compute(self, seconds):
        """Spends time as a computation would. In a simulation the time is virtual."""
        self._native.compute(round(seconds * 1e9))

    def progress(self):
        """Runs what has arrived. Returns whether there was anything."""
        return self._native.progress()

    def barrier(self):
        """Collective: returns when all ranks have called it, and sees what they wrote before."""
        self._native.barrier()

    # -- collective functions of arrays ------------------------------------------------------------

    def allreduce(self, values, op="sum"):
        """Combines the ranks' values element by element; all ranks get the result.

        op: "sum", "prod", "min", "max", and for integers "and", "or", "xor". Sums are the same on
        every run: the order depends only on the number of ranks.
        """
        return self._combined(_far.allreduce, values, op)

    def reduce(self, values, op="sum", root=0):
        """The same, but only `root` gets the result; others get None."""
        result = self._combined(_far.reduce, values, op, root)
        return result if self.rank == root else None

    def scan(self, values, op="sum"):
        """The combination of the values of rank 0 to this one."""
        return self._combined(_far.scan, values, op)

    def _combined(self, function, values, op, *more):
        given = np.asarray(values)
        result = np.array(given, dtype=element_type(given.dtype), order="C", ndmin=1)
        if given.size:
            function(self._native, as_bytes(result), code_of(result.dtype), op, *more)
        return result[0].item() if given.ndim == 0 else result.reshape(given.shape)

    def broadcast(self, values, root=0):
        """`root`'s values on all ranks. All ranks give arrays of the same shape and type."""
        given = np.asarray(values)
        result = np.array(given, dtype=element_type(given.dtype), order="C", ndmin=1)
        _far.broadcast(self._native, as_bytes(result), self._rank_in(root))
        return result[0].item() if given.ndim == 0 else result.reshape(given.shape)

    def allgather(self, values):
        """An array of the ranks' values, with the rank as its first index."""
        given = np.asarray(values, order="C")
        element_type(given.dtype)
        result = np.empty((self.size, *given.shape), given.dtype)
        _far.allgather(self._native, as_bytes(given), as_bytes(result))
        return result

    def alltoall(self, values):
        """Element r of `values` goes to rank r. Returns what the ranks have sent to this one."""
        given = np.asarray(values, order="C")
        element_type(given.dtype)
        if given.ndim == 0 or len(given) != self.size:
            raise BadArgument(f"alltoall of shape {given.shape}: one element for each of "
                              f"{self.size} ranks")
        result = np.empty_like(given)
        _far.alltoall(self._native, as_bytes(given), as_bytes(result))
        return result

    # -- collective functions of objects -----------------------------------------------------------

    def broadcast_object(self, value=None, root=0):
        """`root`'s object on all ranks."""
        root = self._rank_in(root)
        mine = _pickled(value) if self.rank == root else b""
        result = _far.broadcast_any(self._native, mine, root)
        return value if self.rank == root else pickle.loads(result)

    def allgather_object(self, value):
        """A list of the ranks' objects."""
        return [pickle.loads(one) for one in _far.allgather_any(self._native, _pickled(value))]

    def gather_object(self, value, root=0):
        """The same at `root`; None elsewhere."""
        root = self._rank_in(root)
        all_of_them = self.allgather_object(value)
        return all_of_them if self.rank == root else None

    # -- calls -------------------------------------------------------------------------------------

    def rpc(self, rank, function, *args, **kwargs):
        """Calls function(*args, **kwargs) on a rank, and returns a concurrent.futures.Future.

        The function and what it refers to are pickled (cloudpickle). It runs in a thread of its
        own at that rank, where calls wait for each other; it may communicate. What it raises, the
        future raises.
        """
        self._rank_in(rank)
        if self._calls is None:
            raise BadArgument("rpc in a process that holds several ranks (far sim, --threads) is "
                              "not there yet")
        return self._calls.start(rank, function, args, kwargs)

    def _rank_in(self, rank):
        if not 0 <= rank < self.size:
            raise _far.OutOfBounds(f"rank {rank} of {self.size}")
        return int(rank)


def _pickled(value):
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception as failure:
        raise BadArgument(f"this object cannot be sent: {failure}") from failure
