"""Matrices and arrays of several dimensions equal NumPy's, on any ranks."""

import sys
from pathlib import Path

import numpy as np
import pytest

import far

root = Path(__file__).parents[2]


def on(ranks, body):
    return far.run(body, ranks=ranks)


def test_sections_equal_numpy(ranks):
    def body(world):
        random = np.random.default_rng(7)
        for dtype in ("f8", "i2", "?", "c16", "S5", [("a", "i4"), ("b", "f8")]):
            dtype = np.dtype(dtype)
            expected = random.integers(0, 2, (17, 23 * dtype.itemsize), np.uint8).view(dtype)
            m = far.Matrix.of(world, expected, ghosts=(1, 2))
            mask = random.random((17, 23)) > 0.5
            for key in np.s_[
                :, 3:4, 2:10:3, ::-1, 5:5, ..., 4, -17, (3, 4), (-1, -1), (slice(2, 9), 7),
                (..., 0), (slice(None, None, -2), slice(20, 1, -5)), (slice(None), [3, 3, -1]),
                [1, 5, 1],
                ([1, 2], [3, 4]), (0, [1, 2]), ([[1, 2], [3, 4]], slice(5, 9)), mask, mask[:, 0],
                (mask[:, 0], 3), (slice(None), mask[0]), np.array([], int), ([0], slice(3, 3)),
                (np.uint8(3), np.int64(-4)), (np.array(3), np.array(4)), (..., [2, 1]),
            ]:
                got, wanted = (np.asarray(of[key], dtype) for of in (m, expected))
                assert got.tobytes() == wanted.tobytes() and got.shape == wanted.shape, key
            world.barrier()
            changed = expected.copy()
            for key, values in (
                (np.s_[2:10, ::-3], expected[9:1:-1, :8]), (np.s_[0], expected[1, 0]),
                (np.s_[[12, 14]], expected[:2]), (np.s_[16, 22], expected[3, 3]),
                (np.s_[15, 1::2], expected[3, :11]), (np.s_[[11, 11], [4, 5]], expected[0, :2]),
            ):
                changed[key] = values
                if world.rank == world.size - 1:
                    m[key] = values
            world.barrier()
            assert m[:].tobytes() == changed.tobytes()
            assert m.local.tobytes() == changed[m.block()].tobytes()
            owned = np.full(m.shape, -1)
            for rank in range(world.size):
                owned[m.block(rank)] = rank
            assert all(m.owner(i, j) == owned[i, j] for i in range(17) for j in range(23))
            m.free()

    on(ranks, body)


def test_any_basic_index(ranks):
    def body(world):
        from hypothesis import given, settings
        from hypothesis.extra import numpy as arrays
        from hypothesis import strategies as st

        shape = (5, 7, 4)
        expected = np.arange(140.0).reshape(shape)
        a = far.NdArray.of(world, expected, ghosts=(0, 1, 0))
        keys = st.one_of(
            arrays.basic_indices(shape, allow_newaxis=False),
            arrays.integer_array_indices(shape[:1], dtype=np.dtype("i4")),
            arrays.integer_array_indices(shape),
        )

        @settings(max_examples=150, database=None, derandomize=True, deadline=None)
        @given(keys, st.integers(-99, 99))
        def equal(key, number):
            assert np.array_equal(a[key], expected[key])
            expected[key] = number
            a[key] = number
            assert np.array_equal(a[...], expected)

        if world.rank == 0:
            equal()
        world.barrier()
        a.free()

    on(ranks, body)


@pytest.mark.parametrize("shape", [(1,), (40,), (3, 1, 5), (2, 3, 2, 2, 1, 2, 2), (0, 4)])
def test_dimensions(shape):
    def body(world):
        expected = np.arange(np.prod(shape), dtype="u4").reshape(shape)
        a = far.NdArray.of(world, expected)
        assert a.shape == shape and a.ndim == len(shape) and a.size == expected.size
        assert len(a) == shape[0]
        assert np.array_equal(a[...], expected) and np.array_equal(a[::-1], expected[::-1])
        assert a.sum() == expected.sum()
        if expected.size:
            last = (-1,) * len(shape)
            assert a[last] == expected[last] and type(a[last]) is int
            assert (a.min(), a.max()) == (0, expected.size - 1)
        else:
            with pytest.raises(far.BadArgument):
                a.min()
        a.fill(3)
        assert (a[...] == 3).all()

    on(4, body)


def test_accumulates_of_all_ranks_add_up(ranks):
    def body(world):
        for dtype in ("i4", "u8", "f4", "f8", "c8", "c16"):
            m = far.Matrix(world, 9, 11, dtype)
            expected = np.zeros((9, 11), dtype)
            values = np.arange(20).reshape(4, 5)
            for _ in range(20):
                m.accumulate(np.s_[2:6, 1:10:2], values, alpha=2)
                m.accumulate((8, 10), 1)
                m.accumulate(([0, 0, 3], [1, 1, 3]), [1, 2, 3])
            expected[2:6, 1:10:2] += 2 * values.astype(dtype)
            expected[8, 10] += 1
            np.add.at(expected, ([0, 0, 3], [1, 1, 3]), np.array([1, 2, 3], dtype))
            world.barrier()
            assert np.array_equal(m[:], expected * np.array(20 * world.size, dtype))
            world.barrier()
        with pytest.raises(far.BadArgument):
            far.Matrix(world, 2, 2, "i2").accumulate(0, 1)

    on(ranks, body)


@pytest.mark.parametrize("periodic", [False, True, (True, False)])
def test_ghosts_hold_what_is_around_a_block(ranks, periodic):
    def body(world):
        expected = np.arange(54).reshape(6, 9)
        m = far.Matrix.of(world, expected, ghosts=(2, 1), periodic=periodic)
        m.local_with_ghosts[...] = -1
        m.local[...] = expected[m.block()]
        m.update_ghosts()
        for axis, (wraps, width) in enumerate(zip(m.periodic, m.ghosts)):
            pad = [(width, width) if k == axis else (0, 0) for k in range(2)]
            how = {"mode": "wrap"} if wraps else {"mode": "constant", "constant_values": -1}
            expected = np.pad(expected, pad, **how)
        rows, columns = m.block()
        around = expected[rows.start : rows.stop + 4, columns.start : columns.stop + 2]
        assert np.array_equal(m.local_with_ghosts, around)

    on(ranks, body)


def test_blocks_as_asked_for():
    def body(world):
        m = far.Matrix(world, 10, 8, blocks=(4, 1))
        assert m.block(3) == (slice(8, 10), slice(0, 8))
        uneven = far.NdArray(world, (10, 8), begins=[[0, 7], [0, 2]])
        assert uneven.block(3) == (slice(7, 10), slice(2, 8)) and uneven.owner(6, 2) == 1
        few = far.Matrix(world, 10, 8, blocks=(1, 2), ghosts=1)
        assert few.local.shape == ((10, 4) if world.rank < 2 else (0, 0))
        few.update_ghosts()
        few.fill(world.size)
        assert few.max() == 4 and few.sum() == 320
        for wrong in (
            {"blocks": (5, 1)}, {"blocks": (1, 2, 2)}, {"begins": [[1], None]}, {"ghosts": -1},
            {"begins": [[0, 11], None]}, {"begins": [[0]]}, {"ghosts": (1,)}, {"periodic": [True]},
        ):
            with pytest.raises(far.BadArgument):
                far.Matrix(world, 10, 8, **wrong)
            world.barrier()

    on(4, body)


def test_refuses_what_is_wrong():
    world = far.init()
    m = far.Matrix(world, 3, 4, "i4")
    for key in (3, (0, 4), (-4, 0), (0, 0, 0), [3], ([0, 1], [0, 4]), 10**30, np.ones((3, 3), bool),
                np.ones((3, 4, 1), bool)):
        for use in (lambda: m[key], lambda: m.__setitem__(key, 1), lambda: m.accumulate(key, 1)):
            with pytest.raises(far.OutOfBounds) as failure:
                use()
            assert "\n" not in str(failure.value)
    for key in (1.5, None, True, "x", [1.5], (..., ...), slice("a", 2), [[1], [1, 2]]):
        with pytest.raises((far.BadArgument, TypeError, ValueError)):
            m[key]
    for value in (1.5, 2**31, [1, 2], np.zeros((4, 3), int), object(), "x"):
        with pytest.raises((far.BadArgument, ValueError)):
            m[...] = value
        with pytest.raises((far.BadArgument, ValueError)):
            m.accumulate(..., value)
    with pytest.raises(far.BadArgument):
        m.accumulate(..., 1, alpha=0.5)
    for shape, dtype in (((), "f8"), ((1,) * 8, "f8"), ((-1, 2), "f8"), ((2, 2), object),
                         ((2, 2), "S0")):
        with pytest.raises(far.BadArgument):
            far.NdArray(world, shape, dtype)
    with pytest.raises(far.BadArgument):
        far.Matrix.of(world, np.zeros(3))
    for shape in ((2**40, 2**10), (2**40, 2**40)):
        with pytest.raises(far.OutOfMemory):
            far.NdArray(world, shape)
    with pytest.raises(far.OutOfBounds):
        m.block(1)
    with pytest.raises(TypeError):
        iter(m)
    with pytest.raises(TypeError):
        del m[0]
    assert m.sum() == 0


def test_views_stay_and_objects_end(script):
    outcome = script(
        """
        import far, numpy as np

        kept = []

        def main(world):
            m = far.Matrix(world, 4, 5, int, ghosts=1)
            freed = far.Matrix(world, 4, 5, int)
            freed.fill(7)
            kept.extend([m, m.local, freed, freed.local])
            freed.free()
            m.fill(1)
            assert kept[3].sum() == 70 and kept[1].sum() == 10
            try:
                freed[:]
            except far.JobEnded:
                return
            print("no error")

        far.run(main)
        for one in (kept[0], kept[2]):
            for use in (lambda: one[0], lambda: one[0, 0], lambda: len(one), lambda: one.local,
                        lambda: one.sum(), lambda: one.update_ghosts(), lambda: one.block(),
                        lambda: one.owner(0, 0), lambda: one.accumulate(0, 1),
                        lambda: one.accumulate([], 1), lambda: one.__setitem__(0, 1)):
                try:
                    use()
                except far.JobEnded:
                    continue
                print("no error")
        kept[1][...] = kept[3].sum()
        print(repr(kept[0]), kept[2]._repr_html_())
        """,
        2,
    )
    assert outcome.status == 0, outcome.errors
    assert "no error" not in outcome.output
    assert outcome.output.count("<far.Matrix: state ended or freed> <table>") == 2


def test_local_is_shared_by_dlpack():
    world = far.init()
    for made in (far.Array(world, 6, "f4"), far.Matrix(world, 2, 3, "f4", ghosts=1)):
        shared = np.from_dlpack(made.local)
        shared[...] = 2.5
        assert made.sum() == 15 and shared.shape == made.shape
        made.free()
        assert (shared == 2.5).all()


def test_looks():
    world = far.init()
    m = far.Matrix(world, 3, 4, "i2")
    assert repr(m) == "<far.Matrix: shape (3, 4), dtype int16, ranks 1>"
    assert "<th>shape</th><td>(3, 4)</td>" in m._repr_html_()
    a = far.Array(world, 3, [("<a", "i4")])
    assert "&lt;a" in a._repr_html_() and "(3,)" in repr(a)
    assert repr(far.HashMap(world, str, "i4")) == "<far.HashMap: keys text, values int32, ranks 1>"
    q = far.Queue(world, 3, max_bytes=9)
    assert repr(q) == "<far.Queue: capacity 3, elements objects of up to 9 bytes, host 0>"
    q.free()
    assert repr(q) == "<far.Queue: state ended or freed>"
    for lock in (far.Lock(world), far.RWLock(world)):
        assert "<th>ranks</th><td>1</td>" in lock._repr_html_()


def test_in_threads(script):
    outcome = script(
        """
        import far, numpy as np

        def main(world):
            m = far.Matrix(world, 40, 40, int, ghosts=1)
            m.fill(1)
            m.accumulate(np.s_[::2], 1)
            m.update_ghosts()
            assert m.sum() == 4000 and m[[0, 39], [0, 0]].tolist() == [4, 1]

        far.run(main)
        """,
        3, "run", "--threads",
    )
    assert outcome.status == 0, outcome.errors


@pytest.mark.skipif(sys.version_info < (3, 12), reason="simulations need Python 3.12")
def test_in_the_simulator(script):
    outcome = script(
        """
        import far, numpy as np

        def main(world):
            m = far.Matrix(world, 40, 40, int, ghosts=1)
            a = far.CachedArray(world, 40, int, chunk=4)
            m.accumulate(np.s_[::2, ::-2], world.rank)
            a.add_at(range(0, 40, 3), m[[0, 39], [1, 1]].sum() + 1)
            world.barrier()
            m.update_ghosts()
            assert m.sum() == 400 * 15 and m[2:4, 1].tolist() == [15, 0]
            assert a.sum() >= 6 * 14

        far.run(main)
        """,
        6, "sim", "-p", "ib-2006",
    )
    assert outcome.status == 0, outcome.errors


def test_heat(script):
    text = (root / "examples/python/heat.py").read_text()
    outputs = [script(text, n).output for n in (1, 4)]
    assert outputs == ["the cell (8, 48) has 42.432, all cells 74433.9\n"] * 2
