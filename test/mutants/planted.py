"""The type of a planted bug, and the programs that show bugs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    name: str
    what: str
    file: str
    program: str
    seeds: int
    edits: tuple


# The file of each program.
PROGRAMS = {
    "ring": "ring",
    "lock": "lock",
    "bell": "bell",
    "stack": "stack",
    "slot": "slot",
    "arrivals": "arrivals",
    "handshake": "handshake",
    "one_way": "calls",
    "latest": "calls",
    "deputy": "calls",
    "mailbox": "mailbox",
    "signalled": "transfers",
    "flushed": "transfers",
    "completed": "transfers",
    "barriers": "collectives",
    "sums": "collectives",
    "broadcasts": "collectives",
    "exchanges": "collectives",
    "member_teams": "collectives",
    "large_results": "results",
    "late_results": "results",
    "counts": "tables",
    "batches": "tables",
    "short_lives": "tables",
    "phase_counts": "tables",
    "phase_keys": "tables",
    "elements": "tables",
    "turns": "locks",
    "near_turns": "locks",
    "readers": "locks",
    "cached_registers": "cached_arrays",
    "direct_registers": "cached_arrays",
    "cached_operands": "cached_arrays",
    "direct_operands": "cached_arrays",
    "cached_pins": "cached_arrays",
    "direct_pins": "cached_arrays",
    "large_chunks": "cached_arrays",
    "additions": "sections",
    "assisted": "sections",
    "pipelined": "sections",
    "unawaited": "sections",
    "object_fields": "objects",
    "object_counters": "objects",
    "updated_counters": "objects",
    "written_counters": "objects",
    "home_numbers": "objects",
    "object_turns": "objects",
    "object_monitors": "monitored_objects",
    "moved_monitors": "monitored_objects",
    "object_waits": "objects",
    "object_garbage": "objects",
    "moved_counters": "moved_objects",
    "moved_lists": "moved_objects",
    "moved_arrays": "moved_objects",
    "moved_words": "moved_objects",
    "moves": "moved_objects",
    "made_objects": "made_objects",
    "made_and_updated": "made_objects",
    "graph_exchanges": "graphs",
    "graph_arrays": "graphs",
    "store_copies": "stores",
    "store_reads": "stores",
}


def program_file(program):
    return f"test/mutants/programs/{PROGRAMS[program]}.cpp"


def in_program(name, what, program, seeds, *edits):
    return Mutant(name, what, program_file(program), program, seeds, edits)


def in_library(name, what, file, program, seeds, *edits):
    return Mutant(name, what, f"src/far/{file}", program, seeds, edits)
