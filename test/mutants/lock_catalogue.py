"""The planted bugs of locks, in the form described in catalogue.py."""

from planted import in_library

LOCK_MUTANTS = [
    in_library(
        "lock_given_by_store",
        "the lock is given by a store, also to a thread that has just given up",
        "sync/mcs_queue.cpp",
        "turns",
        60,
        (
            "    if (status.compare_exchange(seen, node_status::given(value))) return true;\n",
            "    if (status.load() == seen) {\n"
            "      status.store(node_status::given(value));\n"
            "      return true;\n"
            "    }\n"
            "    seen = node_status::left;\n",
        ),
    ),
    in_library(
        "node_taken_off_by_store",
        "the last thread of a queue empties it although another may have come",
        "sync/mcs_queue.cpp",
        "turns",
        10,
        (
            "  if (tail_.compare_exchange(node.bits(), 0)) return 0;\n",
            "  tail_.store(0);\n  if (node) return 0;\n",
        ),
    ),
    in_library(
        "removal_not_awaited",
        "a thread enters a queue again while its node is being removed from it",
        "sync/mcs_queue.cpp",
        "turns",
        120,
        (
            "  return wait_signal(world_, status_word(own_), is_idle, deadline).has_value();\n",
            "  return is_idle(node_status::idle) || deadline == 0;\n",
        ),
    ),
    in_library(
        "readers_not_awaited",
        "a writer does not wait for the readers inside, as in the paper's listing 6",
        "sync/reader_gate.cpp",
        "readers",
        140,
        (
            "    c.asked = count_of(gone_[i].get()) != c.inside;",
            "    c.asked = count_of(gone_[i].get()) != c.inside && false;",
        ),
    ),
    in_library(
        "gate_seen_open_only",
        "a waiting reader enters only if it sees the gate open",
        "sync/reader_gate.cpp",
        "readers",
        120,
        (
            "    if ((seen & closed) != 0 && closed_at(home).load() > number) return;\n",
            "",
        ),
    ),
    in_library(
        "last_reader_tells_nobody",
        "a writer relies on a reader that left before the writer looked",
        "sync/reader_gate.cpp",
        "readers",
        20,
        (
            "    c.tells = count_of(gone_[next++].get()) != c.inside;\n",
            "    static_cast<void>(gone_[next++].get());\n    c.tells = true;\n",
        ),
    ),
    in_library(
        "own_node_above",
        "the releasing thread acts for its own node above, as in the paper's listing 5",
        "sync/lock_tree.hpp",
        "near_turns",
        20,
        ("above = names_.node(given);", "above = end_above[-1].queue.own();"),
    ),
]
