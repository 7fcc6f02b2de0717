"""Calls of Python functions on other ranks, teams, and threads."""

import sys

import pytest

# How ranks run: options of the launcher.
WAYS = [("run",), ("run", "--threads"), ("sim",)]


@pytest.fixture(params=WAYS, ids=["processes", "threads", "sim"])
def way(request):
    if request.param == ("sim",) and sys.version_info < (3, 12):
        pytest.skip("simulations of Python ranks need Python 3.12")
    return request.param


def test_a_call_returns_or_raises(script, ranks, way):
    outcome = script(
        """
        import far

        numbers = {}

        def keep(key, value=1):
            numbers[far_rank()] = numbers.get(far_rank(), 0) + value
            return key * 2

        def far_rank():
            return 0

        def fails(text):
            raise KeyError(text)

        def main(world):
            for inline in (False, True):
                right = (world.rank + 1) % world.size
                assert world.rpc(right, keep, 21, value=3, inline=inline).result() == 42
                offset = 5
                assert world.rpc(right, lambda x: x + offset, 1, inline=inline).result() == 6
                try:
                    world.rpc(right, fails, "no such thing", inline=inline).result()
                    raise AssertionError("it did not raise")
                except KeyError as failure:
                    assert failure.args == ("no such thing",)
                many = [world.rpc(r % world.size, abs, -r, inline=inline) for r in range(20)]
                assert [one.result() for one in many] == list(range(20))
                world.barrier()
            try:
                world.rpc(world.size, abs, 1)
                raise AssertionError("it was not refused")
            except far.OutOfBounds:
                pass
            world.barrier()
            print("good ", end="")

        far.run(main)
        """,
        ranks,
        *way,
    )
    assert outcome.status == 0, outcome.errors
    assert outcome.output.split() == ["good"] * ranks


def test_a_call_may_communicate(script, way):
    outcome = script(
        """
        import far

        def main(world):
            numbers = far.Array(world, world.size, int)
            lock = far.Lock(world)

            def add(rank):
                with lock:
                    numbers[rank] += 1
                return world_sum(numbers)

            def world_sum(numbers):
                return int(numbers[:].sum())

            # Closures cannot be sent if what they close over cannot: the call says so.
            try:
                world.rpc(0, add, 0)
                raise AssertionError("it was sent")
            except far.BadArgument as failure:
                assert "cannot be sent" in str(failure)
            kept[world.rank] = (lock, numbers)
            world.barrier()
            total = world.rpc((world.rank + 1) % world.size, locked_add, (world.rank + 1) % world.size)
            assert total.result() >= 1
            world.barrier()
            if world.rank == 0:
                print(numbers[:].sum())

        kept = {}

        def locked_add(rank):
            lock, numbers = kept[rank]
            with lock:
                numbers[0] = numbers[0] + 1
                return int(numbers[0])

        far.run(main)
        """,
        3,
        *way,
    )
    assert outcome.status == 0, outcome.errors
    assert outcome.output.split() == ["3"]


def test_an_inline_call_must_not_wait(script):
    outcome = script(
        """
        import far

        def meet():
            kept["world"].barrier()

        kept = {}

        def main(world):
            kept["world"] = world
            world.barrier()
            if world.rank == 0:
                try:
                    world.rpc(1, meet, inline=True).result()
                except far.BadArgument as failure:
                    print(failure)
            world.barrier()

        far.run(main)
        """,
        2,
    )
    assert outcome.status == 0, outcome.errors
    assert "must not wait" in outcome.output and len(outcome.lines) == 1


def test_calls_are_awaited(script):
    outcome = script(
        """
        import asyncio
        import far

        def main(world):
            async def ask():
                both = asyncio.gather(*[wait(world.rpc(r, abs, -r)) for r in range(world.size)])
                inline = await world.rpc(1, abs, -7, inline=True)
                return await both, inline

            async def wait(call):
                return await call

            if world.rank == 0:
                print(asyncio.run(ask()))
            world.barrier()

        far.run(main)
        """,
        3,
    )
    assert outcome.status == 0, outcome.errors
    assert outcome.lines == ["([0, 1, 2], 7)"]


def test_a_rank_that_fails_does_not_wait_for_its_calls(script):
    outcome = script(
        """
        import time
        import far

        def take(rank):
            return kept["queue"].pop()  # which stays empty

        kept = {}

        def main(world):
            kept["queue"] = far.Queue(world, 4, int)
            world.barrier()
            if world.rank == 0:
                world.rpc(1, take, 1)
            else:
                time.sleep(0.3)
                raise ValueError("enough")
            world.barrier()

        far.run(main)
        """,
        2,
    )
    assert outcome.status == 1
    assert "rank 1: ValueError: enough" in outcome.errors


def test_threads_communicate_by_themselves(script, way):
    outcome = script(
        """
        import far

        def main(world):
            numbers = far.Array(world, 4, int)
            queue = far.Queue(world, 2, int)

            def work(i):
                if i == 0:
                    for value in range(10):
                        queue.push(value)     # full: waits for the other thread's pops
                elif i == 1:
                    for _ in range(10):
                        numbers.add_at([0], queue.pop())
                else:
                    numbers.add_at([1], 1)

            if world.rank == 1:
                world.threads(3, work)
                try:
                    world.threads(2, lambda i: 1 // i)
                    raise AssertionError("it did not raise")
                except ZeroDivisionError:
                    pass
            world.barrier()
            if world.rank == 0:
                print(numbers[:].tolist())

        far.run(main)
        """,
        2,
        *way,
    )
    assert outcome.status == 0, outcome.errors
    assert outcome.lines == ["[45, 1, 0, 0]"]


def test_teams(script, ranks):
    outcome = script(
        """
        import far
        import numpy as np

        def main(world):
            n, rank = world.size, world.rank
            parity = world.split(rank % 2, key=-rank)
            mine = sorted((r for r in range(n) if r % 2 == rank % 2), reverse=True)
            assert (parity.size, parity.rank) == (len(mine), mine.index(rank))
            assert [parity.world_rank(m) for m in range(parity.size)] == mine
            assert parity.allreduce(rank) == sum(mine)
            assert parity.allgather(rank).tolist() == mine
            assert parity.broadcast(np.array([rank, 7])).tolist() == [mine[0], 7]
            assert parity.allgather_object({"rank": rank}) == [{"rank": r} for r in mine]
            assert parity.scan([1, rank]).tolist() == [
                parity.rank + 1, sum(mine[: parity.rank + 1])]
            assert parity.exclusive_scan(2, "prod", initial=3) == 3 * 2**parity.rank
            assert repr(parity) == f"<far.Team: member {parity.rank} of {parity.size}>"
            parity.barrier()

            gathered = world.gather([rank, 1], root=n - 1)
            assert (gathered is None) == (rank != n - 1)
            if gathered is not None:
                assert gathered.tolist() == [[r, 1] for r in range(n)]
            lists = world.allgatherv(np.arange(rank))
            assert [one.tolist() for one in lists] == [list(range(r)) for r in range(n)]
            got = world.alltoallv([np.full(rank, to) for to in range(n)])
            assert [one.tolist() for one in got] == [[rank] * r for r in range(n)]
            assert world.alltoall_object([(rank, to) for to in range(n)]) == [
                (r, rank) for r in range(n)]

            some = world.split(None if rank == 0 else 0)
            assert (some is None) == (rank == 0)
            if some is not None:
                assert some.allreduce(1) == n - 1
            for bad in (lambda: world.split(-3), lambda: world.broadcast(1, root=n),
                        lambda: world.alltoallv([]), lambda: world.allreduce([1.5], "and"),
                        lambda: world.exclusive_scan([1], initial=1.5)):
                try:
                    bad()
                    raise AssertionError("it was not refused")
                except (far.BadArgument, far.OutOfBounds):
                    pass

        far.run(main)
        """,
        ranks,
    )
    assert outcome.status == 0, outcome.errors
