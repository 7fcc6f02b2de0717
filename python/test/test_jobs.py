"""Starting ranks, and how they end."""

import os
import signal
import subprocess
import sys
import time

import pytest

import far
from far._run import launcher


def double(world):
    return world.rank * 2


def test_returns_the_results(ranks):
    assert far.run(double, ranks=ranks) == [2 * rank for rank in range(ranks)]


def test_none_is_a_result():
    assert far.run(lambda world: None, ranks=2) == [None, None]


def test_an_exception_is_the_cause():
    def fails(world):
        if world.rank == 1:
            raise KeyError("no such thing")
        world.barrier()

    with pytest.raises(far.RankFailed) as failed:
        far.run(fails, ranks=3)
    assert failed.value.rank == 1
    assert isinstance(failed.value.__cause__, KeyError)


@pytest.mark.parametrize("start", ["far.run(main)", "main(far.init())"])
def test_an_exception_ends_all_ranks(script, start):
    begin = time.monotonic()
    outcome = script(
        f"""
        import far

        def main(world):
            if world.rank == 1:
                raise ValueError("no such thing")
            world.barrier()

        {start}
        """,
        3,
    )
    assert outcome.status == 1
    assert "rank 1: ValueError: no such thing" in outcome.errors
    assert outcome.errors.count("Traceback") == 1  # and none of the ranks that it has ended
    assert time.monotonic() - begin < 20


def test_one_interrupt_ends_all_ranks(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(
        "import far\n"
        "def main(world):\n"
        "    world.barrier()\n"
        "    if world.rank == 0:\n"
        "        print('ready', flush=True)\n"
        "        while True:\n"
        "            pass\n"
        "    world.barrier()\n"
        "far.run(main)\n"
    )
    job = subprocess.Popen(
        [launcher(), "run", "-n", "3", sys.executable, str(path)],
        stdout=subprocess.PIPE,
        start_new_session=True,
        # What a shell starts in the background would ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert job.stdout.readline() == b"ready\n"
    os.killpg(job.pid, signal.SIGINT)
    assert job.wait(timeout=20) != 0


def test_ends_twice_and_once_more(script):
    outcome = script(
        """
        import far

        def main(world):
            return world.allreduce(1)

        print(far.run(main), far.run(main))
        world = far.init()
        print(world.allreduce(2))
        """,
        2,
    )
    assert outcome.status == 0, outcome.errors
    assert sorted(outcome.lines) == ["2 2", "2 2", "4", "4"]


def test_alone_it_is_one_rank(script):
    outcome = script("import far; far.run(lambda world: print(world.size))", 1, launch=False)
    assert (outcome.status, outcome.output) == (0, "1\n")


def test_ranks_that_share_a_process(script):
    outcome = script(
        """
        import far

        def main(world):
            numbers = far.Array(world, 10, int)
            numbers.add_at(range(10), world.rank)
            world.barrier()
            print(f"{world.size} {numbers.sum()} ")

        far.run(main)
        """,
        3,
        "run",
        "--threads",
    )
    assert outcome.status == 0, outcome.errors
    # Threads of one process: their output mixes.
    assert sorted(outcome.output.split()) == ["3"] * 3 + ["30"] * 3


def test_simulated_ranks(script):
    outcome = script(
        """
        import far

        def main(world):
            numbers = far.Array(world, 8, int)
            numbers.add_at(range(8), world.rank)
            world.barrier()
            if world.rank == 0:
                print(world.size, numbers[:].sum())

        far.run(main)
        """,
        16,
        "sim",
    )
    if sys.version_info < (3, 12):
        assert outcome.status != 0 and "3.12" in outcome.errors
    else:
        assert outcome.status == 0, outcome.errors
        assert "16 960" in outcome.output


@pytest.mark.parametrize("ranks", [0, -1, "two"])
def test_refuses_numbers_of_ranks(ranks):
    with pytest.raises(far.BadArgument):
        far.run(double, ranks=ranks)
