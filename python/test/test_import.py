"""What importing the package means: where, by whom, and what type checkers see."""

import subprocess
import sys
import textwrap

import pytest

import far


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def in_python(text, *arguments):
    return run(sys.executable, "-c", textwrap.dedent(text), *arguments)


@pytest.mark.parametrize("before", ["", "import far"])
@pytest.mark.parametrize("isolated", [False, True])
def test_no_subinterpreter(before, isolated):
    """Neither isolated ones nor those that share the interpreter's lock, also a second time."""
    outcome = in_python(
        f"""
        {before}
        try:
            import _interpreters
            kind = "isolated" if {isolated} else "legacy"
            def attempt():
                return _interpreters.exec(_interpreters.create(kind), "import far").formatted
        except ModuleNotFoundError:  # before Python 3.13
            import _xxsubinterpreters as interpreters
            def attempt():
                try:
                    interpreters.run_string(interpreters.create(isolated={isolated}), "import far")
                except interpreters.RunFailedError as failure:
                    return str(failure)
        print(attempt())
        print(attempt())
        import far
        print(far.__version__)
        """
    )
    first, second, version = outcome.stdout.splitlines()
    for said in (first, second):
        assert "ImportError" in said and "far" in said and "subinterpreter" in said.replace("-", "")
    assert version == far.__version__
    assert outcome.returncode == 0


def test_ends_in_silence_with_objects():
    outcome = in_python(
        """
        import far

        world = far.init()  # a hook in sys keeps it to the very end
        numbers = far.Array(world, 10, int)
        view = numbers.local
        """
    )
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")


def test_says_its_version():
    outcome = run(sys.executable, "-m", "far", "--version")
    assert outcome.stdout.strip() == far.__version__


def test_says_where_cpp_programs_find_it_or_why_not():
    outcome = run(sys.executable, "-m", "far", "--cmake-dir")
    if outcome.returncode == 0:
        assert outcome.stdout.strip().endswith("cmake/far")
    else:  # a build folder
        assert "cmake --install" in outcome.stderr


# -- types -----------------------------------------------------------------------------------------

GOOD = """
import far
import numpy as np

def doubled(x: int) -> int:
    return 2 * x

def main(world: far.World) -> int:
    numbers = far.Array(world, 100, np.int64)
    numbers.add_at([1, 2], 1)
    numbers[3] = 4
    counts = far.HashMap(world, key=str, value=np.int64)
    counts.add(["a", "b"], 1)
    counts["a"] = 2
    if "a" in counts:
        del counts["a"]
    queue = far.Queue(world, 10, max_bytes=100)
    queue.push({"any": "thing"})
    with far.Lock(world):
        pass
    lock = far.RWLock(world)
    with lock.reading():
        pass
    future = world.rpc(0, doubled, 1)
    reveal_type(future.result())
    reveal_type(world.rank)
    reveal_type(numbers.local)
    reveal_type(counts.size())
    reveal_type(queue.try_push(1))
    total: int = world.allreduce(1)
    return total

try:
    reveal_type(far.run(main))
    reveal_type(far.run(main, ranks=4))
except far.RankFailed as failure:
    reveal_type(failure.rank)
"""
TYPES = ["int", "int", "ndarray", "int", "bool", "int", "list[int]", "int"]

WRONG = {
    "far.Arrays(world, 1)": "attr-defined",
    "far.Array(world)": "call-arg",
    "far.HashMap(world, keys=str)": "call-arg",
    "far.Array(world, 1).no_such_function()": "attr-defined",
    "far.run(1)": "arg-type|call-overload",
    "world.split('red')": "arg-type",
}


@pytest.fixture
def mypy(tmp_path):
    pytest.importorskip("mypy")

    def check(text):
        path = tmp_path / "user.py"
        path.write_text(text)
        return run(
            sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(path),
            cwd=tmp_path,
        )

    return check


def test_types_of_a_right_program(mypy):
    outcome = mypy(GOOD)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    revealed = [line for line in outcome.stdout.splitlines() if "Revealed type" in line]
    assert len(revealed) == len(TYPES)
    for line, wanted in zip(revealed, TYPES):
        assert wanted in line


def test_every_public_name_has_a_type(mypy):
    outcome = mypy("import far\n" + "\n".join(f"reveal_type(far.{name})" for name in far.__all__))
    revealed = [line for line in outcome.stdout.splitlines() if "Revealed type" in line]
    assert len(revealed) == len(far.__all__)
    assert not [line for line in revealed if '"Any"' in line]


def test_types_of_wrong_programs(mypy):
    lines = "\n".join(f"    {line}" for line in WRONG)
    outcome = mypy(f"import far\n\ndef main(world: far.World) -> None:\n{lines}\n")
    errors = [line for line in outcome.stdout.splitlines() if ": error:" in line]
    for number, (line, kinds) in enumerate(WRONG.items(), 4):
        assert any(
            f"user.py:{number}:" in error and f"[{kind}]" in error
            for error in errors
            for kind in kinds.split("|")
        ), f"{line}: {outcome.stdout}"
