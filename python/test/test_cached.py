"""Cached arrays equal NumPy's, with the protocol and without it."""

import numpy as np
import pytest

import far

# On one machine nothing is cached unless the protocol is forced.
protocols = pytest.mark.parametrize("protocol", [False, True])


def on(ranks, body):
    return far.run(body, ranks=ranks)


@protocols
def test_elements_equal_numpy(ranks, protocol):
    def body(world):
        for dtype in ("i4", "u4", "i8", "u8", "f4", "f8"):
            expected = np.random.default_rng(7).integers(0, 1000, 1300).astype(dtype)
            a = far.CachedArray(world, 1300, dtype, chunk=64, force_protocol=protocol)
            if world.rank == world.size - 1:
                a[:] = expected
            world.barrier()
            for key in np.s_[
                :, 5:900, ::-7, 50:50, ..., [3, 1, -1], [], expected > 500,
                [[0, 1299], [-1, -1300]],
            ]:
                assert np.array_equal(a[key], expected[key]) and a[key].dtype == expected.dtype
            assert a[5] == expected[5] and a[-1] == expected[-1] and a[(7,)] == expected[7]
            assert type(a[3]) is type(a[np.int8(3)]) is type(expected[3].item())
            assert (a.sum(), a.min(), a.max()) == (expected.sum(), expected.min(), expected.max())
            world.barrier()
            if world.rank == 0:
                a[10:20] = expected[:10]
                a[100:50:-10] = 3
                a[[0, 2]] = expected[[5, 6]]
                a[7] = 9
            expected[10:20] = expected[:10].copy()
            expected[100:50:-10] = 3
            expected[[0, 2]] = expected[[5, 6]]
            expected[7] = 9
            world.barrier()
            assert np.array_equal(a[:], expected)
            ranges = world.allgather_object(a.local_range)
            assert [i for one in ranges for i in one] == list(range(1300))
            assert all(a.owner(i) == r for r, one in enumerate(ranges) for i in one[::100])
            a.prefetch(0, 1300)
            a.fill(2)
            assert a.sum() == 2600
            a.free()

    on(ranks, body)


@protocols
def test_updates_of_all_ranks_add_up(ranks, protocol):
    def body(world):
        for dtype in ("i4", "u8", "f8"):
            a = far.CachedArray(world, 200, dtype, chunk=16, force_protocol=protocol)
            indices = np.random.default_rng(world.rank).integers(-200, 200, 2000)
            a.add_at(indices, 1)
            a.add_at(indices, np.arange(2000))
            world.barrier()
            expected = np.zeros(200, dtype)
            np.add.at(expected, indices, 1)
            np.add.at(expected, indices, np.arange(2000))
            expected = world.allreduce(expected)
            assert np.array_equal(a[:], expected)
            world.barrier()
            a.max_at([3, 4], [10**9, world.rank])
            a.min_at(5, 0)
            if dtype != "f8":
                a.update_at([6, 7], 1 << world.rank, "xor")
                a.update_at(8, 8, "or")
                a.update_at(9, 0, "and")
                expected[6:8] ^= (1 << world.size) - 1
                expected[8] |= 8
                expected[9] = 0
            expected[3], expected[5] = 10**9, 0
            world.barrier()
            assert np.array_equal(a[:], expected)
            a.free()

    on(ranks, body)


@protocols
def test_locks_exclude(ranks, protocol):
    def body(world):
        a = far.CachedArray(world, 40, int, chunk=4, force_protocol=protocol)
        for i in range(50):
            with a.locked(-1), a.locked(i % 3):
                a[10] += 1
            with a.locked(20, shared=True):
                assert a[10] > 0
        world.barrier()
        assert a[10] == 50 * world.size

    on(ranks, body)


def test_calls_of_other_ranks_have_their_own_view():
    def body(world):
        a = far.CachedArray(world, 2000, int, chunk=16, force_protocol=True)
        far.of_this_test = a  # where functions that arrive find it
        world.barrier()
        to = (world.rank + 1) % world.size
        calls = [world.rpc(to, update) for _ in range(20)]
        for i in range(0, 2000, 3):
            a.add_at(i, 1)
        for call in calls:
            call.result(60)
        world.barrier()
        expected = np.zeros(2000, int)
        expected[::7] += 20 * world.size
        expected[::3] += world.size
        assert np.array_equal(a[:], expected)

    def update():
        import far

        far.of_this_test.add_at(range(0, 2000, 7), 1)

    on(2, body)


def test_refuses_what_is_wrong():
    world = far.init()
    a = far.CachedArray(world, 10, "i4")
    for use in (lambda: a[10], lambda: a[-11], lambda: a[10**30], lambda: a[[10]],
                lambda: a[np.ones(9, bool)], lambda: a[1, 2], lambda: a.owner(10),
                lambda: a.prefetch(5, 6), lambda: a.add_at(10, 1), lambda: a.locked(10).__enter__(),
                lambda: a.__setitem__(10, 1)):
        with pytest.raises(far.OutOfBounds) as failure:
            use()
        assert "\n" not in str(failure.value)
    for value in (1.5, 2**31, "x", [1, 2]):
        with pytest.raises((far.BadArgument, ValueError)):
            a[0] = value
        with pytest.raises((far.BadArgument, ValueError)):
            a.add_at(0, value)
    for use in (
        lambda: a.update_at(0, 1, "prod"), lambda: a.update_at(0, 1, "median"), lambda: a[[1.5]],
        lambda: far.CachedArray(world, 4, "f8").update_at(0, 1, "xor"),
        lambda: far.CachedArray(world, 4, "i2"), lambda: far.CachedArray(world, 4, object),
        lambda: far.CachedArray(world, 4, ">i4"), lambda: far.CachedArray(world, 4, "c8"),
        lambda: far.CachedArray(world, -1), lambda: far.CachedArray(world, 4, chunk=0),
        lambda: far.CachedArray(world, 4, caching="often"), lambda: far.CachedArray(world, 0).min(),
    ):
        with pytest.raises(far.BadArgument) as failure:
            use()
        assert "\n" not in str(failure.value)
    with pytest.raises(TypeError):
        iter(a)
    assert a[:].tolist() == [0] * 10 and far.CachedArray(world, 0).sum() == 0
    assert repr(a) == "<far.CachedArray: shape (10,), dtype int32, ranks 1>"
    assert "nothing is cached" in a.explain()


def test_objects_end(script):
    outcome = script(
        """
        import far, numpy as np

        kept = []

        def main(world):
            freed = far.CachedArray(world, 100, int, force_protocol=True)
            kept.extend([far.CachedArray(world, 100, int, force_protocol=True), freed])
            kept[0].add_at(range(100), 1)
            freed.add_at(3, 1)
            freed.free()

        far.run(main)
        for one in kept:
            for use in (lambda: one[0], lambda: one[:], lambda: len(one), lambda: one.local_range,
                        lambda: one.sum(), lambda: one.add_at(0, 1), lambda: one.fill(1),
                        lambda: one.__setitem__(0, 1), lambda: one.locked(0).__enter__()):
                try:
                    use()
                except far.JobEnded:
                    continue
                print("no error")
        print(kept)
        """,
        2,
    )
    assert outcome.status == 0, outcome.errors
    assert "no error" not in outcome.output
    assert outcome.output.count("<far.CachedArray: state ended or freed>") == 4
