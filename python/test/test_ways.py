"""One program, started in every way: processes, MPI's launcher, nodes over UCX, orders."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from far._run import launcher

PROGRAM = [sys.executable, Path(__file__).parent / "everything.py"]


def result(command, **surroundings):
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=400, env={**os.environ, **surroundings}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_processes_and_threads(number):
    alone = result([launcher(), "run", "-n", str(number), *PROGRAM])
    assert alone.startswith("good ")
    assert result([launcher(), "run", "--threads", "-n", str(number), *PROGRAM]) == alone


@pytest.mark.parametrize("number", [2, 4])
def test_nodes_over_ucx(number):
    """Each rank, or each two, as a node of its own."""
    command = [launcher(), "run", "-n", str(number), *PROGRAM]
    here = result(command)
    for ranks_per_node in (1, 2):
        there = result(
            command, FAR_FABRIC="ucx", FAR_RANKS_PER_NODE=str(ranks_per_node), UCX_TLS="tcp,self"
        )
        assert there == here


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="there is no mpirun")
def test_mpirun():
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", *PROGRAM]
    assert result(command) == result([launcher(), "run", "-n", "3", *PROGRAM])


@pytest.mark.skipif(sys.version_info < (3, 12), reason="simulations need Python 3.12")
@pytest.mark.parametrize("number", [2, 4])
def test_orders(number):
    output = result([launcher(), "sim", "explore", "-n", str(number), "--seeds", "100", *PROGRAM])
    assert "no failure in 100 runs" in output
