"""Ranks that stay."""

import far
import pytest


def test_ranks_keep_what_they_have_made(capfd):
    with far.Pool(3) as pool:
        def make(world, first):
            world.kept["numbers"] = far.Array(world, 6, int)
            world.kept["numbers"].fill(first)
            print(f"rank {world.rank} is here")

        assert pool.run(make, 5) == [None] * 3

        def add(world):
            numbers = world.kept["numbers"]
            numbers.add_at(range(6), world.rank)
            world.barrier()
            return int(numbers.sum())

        assert pool.run(add) == [6 * (5 + 3)] * 3
        assert pool.run(lambda world, factor: world.rank * factor, factor=10) == [0, 10, 20]
    assert sorted(capfd.readouterr().out.splitlines()) == [f"rank {r} is here" for r in range(3)]
    assert repr(pool) == "<far.Pool: ended>"
    with pytest.raises(far.JobEnded):
        pool.run(add)


def test_ranks_survive_what_all_can():
    with far.Pool(2) as pool:
        for bad in (lambda world: 1 / 0, lambda world: 1 // world.rank):
            with pytest.raises(far.RankFailed) as failed:
                pool.run(bad)
            assert failed.value.rank == 0
            assert isinstance(failed.value.__cause__, ZeroDivisionError)
        with pytest.raises(far.RankFailed, match="cannot be sent"):
            pool.run(lambda world: (n for n in range(3)))
        assert pool.run(lambda world: world.allreduce(1)) == [2, 2]


def test_ranks_that_wait_for_one_that_raised_end():
    pool = far.Pool(3)

    def fails(world):
        if world.rank == 1:
            raise KeyError("no such thing")
        world.barrier()

    with pytest.raises(far.RankFailed) as failed:
        pool.run(fails)
    assert failed.value.rank == 1 and isinstance(failed.value.__cause__, KeyError)
    with pytest.raises(far.JobEnded):
        pool.run(fails)


def test_a_rank_that_dies_ends_the_pool():
    import os

    pool = far.Pool(2)
    with pytest.raises(far.RankFailed):
        pool.run(lambda world: os._exit(3) if world.rank == 1 else world.barrier())
    with pytest.raises(far.JobEnded):
        pool.run(lambda world: None)


@pytest.mark.parametrize("ranks", [0, "two"])
def test_refuses_numbers_of_ranks(ranks):
    with pytest.raises(far.BadArgument):
        far.Pool(ranks)
