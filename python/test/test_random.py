"""Random programs: what several ranks do to maps and queues equals what it does to dict and deque.

Ranks stay (far.Pool) while hypothesis tries programs on them.
"""

from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import far


@pytest.fixture(scope="module", params=[1, 2, 4])
def pool(request):
    with far.Pool(request.param) as ranks:
        yield ranks


several = settings(max_examples=40, deadline=None, database=None)

# What a map may hold, so that keys are often the same, and values at the ends of their range.
WORDS = {"key": np.int16, "value": np.int8}
words = st.one_of(st.integers(-4, 4), st.sampled_from([-(2**15), 2**15 - 1]))
small = st.one_of(st.integers(-3, 3), st.sampled_from([-128, 127]))
text = st.text(max_size=3)


def steps_of_maps(keys, values):
    """One step: who does it, what, and its operands."""
    pairs = st.dictionaries(keys, values, max_size=8)
    return st.lists(
        st.tuples(
            st.integers(0, 3),
            st.one_of(
                st.tuples(st.just("set"), keys, values),
                st.tuples(st.just("insert"), keys, values),
                st.tuples(st.just("erase"), keys),
                st.tuples(st.just("put_many"), pairs),
                st.tuples(st.just("erase_many"), st.lists(keys, max_size=8)),
                st.tuples(st.just("clear")),
            ),
        ),
        max_size=12,
    )


def equals_a_dict(world, kind, steps):
    m = far.HashMap(world, **kind)
    expected = {}
    for who, (what, *operands) in steps:
        if what == "clear":
            m.clear()
            expected.clear()
        elif world.rank == who % world.size:
            apply_to_map(m, dict(expected), what, operands)
        world.barrier()
        apply_to_dict(expected, what, operands)
        check_one_rank(m, expected, operands)
        world.barrier()
    assert m.to_dict() == expected
    assert m.size() == len(expected)
    m.free()


def apply_to_map(m, expected, what, operands):
    if what == "set":
        m[operands[0]] = operands[1]
    elif what == "insert":
        assert m.insert(*operands) == (operands[0] not in expected)
    elif what == "erase":
        if operands[0] in expected:
            del m[operands[0]]
        else:
            with pytest.raises(KeyError):
                del m[operands[0]]
    elif what == "put_many":
        m.put_many(list(operands[0]), list(operands[0].values()))
    elif what == "erase_many":
        m.erase_many(operands[0])


def apply_to_dict(expected, what, operands):
    if what == "set":
        expected[operands[0]] = operands[1]
    elif what == "insert":
        expected.setdefault(*operands)
    elif what == "erase":
        expected.pop(operands[0], None)
    elif what == "put_many":
        expected.update(operands[0])
    elif what == "erase_many":
        for key in operands[0]:
            expected.pop(key, None)


def check_one_rank(m, expected, operands):
    keys = [k for k in operands[:1] if not isinstance(k, (dict, list))] + list(expected)
    for key in keys:
        assert m.get(key) == expected.get(key)
        assert (key in m) == (key in expected)
    assert list(m.contains_many(keys)) == [key in expected for key in keys]
    there = list(expected)
    assert list(m.get_many(there)) == [expected[key] for key in there]


def test_maps_of_words(pool):
    @several
    @given(steps_of_maps(words, small))
    def check(steps):
        pool.run(equals_a_dict, WORDS, steps)

    check()


def test_maps_with_a_capacity(pool):
    @several
    @given(steps_of_maps(words, small))
    def check(steps):
        pool.run(equals_a_dict, {**WORDS, "capacity": 100}, steps)

    check()


def test_maps_of_text(pool):
    @several
    @given(steps_of_maps(text, text))
    def check(steps):
        pool.run(equals_a_dict, {"key": str, "value": str}, steps)

    check()


@pytest.mark.parametrize("op", ["sum", "prod", "min", "max", "and", "or", "xor"])
def test_updates_of_all_ranks(pool, op):
    """Integers wrap as NumPy's do, whatever the order in which ranks come."""
    combine = {
        "sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum,
        "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    }[op]
    values = st.one_of(st.integers(-3, 3), st.sampled_from([-(2**63), 2**63 - 1]))
    part = st.lists(st.tuples(st.integers(0, 5), values), max_size=10)

    @several
    @given(st.lists(part, min_size=4, max_size=4))
    def check(parts):
        results = pool.run(updated, parts, op)
        parts = parts[: len(results)]
        expected = {}
        with np.errstate(over="ignore"):
            for key, value in (pair for one in parts for pair in one):
                value = np.int64(value)
                expected[key] = combine(expected[key], value) if key in expected else value
        assert all(result == expected for result in results)

    check()


def updated(world, parts, op):
    m = far.HashMap(world)
    mine = parts[world.rank]
    m.update([key for key, _ in mine], [value for _, value in mine], op)
    result = m.to_dict()
    m.free()
    return result


steps_of_queues = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.one_of(
            st.tuples(st.just("push_many"), st.lists(st.integers(-100, 100), max_size=4)),
            st.tuples(st.just("try_push"), st.integers(-100, 100)),
            st.tuples(st.just("try_pop")),
            st.tuples(st.just("pop_many"), st.integers(0, 5)),
        ),
    ),
    max_size=20,
)


@pytest.mark.parametrize("elements", [{"dtype": np.int16}, {"max_bytes": 40}])
def test_queues(pool, elements):
    @several
    @given(st.integers(1, 6), st.integers(0, 3), steps_of_queues)
    def check(capacity, host, steps):
        pool.run(equals_a_deque, elements, capacity, host, steps)

    check()


def equals_a_deque(world, elements, capacity, host, steps):
    q = far.Queue(world, capacity, host=host % world.size, **elements)
    expected = deque()
    for who, (what, *operands) in steps:
        if what == "push_many" and len(expected) + len(operands[0]) > capacity:
            continue  # it would wait
        is_mine = world.rank == who % world.size
        if is_mine:
            found = getattr(q, what)(*operands)
        if what == "push_many":
            expected.extend(operands[0])
        elif what == "try_push":
            fits = len(expected) < capacity
            assert not is_mine or found == fits
            if fits:
                expected.append(operands[0])
        else:
            count = min(1 if what == "try_pop" else operands[0], len(expected))
            taken = [expected.popleft() for _ in range(count)]
            if is_mine and what == "try_pop":
                assert found == (taken[0] if taken else None)
            elif is_mine:
                assert list(found) == taken
        world.barrier()
    q.free()
