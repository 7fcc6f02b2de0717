"""Calls of Python functions on other ranks."""

import concurrent.futures
import importlib
import pickle
import struct
import sys
import threading
from typing import TypeVar

import cloudpickle

from far import _far
from far._far import BadArgument, Error, JobEnded

_CALL = 0
_DONE = 1
_FAILED = 2
_HEAD = struct.Struct("<BQ")  # which of these, and the number of the call

T = TypeVar("T")


class Future(concurrent.futures.Future[T]):
    """The result of a call, as concurrent.futures has them. It may also be awaited (asyncio)."""

    def __await__(self):
        import asyncio

        return asyncio.wrap_future(self).__await__()


class _FutureOfShared(Future):
    """Where ranks share threads, as in a simulation, one waits as libfar does."""

    def __init__(self, native):
        super().__init__()
        self._native = native

    def result(self, timeout=None):
        self._await(timeout)
        return super().result(0)

    def exception(self, timeout=None):
        self._await(timeout)
        return super().exception(0)

    def _await(self, timeout):
        if timeout is not None:
            raise BadArgument("where ranks share a process, calls are awaited without a timeout")
        while not self.done():
            seen = _far.answers(self._native)
            if not self.done():
                _far.await_answer(self._native, seen)

    def __await__(self):
        return self.result()
        yield  # noqa: B901 - what makes this a generator, as `await` asks


class InlineFuture:
    """The result of a call that runs inline.

    It belongs to the thread that made the call, whose waits bring the answer.
    """

    def __init__(self, native, rank, call):
        self._answer = _far.Answer(native, rank, call)
        self._outcome = None

    def done(self):
        """Whether result() would not wait."""
        return self._outcome is not None or self._answer.is_there()

    def result(self):
        """Waits for the function's result, or raises what it raised."""
        if self._outcome is None:
            answer = self._answer.take()
            self._outcome = answer[0], pickle.loads(memoryview(answer)[1:])
        kind, value = self._outcome
        if kind == _FAILED:
            raise value
        return value

    def __await__(self):
        while not self.done():
            yield
        return self.result()


class Calls:
    """A rank's end of all calls."""

    def __init__(self, native):
        self._native = native
        self._waiting = {}
        self._next = 0
        self._lock = threading.Lock()
        self._thread = None
        _of_rank[native.rank] = self
        if not native.is_shared:
            self._thread = threading.Thread(target=self._serve, name="far calls", daemon=True)
            self._thread.start()
        _far.open_mail(native)

    def start(self, rank, function, args, kwargs):
        text = _call_of(function, args, kwargs)
        future = _FutureOfShared(self._native) if self._native.is_shared else Future()
        with self._lock:
            number = self._next
            self._next += 1
            self._waiting[number] = future
        future.set_running_or_notify_cancel()
        self._send(rank, _CALL, text, number)
        return future

    def start_inline(self, rank, function, args, kwargs):
        return InlineFuture(self._native, rank, _call_of(function, args, kwargs))

    def close(self, failure=None):
        """Answers nothing more; what has no answer fails."""
        if self._thread is not None and threading.current_thread() is not self._thread:
            if not self._native.ended:
                _far.close_mail(self._native)
            self._thread.join(timeout=5)
        self._fail_all(failure or JobEnded("the job has ended"))
        _of_rank.pop(self._native.rank, None)

    def _fail_all(self, failure):
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(failure)
        self._waiting.clear()

    def _serve(self):
        try:
            _far.serve(self._native)
        except Error as failure:  # the job has failed or ended, which the main thread says
            self._fail_all(failure)

    def _send(self, rank, kind, text, number):
        _far.send(self._native, rank, _HEAD.pack(kind, number) + text)

    def handle(self, rank, message):
        kind, number = _HEAD.unpack_from(message)
        text = message[_HEAD.size :]
        if kind == _CALL:
            self._send(rank, *_run(text), number)
            return
        with self._lock:
            future = self._waiting.pop(number, None)
        if future is None:
            return
        try:
            value = pickle.loads(text)
        except Exception as failure:  # noqa: BLE001 - whatever unpickling raises
            kind, value = _FAILED, failure
        if kind == _DONE:
            future.set_result(value)
        else:
            future.set_exception(value)
        if self._native.is_shared:
            _far.answered(self._native)


_of_rank = {}  # the Calls of the ranks in this process


def handle(rank, sender, message):
    """Runs what `sender` has sent to `rank`, which is of this process."""
    _of_rank[rank].handle(sender, message)


def answer_inline(message):
    """Runs a call inside the handler that received it, and returns what to send back."""
    kind, text = _run(message)
    return bytes([kind]) + text


def _call_of(function, args, kwargs):
    if not callable(function):
        raise BadArgument(f"{function!r} cannot be called")
    # pickle does the same for what a module has under its name, but imports the module each time.
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", None)
    if module in sys.modules and vars(sys.modules[module]).get(name) is function:
        function = module, name
    return _written((function, args, kwargs), "this call")


def _run(call):
    """Whether a call was done or has failed, and its result or what it raised, as bytes."""
    try:
        function, args, kwargs = pickle.loads(call)
        if type(function) is tuple:
            module, name = function
            known = sys.modules.get(module) or importlib.import_module(module)
            function = vars(known)[name]
        return _DONE, _written(function(*args, **kwargs), "the result of this call")
    except BaseException as failure:  # noqa: BLE001 - it belongs to the caller
        try:
            return _FAILED, _written(failure, "what this call has raised")
        except BadArgument:
            return _FAILED, pickle.dumps(Error(f"{type(failure).__name__}: {failure}"))


def _written(value, what):
    """As bytes. What its module has under its name travels as that name."""
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - a lambda, a local function
        pass
    try:
        return cloudpickle.dumps(value)
    except Exception as failure:
        raise BadArgument(f"{what} cannot be sent: {failure}") from failure


_far.set_handlers(handle, answer_inline)
