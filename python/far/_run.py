"""Starting ranks, and how they end."""

from __future__ import annotations

import atexit
import os
import sys
from typing import TYPE_CHECKING, TypeVar, overload

from far import _far
from far._far import BadArgument, Error, RankFailed
from far._world import World

if TYPE_CHECKING:
    from collections.abc import Callable

R = TypeVar("R")

_job = None  # this process's World, from init to leaving


def init() -> World:
    """Joins the job that a launcher started this process for, or makes one of one rank.

    For scripts and notebooks; a script that is a function calls `run`. Collective. The job ends
    with the process, or with the next call of `far.run`. An exception that nothing catches ends
    all ranks, with status 1.
    """
    global _job
    if _job is None or _job._native.ended:
        if _far.ranks_to_hold():
            raise BadArgument(
                "this process holds all ranks (far sim, far run --threads): use far.run(main)"
            )
        _job = _join()
        _end_with_process()
    return _job


@overload
def run(main: Callable[[World], R], ranks: None = None) -> R: ...


@overload
def run(main: Callable[[World], R], ranks: int) -> list[R]: ...


def run(main, ranks=None):
    """Runs main(world) on every rank. Returns what main has returned at this one.

    Started by `far run -n 4 python script.py`, by mpirun, srun or `far sim`, this process is one of
    the ranks, or all of them; started alone, it is a job of one.

    ranks: starts so many processes on this machine instead, from anywhere, and returns the list of
    their results. main and what it refers to, and the results, are pickled (cloudpickle).

    What main raises at any rank is printed, ends all ranks, and the process with status 1; with
    `ranks`, it raises RankFailed, whose cause is the exception.
    """
    if ranks is not None and not _far.in_job():
        return _start(main, ranks)
    if ranks is not None:
        raise BadArgument(f"run(ranks={ranks}) in a job that a launcher has started: leave it out")
    if _far.ranks_to_hold():
        return _run_all(main)
    if _job is not None:
        return _guarded(main, init())
    return _guarded(main, _join(), leaves=True)


def _join():
    return _in_job(_far.join())


def _in_job(native):
    world = World(native)
    if world.size > 1:
        from far._calls import Calls

        world._calls = Calls(world._native)
    else:
        world._calls = _OwnCalls()
    return world


class _OwnCalls:
    """The calls of a job of one rank."""

    def start(self, rank, function, args, kwargs):
        from far._calls import Future

        future = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as failure:  # noqa: BLE001 - the future raises it
            future.set_exception(failure)
        return future

    start_inline = start

    def close(self, failure=None):
        pass


def _guarded(main, world, leaves=False):
    try:
        result = main(world)
    except SystemExit as ending:
        if ending.code not in (None, 0):
            _fail(world, ending)
        raise
    except BaseException as failure:
        _fail(world, failure)
        raise SystemExit(130 if isinstance(failure, KeyboardInterrupt) else 1) from None
    if leaves:
        _leave(world)
    return result


def _leave(world):
    if world._native.ended:
        return
    world._native.quiesce()  # all calls have been sent, and answered
    world._calls.close()
    world._native._leave()


def _report(rank, failure):
    """Prints a traceback with the rank's number before each line."""
    import traceback

    sys.stdout.flush()
    text = "".join(traceback.format_exception(failure))
    sys.stderr.write("".join(f"rank {rank}: {line}\n" for line in text.splitlines()))
    sys.stderr.flush()


def one_line(failure):
    if isinstance(failure, KeyboardInterrupt):
        return "interrupted"
    text = str(failure).splitlines()
    return f"{type(failure).__name__}: {text[0]}" if text else type(failure).__name__


def _fail(world, failure):
    """Says what has failed, once, and ends the other ranks."""
    if world._native.ended:
        return
    # Of a rank that another one's end has stopped, and of Ctrl-C, a traceback would say nothing.
    if not isinstance(failure, (RankFailed, KeyboardInterrupt, SystemExit)):
        _report(world.rank, failure)
    world._native._fail(one_line(failure))
    world._calls.close(failure if isinstance(failure, Error) else None)


def _end_with_process():
    def at_exit():
        if _job is not None and not _job._native.ended:
            _leave(_job)

    before = sys.excepthook

    def on_exception(kind, failure, trace):
        if _job is None or _job._native.ended:
            before(kind, failure, trace)
            return
        _fail(_job, failure.with_traceback(trace))
        # Python's own status for an exception is 1.

    atexit.register(at_exit)
    sys.excepthook = on_exception


# -- ranks that share this process -----------------------------------------------------------------


def _run_all(main):
    if os.environ.get("FAR_SIM_RANKS") and sys.version_info < (3, 12):
        raise SystemExit("far: simulations of Python ranks need Python 3.12 or later")
    # Python's frames are larger than those of C++ programs.
    os.environ.setdefault("FAR_SIM_STACK", "1M")
    result = None

    def one(native):
        nonlocal result
        world = _in_job(native)
        mine = main(world)
        if world.rank == 0:
            result = mine

    def failed(native, failure):
        if not isinstance(failure, RankFailed):
            _report(native.rank, failure)
        return one_line(failure)

    _far.run_all(one, failed)
    return result


# -- ranks that are started from here. What only this needs is imported here, as importing the
# package should cost little.


def launcher():
    """The path of the command `far` that belongs to this package."""
    own = os.path.join(os.path.dirname(__file__), "bin", "far")
    return own if os.path.exists(own) else "far"


def _start(main, ranks):
    if not isinstance(ranks, int) or ranks < 1:
        raise BadArgument(f"run(ranks={ranks!r}): a number of ranks, 1 or more")
    import pickle
    import tempfile

    import cloudpickle

    with tempfile.TemporaryDirectory(prefix="far-run-") as folder:
        try:
            text = cloudpickle.dumps(main)
        except Exception as failure:
            raise BadArgument(f"the function cannot be sent to ranks: {failure}") from failure
        with open(os.path.join(folder, "main"), "wb") as file:
            # First where its modules are found, without which the rest cannot be read.
            pickle.dump(sys.path, file)
            file.write(text)
        command = [launcher(), "run", "-n", str(ranks), sys.executable, "-m", "far._worker", folder]
        status = _show(command)
        results = [_read(folder, f"result.{rank}") for rank in range(ranks)]
        for rank in range(ranks):
            failure = _read(folder, f"failure.{rank}")
            if failure is not None and not isinstance(failure[0], RankFailed):
                raised = RankFailed(f"rank {rank} failed: {one_line(failure[0])}")
                raised.rank = rank
                raise raised from failure[0]
        if status or any(result is None for result in results):
            raised = RankFailed(f"the ranks have ended with status {status}")
            raised.rank = -1
            raise raised
        return [result[0] for result in results]


def _read(folder, name):
    import pickle

    try:
        with open(os.path.join(folder, name), "rb") as file:
            return pickle.load(file)
    except FileNotFoundError:
        return None


def _show(command):
    """Runs the command, shows its output where this process prints, and returns its status."""
    import subprocess

    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
    ) as process:
        try:
            for line in process.stdout:
                sys.stdout.write(line.decode(errors="replace"))
                sys.stdout.flush()
            return process.wait()
        except KeyboardInterrupt:
            process.terminate()
            process.wait()
            raise
