"""Calls of Python functions on other ranks."""

import pickle
import threading
from concurrent.futures import Future

import cloudpickle

from far import _far
from far._far import BadArgument, Error

_CALL = 0
_DONE = 1
_FAILED = 2


class Calls:
    """A rank's end: a thread that runs what other ranks ask for, and takes their answers."""

    def __init__(self, native):
        self._native = native
        self._waiting = {}
        self._next = 0
        self._lock = threading.Lock()
        self._entered = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="far calls", daemon=True)
        self._thread.start()
        self._entered.wait()

    def start(self, rank, function, args, kwargs):
        try:
            text = cloudpickle.dumps((function, args, kwargs))
        except Exception as failure:
            raise BadArgument(f"this call cannot be sent: {failure}") from failure
        future = Future()
        with self._lock:
            number = self._next
            self._next += 1
            self._waiting[number] = future
        future.set_running_or_notify_cancel()
        self._send(rank, _CALL, number, text)
        return future

    def close(self, failure=None):
        """Answers nothing more; what has no answer fails."""
        _far.close_mail(self._native)
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(failure or _far.JobEnded("the job has ended"))
        self._waiting.clear()

    def _send(self, rank, kind, number, text):
        _far.send(self._native, rank, pickle.dumps((kind, number)) + text)

    def _serve(self):
        _far.enter_thread(self._native)
        self._entered.set()
        try:
            while (message := _far.receive(self._native)) is not None:
                self._handle(*message)
        except Error as failure:  # the job has failed or ended, which the main thread says
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(failure)

    def _handle(self, rank, message):
        kind, number = pickle.loads(message)
        # A pickle ends where the next begins.
        text = message[len(pickle.dumps((kind, number))) :]
        if kind == _CALL:
            self._run(rank, number, text)
            return
        with self._lock:
            future = self._waiting.pop(number, None)
        if future is None:
            return
        try:
            value = pickle.loads(text)
        except Exception as failure:  # noqa: BLE001 - whatever unpickling raises
            future.set_exception(failure)
            return
        if kind == _DONE:
            future.set_result(value)
        else:
            future.set_exception(value)

    def _run(self, rank, number, text):
        try:
            function, args, kwargs = pickle.loads(text)
            answer = cloudpickle.dumps(function(*args, **kwargs))
            kind = _DONE
        except BaseException as failure:  # noqa: BLE001 - it belongs to the caller
            kind = _FAILED
            try:
                answer = cloudpickle.dumps(failure)
            except Exception:  # noqa: BLE001
                answer = pickle.dumps(Error(f"{type(failure).__name__}: {failure}"))
        self._send(rank, kind, number, answer)
