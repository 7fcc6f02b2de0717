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
    in_library(
        "word_with_the_entries",
        "a bucket's word and its entries are read in one transfer",
        "store/one_sided_read.cpp",
        "store_reads",
        500,
        ("      const bucket_word word{far::get(world_, word_of(first))};\n",
         "      const bucket seen = far::get(world_, first);\n      const bucket_word word{seen.word};\n"),
        ("      if (word.is_changing()) continue;\n      const bucket seen = far::get(world_, first);\n",
         "      if (word.is_changing()) continue;\n"),
    ),
    in_library(
        "read_is_not_compared",
        "a reader does not look whether the item changed while it was read",
        "store/one_sided_read.cpp",
        "store_reads",
        10,
        ("      if (far::get(world_, word_of(first)) != word.bits) continue;\n", ""),
    ),
]
