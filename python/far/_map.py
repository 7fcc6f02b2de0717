"""Distributed hash maps."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from far import _far
from far._far import BadArgument
from far._show import Shown
from far._types import cast

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from numpy.typing import ArrayLike, DTypeLike

    from far._world import World

_WORD = "word"
_DOUBLE = "double"
_TEXT = "text"
_BYTES = "bytes"


class _Kind:
    """How keys or values of a type travel: as words, doubles or bytes."""

    def __init__(self, given, may_be_double):
        if given is str or given is bytes:
            self.form = _TEXT if given is str else _BYTES
            self.dtype = None
            return
        self.dtype = np.dtype(given)
        if self.dtype.kind in "iub" and self.dtype.itemsize <= 8:
            self.form = _WORD
        elif self.dtype.kind == "f" and self.dtype.itemsize <= 8 and may_be_double:
            self.form = _DOUBLE
        else:
            raise BadArgument(
                f"a map of {self.dtype}: keys are integers, str or bytes; values also floats"
            )

        signed = np.int64 if self.is_signed else np.uint64
        self.wide = np.dtype(np.float64 if self.form == _DOUBLE else signed)
        if self.form == _WORD:
            self.limits = (0, 1) if self.dtype.kind == "b" else _limits(self.dtype)

    @property
    def name(self):
        return {_WORD: "Word", _DOUBLE: "Double"}.get(self.form, "Bytes")

    @property
    def code(self):
        """What the compiled map calls the type."""
        return self.form if self.dtype is None else f"{self.dtype.kind}{self.dtype.itemsize}"

    @property
    def is_signed(self):
        return self.form == _WORD and self.dtype.kind == "i"

    def inward(self, value, what):
        """One value, as the compiled map takes it."""
        if self.form == _TEXT:
            if not isinstance(value, str):
                raise BadArgument(f"{what}: a str, not {type(value).__name__}")
            return value.encode("utf-8", "surrogatepass")
        if self.form == _BYTES:
            if not isinstance(value, bytes):
                raise BadArgument(f"{what}: bytes, not {type(value).__name__}")
            return value
        if self.form == _DOUBLE:
            return float(cast(value, np.dtype(float), what))
        if type(value) is not int:
            value = int(cast(value, self.dtype, what))
        if not self.limits[0] <= value <= self.limits[1]:
            raise BadArgument(f"{what}: {value} does not fit into {self.dtype}")
        return value & 0xFFFF_FFFF_FFFF_FFFF

    def all_inward(self, values, what):
        """Values as the compiled map takes them: an array of 8-byte numbers, or a list of bytes."""
        if self.dtype is None:
            return [self.inward(one, what) for one in values]
        return cast(values, self.dtype, what).reshape(-1).astype(self.wide, copy=False)

    def as_wide(self, values):
        """What the compiled map gives: it knows words as unsigned."""
        return values.view(self.wide) if self.form == _WORD else values

    def all_outward(self, values):
        """The reverse."""
        if self.form == _TEXT:
            return [one.decode("utf-8", "surrogatepass") for one in values]
        return values if self.form == _BYTES else values.astype(self.dtype, copy=False)


def _limits(dtype):
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


class HashMap(Shown):
    """Collective: a map whose keys are distributed over the ranks by their hash.

    key: an integer type, str or bytes. value: an integer or float type, str or bytes.
    capacity: 0 makes a map that grows, each rank's part in its own memory; else the map has room
    for so many keys (integers to numbers only) in shared memory, which other ranks of the machine
    reach without a message.

    `m[k]`, `m[k] = v`, `k in m`, `del m[k]` and `get` are for one key; functions of many keys send
    one message to each rank. There is no len(): `size()` is collective.
    Cost: on another machine a message each way, or for a batch one to each rank.
    Errors: KeyError, BadArgument (a ValueError), OutOfMemory, JobEnded.
    """

    if TYPE_CHECKING:  # what the compiled classes have

        def __getitem__(self, key: Any) -> Any: ...
        def __setitem__(self, key: Any, value: Any) -> None: ...
        def __delitem__(self, key: Any) -> None: ...
        def __contains__(self, key: Any) -> bool: ...
        def get(self, key: Any, default: Any = None) -> Any: ...
        def insert(self, key: Any, value: Any) -> bool: ...

    def __new__(
        cls,
        world: World,
        key: DTypeLike = np.int64,
        value: DTypeLike = np.int64,
        capacity: int = 0,
    ) -> Self:
        key, value = _Kind(key, may_be_double=False), _Kind(value, may_be_double=True)
        # The compiled class goes by what keys and values travel as.
        made = _classes[key.name + value.name]
        self = super(HashMap, made).__new__(made)
        self._key, self._value = key, value
        return self

    def __init__(
        self,
        world: World,
        key: DTypeLike = np.int64,
        value: DTypeLike = np.int64,
        capacity: int = 0,
    ) -> None:
        self._world = world
        super().__init__(world._native, capacity, self._key.code, self._value.code)
        self._nothing = b"" if self._value.dtype is None else 0

    def _facts(self):
        names = [k.form if k.dtype is None else str(k.dtype) for k in (self._key, self._value)]
        return {"keys": names[0], "values": names[1], "ranks": self._world.size}

    def _key_in(self, key):
        return self._key.inward(key, "a key")

    def _value_in(self, value):
        return self._value.inward(value, "a value")

    def __iter__(self) -> NoReturn:
        raise TypeError("a map is read by its ranks: local_items()")

    # -- phases ------------------------------------------------------------------------------------

    def reading(self) -> AbstractContextManager[Self]:
        """Collective, as is its end: `with m.reading():` ranks only look up keys, or do nothing
        with the map. Cost: a lookup is one read; begin and end are a barrier each."""
        return self._phase(True)

    def writing(self) -> AbstractContextManager[Self]:
        """The same for changes: no rank looks up keys. Cost: one-sided changes need fewer steps than
        outside of phases; begin and end are a barrier each."""
        return self._phase(False)

    @contextmanager
    def _phase(self, reads):
        self._begin_phase(reads)
        try:
            yield self
        except BaseException:
            self._end_phase(True)
            raise
        self._end_phase(False)

    # -- many keys ---------------------------------------------------------------------------------

    def get_many(self, keys: ArrayLike, default: Any = 0) -> Any:
        """The values of the keys, in the same order; `default` for keys that are not in the map.

        An array, or a list where values are str or bytes.
        """
        if self._value.dtype is None and default == 0:
            default = "" if self._value.form == _TEXT else b""
        return self._found(keys, self._value.inward(default, "the default"))[0]

    def contains_many(self, keys: ArrayLike) -> np.ndarray:
        """An array of bool: which of the keys are there."""
        return self._found(keys, self._nothing)[1]

    def _found(self, keys, missing):
        keys = self._key.all_inward(keys, "a key")
        there = np.empty(len(keys), bool)
        if self._value.dtype is None:
            values = self._find_many(keys, missing, None, there)
        else:
            values = np.empty(len(keys), self._value.wide)
            self._find_many(keys, missing, values, there)
        return self._value.all_outward(values), there

    def put_many(self, keys: ArrayLike, values: ArrayLike) -> None:
        """Sets the values of the keys."""
        keys = self._key.all_inward(keys, "a key")
        values = self._value.all_inward(values, "a value")
        if len(keys) != len(values):
            raise BadArgument(f"{len(keys)} keys, but {len(values)} values")
        self._assign_many(keys, values)

    def put_items(self, items: Any) -> None:
        """Sets the items of a dict, or of a pandas Series, whose index has the keys."""
        values = items.values
        if callable(values):  # a dict's
            self.put_many(list(items), list(values()))
        else:
            self.put_many(items.index.to_numpy(), values)

    def erase_many(self, keys: ArrayLike) -> None:
        """Removes the keys that are there."""
        self._erase_many(self._key.all_inward(keys, "a key"))

    def add(self, keys: ArrayLike, values: ArrayLike) -> None:
        """Adds to the values of the keys; a new key gets the value itself.

        keys, values: one, or as many as there are keys. Keys may occur several times.
        """
        self.update(keys, values, "sum")

    def update(self, keys: ArrayLike, values: ArrayLike, op: str = "sum") -> None:
        """The same for "sum", "prod", "min", "max", and for integers "and", "or", "xor"."""
        if self._value.dtype is None and op != "sum":
            raise BadArgument(f"'{op}' of text or bytes: they can only be appended, by 'sum'")
        if self._value.form == _DOUBLE and op in ("and", "or", "xor"):
            raise BadArgument(f"'{op}' of floats: they have no bits to combine")
        if _is_one(keys):
            keys = [keys]
        keys = self._key.all_inward(keys, "a key")
        if _is_one(values):
            self._update_all(keys, self._value.inward(values, "a value"), op)
            return
        values = self._value.all_inward(values, "a value")
        if len(keys) != len(values):
            raise BadArgument(f"{len(keys)} keys, but {len(values)} values")
        self._update_many(keys, values, op)

    # -- this rank's part, and all of it -----------------------------------------------------------

    def local_items(self) -> tuple[Any, Any]:
        """The keys and the values at this rank: two arrays, or lists, in the same order."""
        both = zip((self._key, self._value), self._local_items())
        return tuple(kind.all_outward(kind.as_wide(values)) for kind, values in both)

    def local_size(self) -> int:
        return self._local_size()

    def size(self) -> int:
        """Collective: the number of keys of all ranks."""
        return self._size()

    def clear(self) -> None:
        """Collective: removes all keys."""
        self._clear()

    def to_dict(self) -> dict[Any, Any]:
        """Collective: a dict of all keys, on every rank. For maps that fit a rank."""
        self._world.barrier()
        keys, values = self.local_items()
        if self._key.dtype is not None:
            keys = keys.tolist()
        if self._value.dtype is not None:
            values = values.tolist()
        result = {}
        for part in self._world.allgather_object(dict(zip(keys, values))):
            result.update(part)
        return result

    def to_series(self) -> Any:
        """Collective: the same as a pandas Series, whose index has the keys."""
        import pandas

        items = self.to_dict()
        index = pandas.Index(list(items), dtype=self._key.dtype)
        return pandas.Series(list(items.values()), index=index, dtype=self._value.dtype)

    def explain(self) -> str:
        """A table: what each way costs this rank, one-sided and by calls, and how often it was
        chosen."""
        return self._explain()

    def free(self) -> None:
        """Collective: frees the memory."""
        self._free()
        self._world._native._collect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.free()


def _is_one(values):
    if type(values) in (int, float, str, bytes):
        return True
    return values.ndim == 0 if type(values) is np.ndarray else np.ndim(values) == 0


# HashMap's classes, by what keys and values travel as.
_classes = {
    name: type("HashMap", (HashMap, getattr(_far, f"Map{name}")), {"__module__": "far"})
    for name in ("WordWord", "WordDouble", "WordBytes", "BytesWord", "BytesDouble", "BytesBytes")
}
