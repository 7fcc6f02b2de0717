"""Arrays, queues, locks, collective functions and calls, on any ranks."""

import numpy as np
import pytest

import far

# What follows runs on the ranks: in each test, `body` is the program.


def on(ranks, body):
    return far.run(body, ranks=ranks)


def test_arrays_equal_numpy(ranks):
    def body(world):
        random = np.random.default_rng(7)
        for dtype in ("f8", "i4", "u1", "c16", "S5", "M8[s]", [("a", "i4"), ("b", "f8")]):
            dtype = np.dtype(dtype)
            expected = random.integers(0, 100, 101 * dtype.itemsize, np.uint8).view(dtype)
            a = far.Array.of(world, expected)
            for key in (
                slice(None), slice(5, 60), slice(90, 3, -4), slice(50, 50), ..., [3, 1, 3],
                np.array([[0, 100], [-1, -101]]), np.arange(101) % 3 == 0, np.array([], int),
            ):
                assert np.array_equal(a[key], expected[key]) or dtype.kind in "fcMV"
                assert a[key].tobytes() == expected[key].tobytes()
            world.barrier()
            if world.rank == world.size - 1:
                a[10:20] = expected[0:10]
                a[[0, 2]] = expected[[5, 6]]
            changed = expected.copy()
            changed[10:20] = expected[0:10]
            changed[[0, 2]] = expected[[5, 6]]
            world.barrier()
            assert a[:].tobytes() == changed.tobytes()
            mine = a.local_range
            assert a.local.tobytes() == changed[mine.start : mine.stop].tobytes()
            a.free()

    on(ranks, body)


def test_one_element(ranks):
    def body(world):
        for dtype, values in {
            "i8": [-(2**63), 2**63 - 1], "u8": [0, 2**64 - 1], "i1": [-128, 127], "f4": [1.5],
            "f8": [1e300, 3], "?": [True, False], "u2": [65535], "c8": [1 + 2j],
        }.items():
            a = far.Array(world, 7, dtype)
            for value in values:
                if world.rank == 0:
                    a[6] = value
                world.barrier()
                assert a[6] == value and a[-1] == value
                world.barrier()
        with pytest.raises(IndexError):
            a[7]
        with pytest.raises(far.OutOfBounds):
            a[-8] = 1

    on(ranks, body)


def test_refuses_what_would_lose_something():
    world = far.init()
    a = far.Array(world, 10, "i4")
    for value in (1.5, 2**31, "x", [1, 2]):
        with pytest.raises((far.BadArgument, ValueError)):
            a[0] = value
    with pytest.raises(far.BadArgument):
        a[0:3] = [1, 2]
    with pytest.raises(far.OutOfBounds):
        a[np.ones(9, bool)]
    with pytest.raises(far.BadArgument):
        a[[1.5]]
    with pytest.raises(far.OutOfBounds):
        a[1, 2]
    with pytest.raises(far.OutOfBounds):
        a[10**30]
    with pytest.raises(far.BadArgument):
        far.Array(world, 10, object)
    with pytest.raises(far.BadArgument):
        far.Array(world, -1)
    with pytest.raises(far.OutOfMemory):
        far.Array(world, 10**13)
    with pytest.raises(far.BadArgument):
        far.Array(world, 4, "i2").add_at(0, 1)
    with pytest.raises(far.BadArgument):
        far.Array(world, 4, "f8").update_at(0, 1, "xor")
    assert np.array_equal(a[:], np.zeros(10))


def test_atomic_operations_add_up(ranks):
    def body(world):
        for dtype in ("i4", "i8", "u8", "f8"):
            a = far.Array(world, 20, dtype)
            random = np.random.default_rng(world.rank)
            indices = random.integers(-20, 20, 1000)
            a.add_at(indices, 1)
            a.add_at(indices, np.arange(1000))
            world.barrier()
            expected = np.zeros(20, dtype)
            np.add.at(expected, indices, 1)
            np.add.at(expected, indices, np.arange(1000))
            assert np.array_equal(a[:], world.allreduce(expected))
            assert a.sum() == 1000 * world.size + 499500 * world.size
            world.barrier()
            a.max_at([3], 10**9)
            a.fetch_add(4, world.rank)
            world.barrier()
            assert a[3] == 10**9
            if world.rank == 0:
                before = a[5]
                assert a.compare_swap(5, before, 7) == before and a[5] == 7
                assert a.compare_swap(5, before, 8) == 7 and a[5] == 7

    on(ranks, body)


def test_queues(ranks):
    def body(world):
        numbers = far.Queue(world, 1000, dtype=[("a", "i4"), ("b", "f8")], host=world.size - 1)
        numbers.push_many(np.array([(world.rank, i) for i in range(50)], numbers.dtype))
        numbers.push((world.rank, 50.0))
        world.barrier()
        mine = numbers.pop_many(51)
        all_of_them = np.concatenate(world.allgather_object(mine))
        assert sorted(all_of_them.tolist()) == [
            (rank, float(i)) for rank in range(world.size) for i in range(51)
        ]
        assert numbers.try_pop() is None
        objects = far.Queue(world, 4 * world.size, max_bytes=100)
        objects.push({"rank": world.rank})
        with pytest.raises(far.BadArgument):
            objects.push("x" * 101)
        world.barrier()
        assert sorted(o["rank"] for o in world.allgather_object(objects.pop())) == list(
            range(world.size)
        )
        one = far.Queue(world, 1, dtype=int)
        if world.rank == 0:
            assert one.try_push(1) and not one.try_push(2)
            assert one.pop() == 1

    on(ranks, body)


def test_locks(ranks):
    def body(world):
        lock, shared = far.Lock(world), far.RWLock(world)
        count = far.Array(world, 2, int)
        for _ in range(100):
            with lock:
                count[0] = count[0] + 1
            with shared.writing():
                count[1] = count[1] + 1
            with shared.reading():
                assert count[1] > 0
        world.barrier()
        assert count[:].tolist() == [100 * world.size] * 2

    on(ranks, body)


def test_collectives(ranks):
    def body(world):
        n, r = world.size, world.rank
        assert world.allreduce(r + 1) == n * (n + 1) // 2
        assert world.allreduce([1.5, r], "max").tolist() == [1.5, n - 1]
        assert world.allreduce(np.full((2, 3), r, np.int8)).shape == (2, 3)
        assert world.allreduce(1 << r, "or") == (1 << n) - 1
        assert world.reduce(1, root=n - 1) == (n if r == n - 1 else None)
        assert world.scan(1) == r + 1
        assert world.broadcast([r, 7], root=n - 1).tolist() == [n - 1, 7]
        assert world.allgather([r, r]).tolist() == [[i, i] for i in range(n)]
        assert world.alltoall(np.arange(n) + 10 * r).tolist() == [10 * i + r for i in range(n)]
        assert world.allgather_object({r}) == [{i} for i in range(n)]
        assert world.broadcast_object({"x": r}) == {"x": 0}
        assert world.gather_object(r) == (list(range(n)) if r == 0 else None)
        with pytest.raises(far.BadArgument):
            world.allreduce(1, "median")
        with pytest.raises(far.BadArgument):
            world.allreduce(1.5, "xor")
        with pytest.raises(far.OutOfBounds):
            world.broadcast(1, root=n)
        with pytest.raises(far.BadArgument):
            world.broadcast_object(lambda: 1) if n == 1 else world.allgather_object(lambda: 1)

    on(ranks, body)


def test_calls(ranks):
    def body(world):
        to = (world.rank + 1) % world.size
        assert world.rpc(to, lambda x, y=0: x + y, 40, y=2).result(60) == 42
        futures = [world.rpc(to, pow, 2, i) for i in range(50)]
        assert [f.result(60) for f in futures] == [2**i for i in range(50)]
        with pytest.raises(ZeroDivisionError):
            world.rpc(to, lambda: 1 // 0).result(60)
        with pytest.raises(far.OutOfBounds):
            world.rpc(world.size, print)
        world.barrier()

    on(ranks, body)


def test_what_is_dropped_at_different_times_is_freed(ranks):
    def body(world):
        kept = None
        for i in range(200):
            a = far.Array(world, 1 << 16, "f8")  # all of them at once do not fit
            if i % 3 == world.rank:
                kept = a
            a[world.rank] = 1
            assert a.sum() >= 1
        view = kept.local if kept is not None else None
        return None if view is None else float(view.sum())

    on(ranks, body)


def test_views_stay_and_objects_end():
    world = far.init()
    a = far.Array(world, 10, int)
    a[:] = range(10)
    view = a.local
    a.free()
    assert view.tolist() == list(range(10))
    for use in (lambda: a[0], lambda: a[0:2], lambda: len(a), lambda: a.local):
        with pytest.raises(far.JobEnded):
            use()
    m = far.HashMap(world)
    m.free()
    with pytest.raises(far.JobEnded):
        m[1]


def test_objects_outlive_their_job(script):
    outcome = script(
        """
        import far

        kept = []

        def main(world):
            a = far.Array(world, 10, int)
            kept.extend([world, a, far.HashMap(world), far.Queue(world, 3, dtype=int)])
            kept.append(a.local)
            kept.append(far.Lock(world))

        far.run(main)
        for use in (lambda: kept[0].barrier(), lambda: kept[1][0], lambda: kept[2][1],
                    lambda: kept[3].pop(), lambda: kept[1].local, lambda: kept[5].acquire()):
            try:
                use()
            except far.JobEnded:
                continue
            print("no error")
        print(repr(kept[0]), kept[4].tolist())
        """,
        2,
    )
    assert outcome.status == 0, outcome.errors
    assert "no error" not in outcome.output
    assert outcome.output.count("ended") == 2
