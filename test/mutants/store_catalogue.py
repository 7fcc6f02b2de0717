"""The planted bugs of the store, in the form described in catalogue.py."""

from planted import in_library

STORE_MUTANTS = [
    in_library(
        "recalled_copy_is_kept",
        "a copy that was recalled on its way is kept",
        "store/copies.cpp",
        "store_copies",
        300,
        ("    here.is_spoiled = true;\n", ""),
    ),
    in_library(
        "copy_during_recall",
        "a rank gets a copy while others drop theirs",
        "store/home_serves.cpp",
        "store_copies",
        30,
        ("  if (of->shared.of(hash) == sharers::state::recalled || !of->shared.are_open() ||",
         "  if (!of->shared.are_open() ||"),
    ),
    in_library(
        "change_before_copies_are_dropped",
        "an item changes while others still read their copies",
        "store/home_serves.cpp",
        "store_copies",
        300,
        ("  return when_all(lane, std::move(dropped)).then([view = lane, of, terms, key, value] {\n",
         "  return ready_future(lane).then([view = lane, of, terms, key, value] {\n"),
    ),
    in_library(
        "mark_is_ignored",
        "an item of which others have copies is changed at once",
        "store/part_items.cpp",
        "store_copies",
        10,
        ("    if (now.is_shared() && !recalled_) {", "    if (false) {"),
    ),
]
