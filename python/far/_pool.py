"""Ranks that stay, for notebooks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any, Self

from far._far import BadArgument, JobEnded, RankFailed
from far._run import launcher, one_line

_SECONDS_FOR_THE_OTHERS = 1.0


class Pool:
    """Ranks on this machine that run functions one after the other, and keep what they have made.

        pool = far.Pool(4)

        @pool.run
        def sizes(world):
            world.kept["counts"] = far.HashMap(world)
            return world.size

        pool.run(lambda world: world.kept["counts"].size())   # a list of four results

    `world.kept` is a dict of each rank's own. Functions, arguments and results are pickled
    (cloudpickle). What ranks print appears here.

    If a function raises, run raises RankFailed, whose cause is the exception. The ranks stay if all
    have come to an end; if others wait for the one that raised, they end, and the pool with them;
    so it does at an interrupt.
    Cost: about a second to start; a call some 100 us and what it pickles.
    """

    def __init__(self, ranks: int) -> None:
        if not isinstance(ranks, int) or ranks < 1:
            raise BadArgument(f"Pool({ranks!r}): a number of ranks, 1 or more")
        self._folder = tempfile.TemporaryDirectory(prefix="far-pool-")
        path = os.path.join(self._folder.name, "ranks")
        self._lines: list[Connection] = []
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path)
            door.listen(ranks)
            door.settimeout(0.1)
            command = [launcher(), "run", "-n", str(ranks)]
            self._job = subprocess.Popen(
                [*command, sys.executable, "-m", "far._pool_rank", path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # an interrupt is for this process, which tells them
            )
            self._printer = threading.Thread(target=self._print, daemon=True)
            self._printer.start()
            lines = {}
            while len(lines) < ranks:
                try:
                    line = Connection(door.accept()[0].detach())
                except TimeoutError:
                    if self._job.poll() is not None:
                        self.close()
                        raise self._failed(-1, "the ranks have not started") from None
                    continue
                lines[line.recv()] = line
        self._lines = [lines[rank] for rank in range(ranks)]

    def __repr__(self) -> str:
        state = f"{len(self._lines)} ranks" if self._lines else "ended"
        return f"<far.Pool: {state}>"

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Calls function(world, *args, **kwargs) on all ranks. Returns the list of results."""
        import pickle

        import cloudpickle

        if not self._lines:
            raise JobEnded("the ranks of this pool have ended")
        try:
            call = cloudpickle.dumps((function, args, kwargs))
        except Exception as failure:
            raise BadArgument(f"the function cannot be sent to ranks: {failure}") from failure
        try:
            # First where its modules are found, without which the rest cannot be read.
            message = pickle.dumps((sys.path, call))
            for line in self._lines:
                line.send_bytes(message)
            return self._results()
        except (OSError, EOFError):
            self._end()
            raise self._failed(-1, "the ranks have ended") from None
        except KeyboardInterrupt:
            self._end()
            raise

    def _results(self):
        import pickle

        results, failures = {}, {}
        deadline = None
        while len(results) + len(failures) < len(self._lines):
            missing = {
                line: rank
                for rank, line in enumerate(self._lines)
                if rank not in results and rank not in failures
            }
            left = None if deadline is None else max(deadline - time.monotonic(), 0)
            ready = wait(list(missing), left)
            for line in ready:
                is_done, value = pickle.loads(line.recv_bytes())
                (results if is_done else failures)[missing[line]] = value
            if failures and deadline is None:
                deadline = time.monotonic() + _SECONDS_FOR_THE_OTHERS
            if not ready:
                self._end()
                break
        for rank, failure in sorted(failures.items()):
            raise self._failed(rank, f"rank {rank} failed: {one_line(failure)}") from failure
        return [results[rank] for rank in range(len(self._lines))]

    @staticmethod
    def _failed(rank, what):
        made = RankFailed(what)
        made.rank = rank
        return made

    def _print(self):
        for line in self._job.stdout:
            sys.stdout.write(line.decode(errors="replace"))
            sys.stdout.flush()

    def _end(self):
        """Ends ranks that may wait for ever."""
        self._job.terminate()
        self.close()

    def close(self) -> None:
        """Ends the ranks, when they have come to the end of what they run."""
        for line in self._lines:
            line.close()
        self._lines = []
        self._job.wait()
        self._printer.join()
        self._job.stdout.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
