"""The examples of the documentation."""

import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from far._run import launcher

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/python"


def run(name, *arguments, ranks=3, options=("run",)):
    command = [launcher(), *options, "-n", str(ranks), sys.executable, EXAMPLES / name, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_word_count(tmp_path, ranks):
    random = np.random.default_rng(3)
    words = [f"word{int(30 * n ** 2)}" for n in random.random(3000)]
    text = "".join(word + str(random.choice([" ", "\n", ", "])) for word in words)
    (tmp_path / "text").write_text(text)
    done = run("word_count.py", tmp_path / "text", ranks=ranks)
    assert done.returncode == 0, done.stderr
    expected = sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0]))[:10]
    assert [tuple(line.split()) for line in done.stdout.splitlines()] == [
        (str(number), word) for word, number in expected
    ]


def test_kmers(ranks):
    done = run("kmers.py", ranks=ranks)
    assert done.returncode == 0, done.stderr
    example = runpy.run_path(str(EXAMPLES / "kmers.py"))
    words = [
        example["words_of"](read) for rank in range(ranks) for read in example["reads_of"](rank)
    ]
    _, numbers = np.unique(np.concatenate(words), return_counts=True)
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{len(numbers)} different")
    assert [int(line.split(": ")[1]) for line in lines[1:]] == [
        *(np.count_nonzero(numbers == n) for n in range(1, 9)),
        np.count_nonzero(numbers >= 9),
    ]


def test_work_queue(ranks):
    done = run("work_queue.py", ranks=ranks)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "6057 primes below 60000"
    assert "60 tasks" in done.stdout


def test_pagerank(ranks):
    done = run("pagerank.py", ranks=ranks)
    assert done.returncode == 0, done.stderr
    assert "sum 1.000000" in done.stdout
    # The same order for any number of ranks.
    alone = run("pagerank.py", ranks=1)
    assert done.stdout.splitlines()[1] == alone.stdout.splitlines()[1]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="simulations need Python 3.12")
def test_a_race_is_found():
    done = run("race.py", ranks=2, options=("sim", "explore"))
    assert done.returncode != 0
    assert "the sum is 1" in done.stdout + done.stderr


def programs_of_the_tutorial():
    page = (EXAMPLES.parents[1] / "docs/python.md").read_text()
    tutorial = page.split("## Tutorial")[1].split("\n## ")[0]
    return [block.split("```")[0] for block in tutorial.split("```python\n")[1:]]


@pytest.mark.parametrize("program", programs_of_the_tutorial())
def test_tutorial(script, ranks, program):
    outcome = script(program, ranks)
    assert outcome.status == 0, outcome.errors
