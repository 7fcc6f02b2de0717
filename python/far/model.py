"""What operations cost: `far model explain`, for notebooks."""

from __future__ import annotations

import json
import subprocess
from functools import cached_property
from typing import Any

from far._far import BadArgument
from far._run import launcher


class Explanation:
    """An operation's formula, the costs of its components, and its predicted time each way.

    facts: the same as a dict; times in ns. Without an operation it lists them.
    """

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._text = _output(command)

    @cached_property
    def facts(self) -> Any:
        return json.loads(_output([*self._command, "--json"]))

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        from html import escape  # few programs are in a notebook

        return f"<pre>{escape(self._text)}</pre>"


def explain(
    structure: str | None = None,
    operation: str | None = None,
    *,
    level: str | None = None,
    distance: str | None = None,
    fabric: str | None = None,
    profile: str | None = None,
) -> Explanation:
    """Why an operation is one-sided or a call: its formula and its price with the known costs.

    structure, operation: "hash_map", "insert"; without them, all that there are.
    level: what else happens meanwhile: "concurrent", "writing", "reading" or "local".
    distance, fabric, profile: where; see docs/model.md, and `far model explain --help`.
    Cost: a process. Errors: BadArgument.
    """
    if structure is None and operation is not None:
        raise BadArgument(f"the operation '{operation}' of which structure?")
    command = [launcher(), "model", "explain"]
    command += [one for one in (structure, operation) if one is not None]
    if level is not None:
        command.append(f"--{level}")
    given = {"distance": distance, "fabric": fabric, "profile": profile}
    for option, value in given.items():
        if value is not None:
            command += [f"--{option}", value]
    return Explanation(command)


def _output(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BadArgument(done.stderr.strip().removeprefix("far: "))
    return done.stdout.rstrip()
