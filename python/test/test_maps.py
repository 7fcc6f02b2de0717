"""Hash maps equal Python's dicts, on any ranks."""

import numpy as np
import pytest

import far

# What follows runs on the ranks: in each test, `body` is the program.


def on(ranks, body):
    return far.run(body, ranks=ranks)


@pytest.mark.parametrize("capacity", [0, 5000])
def test_maps_of_words_equal_a_dict(ranks, capacity):
    def body(world):
        for value in (np.int64, np.float64, np.int16):
            m = far.HashMap(world, np.int32, value, capacity=capacity)
            random = np.random.default_rng(world.rank)
            keys = random.integers(-300, 300, 2000)
            m.add(keys, 1)
            world.barrier()
            m.update(keys, np.arange(2000) % 100, "max")
            world.barrier()
            expected = {}
            for some in world.allgather(keys):
                for key in some.tolist():
                    expected[key] = expected.get(key, 0) + 1
            for rank, some in enumerate(world.allgather(keys)):
                for key, least in zip(some.tolist(), (np.arange(2000) % 100).tolist()):
                    expected[key] = max(expected[key], least)
            assert m.size() == len(expected)
            assert m.to_dict() == expected
            some = np.array([5, -5, 10**6], np.int32)
            assert m.get_many(some, -1).tolist() == [expected.get(k, -1) for k in some.tolist()]
            assert m.contains_many(some).tolist() == [k in expected for k in some.tolist()]
            world.barrier()
            if world.rank == 0:
                m[10**6] = 3
                assert m[10**6] == 3 and 10**6 in m and m.get(4 * 10**6) is None
                del m[10**6]
                with pytest.raises(KeyError):
                    m[10**6]
                with pytest.raises(KeyError):
                    del m[10**6]
                assert not m.insert(keys[0], 1)
            world.barrier()

    on(ranks, body)


def test_maps_of_text_equal_a_dict(ranks):
    def body(world):
        words = ["a", "b", "ü", "", "a longer word " * 50]
        m = far.HashMap(world, str, int)
        m.add(words, [1, 2, 3, 4, 5])
        world.barrier()
        assert m.to_dict() == {w: (i + 1) * world.size for i, w in enumerate(words)}
        n = far.HashMap(world, bytes, str)
        if world.rank == 0:
            n[b"\0\xff"] = "value"
            n.put_many([b"1", b"2"], ["one", "two"])
        world.barrier()
        assert n[b"\0\xff"] == "value" and n.get_many([b"2", b"9"]) == ["two", ""]
        d = far.HashMap(world, str, float)
        d.update("pi", 3.5, "max")
        world.barrier()
        assert d["pi"] == 3.5

    on(ranks, body)


def test_maps_refuse_what_they_cannot_hold():
    world = far.init()
    m = far.HashMap(world, np.uint8, np.int8)
    for key, value in ((256, 1), (-1, 1), ("x", 1), (1, 128), (1, 1.5), (1.5, 1)):
        with pytest.raises((far.BadArgument, ValueError)):
            m[key] = value
    with pytest.raises(far.BadArgument):
        m.put_many([1, 2], [3])
    with pytest.raises(far.BadArgument):
        far.HashMap(world, float)
    with pytest.raises(far.BadArgument):
        far.HashMap(world, str, int, capacity=10)
    with pytest.raises(TypeError):
        iter(m)
    assert m.to_dict() == {}


def test_phases_of_maps(ranks):
    def body(world):
        kinds = ((np.int64, np.int32, 0), (np.int64, np.int64, 1000), (str, str, 0))
        for key, value, capacity in kinds:
            m = far.HashMap(world, key=key, value=value, capacity=capacity)
            keys = [str(k) for k in range(50)] if key is str else np.arange(50) - 20
            values = keys if key is str else np.full(50, world.rank + 1)
            with m.writing():
                m.add(keys, values)
                with pytest.raises(far.BadArgument, match="phase of changes"):
                    m.get(keys[0])
                with pytest.raises(far.BadArgument, match="phase of changes"):
                    m.get_many(keys)
            with m.reading() as same:
                assert same is m
                if key is not str:
                    total = world.size * (world.size + 1) // 2
                    assert m[-20] == total and m.get_many(keys).tolist() == [total] * 50
                else:
                    assert set(m["7"]) == {"7"} and len(m["7"]) == world.size
                with pytest.raises(far.BadArgument, match="phase of reading"):
                    m.put_many(keys, values)
            m[keys[0]] = values[0]  # neither
            m.free()

    far.run(body, ranks=ranks)


def test_maps_and_pandas(ranks):
    pandas = pytest.importorskip("pandas")

    def body(world):
        m = far.HashMap(world, key=np.int32, value=np.float32)
        if world.rank == 0:
            m.put_items(pandas.Series([0.5, 1.5], index=[7, -7]))
        if world.rank == world.size - 1:
            m.put_items({8: 2.5})
        world.barrier()
        series = m.to_series().sort_index()
        assert series.index.tolist() == [-7, 7, 8] and series.tolist() == [1.5, 0.5, 2.5]
        assert series.dtype == np.float32
        text = far.HashMap(world, key=str, value=str)
        text.put_items({"a": "b"})
        world.barrier()
        assert text.to_series().to_dict() == {"a": "b"}

    on(ranks, body)


def test_what_operations_cost():
    formula = far.model.explain("hash_map", "insert", level="concurrent")
    assert "W + A_fao + A_cas" in repr(formula) and "A_cas" in formula._repr_html_()
    assert formula.facts["structure"] == "hash_map"
    assert {one["structure"] for one in far.model.explain().facts} >= {"hash_map", "queue"}
    for wrong in ({"structure": "heap"}, {"operation": "insert"}):
        with pytest.raises(far.BadArgument, match="heap|insert"):
            far.model.explain(**wrong)
    m = far.HashMap(far.init())
    assert "one-sided" in m.explain()
    m.free()
    with pytest.raises(far.JobEnded):
        m.explain()
