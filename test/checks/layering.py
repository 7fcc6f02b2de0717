#!/usr/bin/env python3
"""Checks the includes of src/far against the table of src/far/LAYERS.md.

A layer may include only the layers that its row allows. A leaf of the fabric may be included and
named only by itself, by fabric/open.cpp, and by a layer whose row allows it. Tests, benchmarks and
far/far.hpp, the umbrella header, may include any layer. Each row must have its folder.

usage: layering.py [ROOT]
"""

import re

import tree

LAYERS = "src/far/LAYERS.md"
OPENER = "src/far/fabric/open.cpp"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
ROW = re.compile(r"^\|\s*`([\w/]+)`\s*\|.*\|([^|]*)\|\s*$")


def read_table(root):
    """{layer: layers it may include}, from the lowest layer up; the table has the highest first."""
    path = root / LAYERS
    if not path.exists():
        return None
    allowed, layers = {}, []
    for line in reversed(path.read_text(encoding="utf-8").splitlines()):
        row = ROW.match(line)
        if not row:
            continue
        layer, cell = row.group(1), row.group(2).strip()
        if cell == "all layers below":
            allowed[layer] = set(layers)
        else:
            allowed[layer] = set(re.findall(r"`([\w/]+)`", cell))
        if "/" not in layer and layer != "launch":  # only its opener may include a leaf
            layers.append(layer)
    return allowed


def layer_of(name, allowed):
    """The layer of a path such as far/fabric/shm/segment.hpp, or None for far/far.hpp."""
    parts = name.split("/")[1:]
    if len(parts) == 1:  # far/team.hpp would be the umbrella of team
        stem = parts[0].split(".")[0]
        return stem if stem != "far" else None
    leaf = "/".join(parts[:2])
    return leaf if leaf in allowed else parts[0]


def check_include(where, path, layer, target, allowed):
    """The problem if `layer` includes `target` (far/...), or None."""
    wanted = layer_of(target, allowed)
    if wanted is None:
        return f"{where}: include the headers you need, not {target}, the users' umbrella"
    if wanted not in allowed:
        return f"{where}: {target} is in layer '{wanted}', which has no row in {LAYERS}"
    if wanted == layer or wanted in allowed[layer]:
        return None
    if "/" in wanted:
        if str(path) == OPENER:
            return None
        return f"{where}: only {OPENER} may include the leaf {wanted}, not {layer}"
    may = ", ".join(sorted(allowed[layer])) or "no other layer"
    return f"{where}: {layer} must not include {target}; it may include {may}"


def check(root):
    allowed = read_table(root)
    if not allowed:
        return [f"{LAYERS}: no table of layers; each row is | `layer` | ... | may include |"]
    problems = [
        f"{LAYERS}: there is no folder src/far/{layer}"
        for layer in allowed
        if not (root / "src/far" / layer).is_dir()
    ]
    leaves = [layer for layer in allowed if "/" in layer]
    for path in tree.files(root, *tree.CPP, under=("src",)):
        name = "/".join(path.parts[1:])
        if path.name.endswith(("_test.cpp", "_bench.cpp")) or name == "far/far.hpp":
            continue
        if path.parts[1] != "far":
            problems.append(f"{path}: sources of the library belong into src/far")
            continue
        layer = layer_of(name, allowed)
        if layer not in allowed:
            problems.append(f"{path}: layer '{layer}' has no row in {LAYERS}")
            continue
        for number, text in tree.lines(root, path):
            where = f"{path}:{number}"
            include = INCLUDE.match(text)
            if include:
                quote, target = include.groups()
                if target.startswith("far/"):
                    problem = check_include(where, path, layer, target, allowed)
                elif quote == '"':
                    problem = f'{where}: write "far/<layer>/...", the path from src, not "{target}"'
                else:
                    problem = None
                if problem:
                    problems.append(problem)
                continue
            code = text.split("//")[0]
            for leaf in leaves:
                short = leaf.split("/")[1]
                if layer == leaf or leaf in allowed[layer] or str(path) == OPENER:
                    continue
                if re.search(rf"\b{short}::", code):
                    problems.append(f"{where}: only {OPENER} may name {short}::, not {layer}")
    return problems + check_apps(root)


def check_apps(root):
    """An app may include itself, apps/common and the library, but no other app."""
    problems = []
    apps = {path.parts[1] for path in tree.files(root, *tree.CPP, under=("apps",))}
    for path in tree.files(root, *tree.CPP, under=("apps", "examples")):
        own = path.parts[1] if path.parts[0] == "apps" else None
        for number, text in tree.lines(root, path):
            include = INCLUDE.match(text)
            if not include:
                continue
            target = include.group(2).removeprefix("apps/").split("/")[0]
            if target in apps - {own, "common"}:
                problems.append(f"{path}:{number}: {path.parts[0]} must not include app {target}")
    return problems


if __name__ == "__main__":
    tree.run("layering", check)
