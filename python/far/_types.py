"""Element types, and values as elements."""

import numpy as np

from far._far import BadArgument


def element_type(dtype):
    """The NumPy type, if its values mean the same on every rank."""
    made = np.dtype(dtype)
    if made.hasobject:
        raise BadArgument(
            f"elements of type {made} are references, which mean nothing on another rank; "
            "send objects by pickle: broadcast_object, Queue(world, max_bytes=...)"
        )
    if made.itemsize == 0:
        raise BadArgument(f"elements of type {made} have no bytes; give it a length, as in 'S8'")
    return made


def code_of(dtype):
    """A number's code, as 'f8'; '' for all other types."""
    if not dtype.isnative or dtype.kind not in "iufb" or dtype.fields is not None:
        return ""
    return f"{dtype.kind}{dtype.itemsize}"


def cast(values, dtype, what):
    """The values as contiguous elements of a type, if none of them loses anything by it."""
    if type(values) is np.ndarray and values.dtype == dtype and values.flags.c_contiguous:
        return values
    if dtype.kind in "iufcb" or isinstance(values, (np.ndarray, np.generic)):
        given = np.asarray(values)
    else:
        given = np.asarray(values, dtype)  # tuples, texts, times: what they are, the type says
    if given.dtype != dtype:
        if given.dtype.kind in "iu" and dtype.kind in "iu":
            # NumPy knows Python's ints as int64 or uint64; what counts is what they are.
            limits = np.iinfo(dtype)
            if given.size and (given.min() < limits.min or given.max() > limits.max):
                raise BadArgument(f"{what}: a value does not fit into {dtype}")
        elif given.size and not np.can_cast(given.dtype, dtype, "same_kind"):
            raise BadArgument(
                f"{what}: values of type {given.dtype} would lose something as {dtype}; "
                f"convert them by astype({str(dtype)!r})"
            )
        given = given.astype(dtype)
    return np.asarray(given, order="C")
