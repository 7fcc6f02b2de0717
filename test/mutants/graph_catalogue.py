"""The planted bugs of graphs, in the form described in catalogue.py."""

from planted import in_library

GRAPH_MUTANTS = [
    in_library(
        "round_misses_a_piece",
        "a round ends before the last owner's piece has come",
        "graph/landing.cpp",
        "graph_exchanges",
        40,
        ("at_least{expected_}", "at_least{expected_ - (senders_ > 0 ? 1 : 0)}"),
    ),
    in_library(
        "pieces_land_where_others_are_read",
        "the pieces of a round land in the array that is being read",
        "graph/landing.cpp",
        "graph_exchanges",
        40,
        ("  next_at_ = static_cast<std::int64_t>(room_) - next_at_;\n", ""),
    ),
    in_library(
        "ghosts_read_early",
        "ghosts are read before their owners have written",
        "graph/ghost_array.hpp",
        "graph_arrays",
        150,
        ("    array_.put(first_, next());\n    barrier(array_.world());\n",
         "    array_.put(first_, next());\n"),
    ),
    in_library(
        "messages_read_early",
        "a rank reads its vertices' messages before others have sent theirs",
        "graph/ghost_array.hpp",
        "graph_arrays",
        40,
        ("    barrier(array_.world());\n    array_.get(first_, arrived_);\n",
         "    array_.get(first_, arrived_);\n"),
    ),
]
