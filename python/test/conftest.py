"""Each test runs on several numbers of ranks, in processes of `far run`, of this package's own."""

import subprocess
import sys
import textwrap

import pytest

from far._run import launcher


@pytest.fixture(params=[1, 2, 4])
def ranks(request):
    return request.param


class Outcome:
    def __init__(self, done):
        self.status = done.returncode
        self.output = done.stdout
        self.errors = done.stderr

    @property
    def lines(self):
        return self.output.splitlines()


@pytest.fixture
def script(tmp_path):
    """Runs a script on ranks: script(text, ranks, "run", ...) -> Outcome."""

    def run(text, ranks, *options, launch=True, **surroundings):
        import os

        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(text))
        command = [sys.executable, str(path)]
        if launch:
            command = [launcher(), *(options or ("run",)), "-n", str(ranks), *command]
        environment = {**os.environ, **surroundings}
        return Outcome(
            subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
        )

    return run
