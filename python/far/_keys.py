"""What a key of an array of several dimensions selects."""

import operator

import numpy as np

from far._far import BadArgument, OutOfBounds


class Section:
    """A key of integers, slices and `...`.

    bounds: the first index, the number of elements and the step, each for all dimensions. Steps are
    positive, so what moves is `ordered` afterwards, or before.
    """

    def __init__(self, key, shape):
        first, count, step, shown, flips = [], [], [], [], []
        for one, extent in zip(_completed(key, len(shape)), shape):
            if isinstance(one, slice):
                start, stop, stride = one.indices(extent)
                n = len(range(start, stop, stride))
                shown.append(n)
                flips.append(slice(None, None, -1 if stride < 0 else 1))
            else:
                start, stride, n = _index_in(one, extent), 1, 1
            if stride < 0:
                start, stride = start + (n - 1) * stride, -stride
            first.append(start)
            count.append(n)
            step.append(stride if n > 1 else 1)
        self.first = first
        self.bounds = first, count, step
        self.moved_shape = count
        self.result_shape = tuple(shown)
        self._flips = tuple(flips) if any(flip.step < 0 for flip in flips) else None

    def ordered(self, values):
        return values if self._flips is None else np.ascontiguousarray(values[self._flips])


class Points:
    """A key with arrays of integers, or masks, in any of its dimensions, as NumPy takes them.

    Elements that are adjacent in the last dimension move together: `length` of them from each of
    `starts`, an array of int64 with the indices of one start after the other.
    """

    def __init__(self, key, shape):
        key = _completed([_checked(one) for one in key], len(shape))
        last = key[-1]
        self.length = 1
        is_run = isinstance(last, slice) and last.indices(shape[-1])[2] == 1
        if is_run:
            begin, end, _ = last.indices(shape[-1])
            self.length = max(end - begin, 0)
            key, shape = key[:-1], shape[:-1]
        starts = []
        for axis, extent in enumerate(shape):
            along = np.arange(extent).reshape([-1 if k == axis else 1 for k in range(len(shape))])
            try:
                starts.append(np.broadcast_to(along, shape)[tuple(key)])
            except IndexError as failure:
                raise OutOfBounds(str(failure)) from None
        points = starts[0].shape
        if is_run:
            starts.append(np.full(points, begin))
        self.starts = np.ascontiguousarray(np.stack(starts, axis=-1), np.int64).reshape(-1)
        self.moved_shape = self.result_shape = (*points, self.length) if is_run else points

    def ordered(self, values):
        return values


def spread(given, shape):
    """The values as elements of a shape, in memory one after the other."""
    if given.shape == shape:
        return given
    if given.ndim == 0:  # several times as fast as what follows
        made = np.empty(shape, given.dtype)
        made[...] = given
        return made
    try:
        return np.asarray(np.broadcast_to(given, shape), order="C")
    except ValueError:
        raise BadArgument(f"values of shape {given.shape} for elements of shape {shape}") from None


def _completed(key, dimensions):
    """The key with a slice for each dimension that it leaves out."""
    rest = [k for k, one in enumerate(key) if one is Ellipsis]
    if len(rest) > 1:
        raise BadArgument("an index has one ... at most")
    used = sum(
        one.ndim if isinstance(one, np.ndarray) and one.dtype == bool else 1
        for one in key if one is not Ellipsis
    )
    if used > dimensions:
        raise OutOfBounds(f"{used} indices of an array of {dimensions} dimensions")
    at = rest[0] if rest else len(key)
    return [*key[:at], *[slice(None)] * (dimensions - used), *key[at + len(rest):]]


def _index_in(given, extent):
    i = operator.index(given)
    at = i + extent if i < 0 else i
    if not 0 <= at < extent:
        raise OutOfBounds(f"index {i} of a dimension of {extent} elements")
    return at


def _checked(one):
    """One part of a key, with lists as arrays."""
    if one is Ellipsis or isinstance(one, slice):
        return one
    if hasattr(one, "__index__") and not isinstance(one, (bool, np.ndarray)):
        return operator.index(one)
    given = None if one is None else np.asarray(one)
    if given is not None and given.size == 0 and given.dtype != bool:
        return given.astype(np.int64)
    if given is None or given.dtype.kind not in "iub" or given.shape == () and given.dtype == bool:
        raise BadArgument("an index is an integer, a slice, ..., or an array of integers or bools")
    return given
