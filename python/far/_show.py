"""How structures look in a terminal and in a notebook."""

from types import FunctionType


def with_methods_of(*classes):
    """Adds what classes define to the one that is decorated, but for what it defines itself.

    Classes of the compiled module have one base each, so others cannot be inherited beside it.
    """

    def add(to):
        for one in classes:
            for name, member in vars(one).items():
                if isinstance(member, (FunctionType, property)) and name not in vars(to):
                    setattr(to, name, member)
        return to

    return add


class Shown:
    """Needs _facts(): what the structure is, as a dict of short texts."""

    def __repr__(self):
        name, facts = _described(self)
        return f"<far.{name}: {', '.join(f'{k} {v}' for k, v in facts.items())}>"

    def _repr_html_(self):
        from html import escape  # few programs are in a notebook

        name, facts = _described(self)
        rows = "".join(
            f"<tr><th>{escape(str(k))}</th><td>{escape(str(v))}</td></tr>" for k, v in facts.items()
        )
        return f"<table><caption>far.{name}</caption>{rows}</table>"


def _described(structure):
    try:
        facts = structure._facts()
    except Exception:  # noqa: BLE001 - a repr does not raise
        facts = {"state": "ended or freed"}
    return type(structure).__name__, facts
