#!/usr/bin/env python3
"""Make the dependency graph of Debian's packages from a package index.

The index is the output of `apt-cache dumpavail`, which this program runs by default. The graph is a
SNAP text edge list: a line `FROM TO` per edge, and before the edges a comment `# vertex ID NAME`
per vertex, from which far-graph reads the names.

The vertices are binary packages that an archive offers (records with a Filename), by name: all
versions and architectures of a package are one vertex, with the dependencies of all. Ids are
0, 1, 2, ... in the order of the names (bytes). Packages without edges are omitted, because an edge
list has no line for them.

A directed edge leads from a package to each package that it needs. Each comma-separated entry of
Depends and Pre-Depends gives one edge. An entry is a list of alternatives, `a | b`; the edge leads
to the first available one: the package of that name, or, if the name is virtual, the package with
the smallest name that provides it. An entry without an available alternative gives no edge.
Versions and architecture qualifiers (`python3:any (>= 3.9)`) are ignored. Equal edges occur once;
edges from a package to itself are omitted, such as when it provides what it needs.

The output is deterministic: equal indexes give equal bytes.
"""

import argparse
import gzip
import lzma
import subprocess
import sys


class BadInput(Exception):
    """The index cannot be used; the message explains why to the user."""


def read_records(lines):
    """Yields each record of the index as {field: value}, with only the fields used here."""
    wanted = {"Package", "Filename", "Depends", "Pre-Depends", "Provides"}
    record, field = {}, None
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r\n")
        if not line.strip():
            if record:
                yield record
            record, field = {}, None
        elif line[0] in " \t":  # the field continues
            if field in wanted:
                record[field] += line
        else:
            field, colon, value = line.partition(":")
            if not colon:
                raise BadInput(f"line {number}: expected 'Field: value', found '{line[:40]}'; "
                               "give the output of apt-cache dumpavail")
            if field in wanted:
                record[field] = value.strip()
    if record:
        yield record


def package_name(text):
    """`python3:any (>= 3.9) [amd64]` as `python3`."""
    return text.split("(")[0].split("[")[0].strip().partition(":")[0]


def entries_of(value):
    """`a | b, c` as [[a, b], [c]]."""
    lists = [[package_name(name) for name in entry.split("|")] for entry in value.split(",")]
    return [[name for name in names if name] for names in lists]


class Index:
    """The contents of the records, with versions and architectures merged."""

    def __init__(self, records):
        self.needs = {}  # package -> its entries
        self.providers = {}  # name -> packages that provide it
        for record in records:
            name = record.get("Package")
            # Records without a file are packages that exist only on this machine.
            if not name or "Filename" not in record:
                continue
            needs = self.needs.setdefault(name, [])
            for field in ("Pre-Depends", "Depends"):
                needs += entries_of(record.get(field, ""))
            for provided in entries_of(record.get("Provides", "")):
                for virtual in provided:
                    self.providers.setdefault(virtual, set()).add(name)

    def resolve(self, alternatives):
        """The package that an entry leads to, or None."""
        for name in alternatives:
            if name in self.needs:
                return name
            if name in self.providers:
                return min(self.providers[name])
        return None


def edges_of(index):
    """Returns sorted edges (from, to) by name, and the number of entries without a package."""
    edges, unresolved = set(), 0
    for package, needs in index.needs.items():
        for alternatives in needs:
            needed = index.resolve(alternatives)
            if needed is None:
                unresolved += bool(alternatives)
            elif needed != package:
                edges.add((package, needed))
    return sorted(edges), unresolved


def graph_text(index, notes):
    edges, unresolved = edges_of(index)
    names = sorted({name for edge in edges for name in edge})
    ids = {name: number for number, name in enumerate(names)}
    lines = ["# Dependencies (Depends, Pre-Depends) of Debian packages: FROM needs TO"]
    lines += [f"# {note}" for note in notes]
    lines += [
        f"# Nodes: {len(names)} Edges: {len(edges)}",
        f"# left out: {len(index.needs) - len(names)} packages without edges, "
        f"{unresolved} dependencies that no package satisfies",
    ]
    lines += [f"# vertex {number} {name}" for name, number in ids.items()]
    lines += [f"{ids[a]} {ids[b]}" for a, b in edges]
    return "\n".join(lines) + "\n"


def read_index(path):
    if path == "-":
        return sys.stdin.buffer.read()
    if path:
        with open(path, "rb") as file:
            return file.read()
    done = subprocess.run(["apt-cache", "dumpavail"], stdout=subprocess.PIPE, check=True)
    return done.stdout


def write_graph(path, text):
    data = text.encode("utf-8")
    if path.endswith(".xz"):
        data = lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
    elif path.endswith(".gz"):
        data = gzip.compress(data, 9, mtime=0)
    if path == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        with open(path, "wb") as file:
            file.write(data)


def main():
    parser = argparse.ArgumentParser(
        prog="debian_graph.py", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", nargs="?", metavar="INDEX",
                        help="a file with an index, or - for standard input; without it, "
                             "apt-cache dumpavail is run")
    parser.add_argument("-o", "--output", default="-", metavar="FILE",
                        help="where the graph goes, packed if the name ends in .xz or .gz "
                             "(default: standard output)")
    parser.add_argument("--note", action="append", default=[], metavar="TEXT",
                        help="a comment line for the head of the graph, such as where and when "
                             "the index was made; may be repeated")
    options = parser.parse_args()
    try:
        if any(line in note for note in options.note for line in "\r\n"):
            raise BadInput("--note: more than one line; repeat the option for each line")
        lines = read_index(options.index).decode("utf-8", "replace").split("\n")
        index = Index(read_records(lines))
        if not index.needs:
            raise BadInput(f"{options.index or 'apt-cache dumpavail'}: no packages; "
                           "run apt-get update, or give the output of apt-cache dumpavail")
        write_graph(options.output, graph_text(index, options.note))
    except BrokenPipeError:
        sys.exit(1)
    except (BadInput, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"debian_graph.py: {error}")


if __name__ == "__main__":
    main()
