"""The planted bugs of sections, in the form described in catalogue.py."""

from planted import in_library

SECTION_MUTANTS = [
    # The lock of accumulates.
    in_library(
        "add_lock_tests_then_sets",
        "the lock is found free and taken in two steps",
        "sections/accumulate_lock.cpp",
        "additions",
        40,
        (
            "  return word_.compare_exchange(seen, name());\n",
            "  if (word_.load() != seen) return false;\n"
            "  word_.store(name());\n"
            "  return true;\n",
        ),
    ),
    in_library(
        "add_lock_freed_for_all",
        "unlocking wipes out that the lane waits, and tells it that it holds the lock",
        "sections/accumulate_lock.cpp",
        "additions",
        60,
        ("word_.fetch_add(0 - name())", "word_.exchange(0)"),
    ),
    in_library(
        "lane_not_told",
        "the rank that unlocks does not tell the lane, which waits",
        "sections/accumulate_lock.cpp",
        "additions",
        25,
        ("    if ((old & lane_bit) != 0) rpc_oneway<accumulate_queue::granted>(world_, "
         "words_.lock.rank());\n",
         "    static_cast<void>(old);\n"),
    ),
    in_library(
        "lane_adds_at_once",
        "the lane adds although a rank holds the lock",
        "sections/accumulate_queue.cpp",
        "additions",
        40,
        ("if (holder_of(old) == 0) serve(lane);",
         "if (holder_of(old) == 0 || entries_.size() > 1) serve(lane);"),
    ),
    in_library(
        "lane_unlocks_first",
        "the lane gives the lock back before it has added",
        "sections/accumulate_queue.cpp",
        "additions",
        200,
        (
            "  perform(now.slice);\n  fabric::release_fence();\n",
            "",
        ),
        (
            "      .then([this, &lane] { entries_.empty()",
            "      .then([this, &lane, slice = now.slice] { perform(slice); entries_.empty()",
        ),
    ),
    # The host-assisted handshake.
    in_library(
        "answered_before_data",
        "the helper answers a put when it has asked for its bytes, not when they have landed",
        "sections/helper.cpp",
        "assisted",
        25,
        (
            "  return detail::start_landed_call<gather_put>(world, origin, landings, name, to.begin, "
            "to.end);\n",
            "  (void)detail::start_landed_call<gather_put>(world, origin, landings, name, to.begin, "
            "to.end);\n  return ready_future(world);\n",
        ),
    ),
    in_library(
        "put_closed_early",
        "the origin forgets a put while helpers still ask for its bytes",
        "sections/assisted.cpp",
        "assisted",
        10,
        (".then([open] {})", ".then([] {})"),
    ),
    in_library(
        "first_part_for_all",
        "each descriptor of a put gets the bytes of the first",
        "sections/helper.cpp",
        "assisted",
        10,
        ("pieces(name, begin, end);", "pieces(name, 0, end - begin);"),
    ),
    # Pipelines.
    in_library(
        "slice_freed_early",
        "the buffer of a slice is freed when the slice has been announced",
        "sections/packed.cpp",
        "pipelined",
        25,
        ("by_get(slice, place).then([room = std::move(room)] {})", "by_get(slice, place)"),
    ),
    # Flushes.
    in_library(
        "flush_leaves_messages",
        "a flush of one rank does not wait for the transfers that go by messages",
        "rma/composite.cpp",
        "unawaited",
        10,
        ("(rank_ == fabric::all_ranks || rank_ == one.rank_)", "rank_ == fabric::all_ranks"),
    ),
]
