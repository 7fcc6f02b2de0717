"""The planted bugs: what is broken where, which program shows it, and within how many seeds.

An edit is a pair of texts. The first must be in the file exactly once, or the build fails; so this
list stays in step with the code. `file` is a program of this folder, or a file of the library that
is compiled into the program in place of the library's own. Choose `seeds` with the help of
`find_all.py --rates`: that number of random seeds must miss the bug with a probability below 1e-4.
"""

from cached_catalogue import CACHED_MUTANTS
from graph_catalogue import GRAPH_MUTANTS
from lock_catalogue import LOCK_MUTANTS
from object_catalogue import OBJECT_MUTANTS
from object_monitor_catalogue import OBJECT_MONITOR_MUTANTS
from planted import in_library, in_program
from section_catalogue import SECTION_MUTANTS
from store_catalogue import STORE_MUTANTS

MUTANTS = [
    in_program(
        "ring_wraps_wrong",
        "a slot is refilled one turn before it is free",
        "ring",
        25,
        ("at_least{n + 1 - slots}", "at_least{n - slots}"),
    ),
    in_program(
        "flag_before_data",
        "an item is announced before it is written",
        "ring",
        10,
        (
            "      put(w, buffer.on(1) + static_cast<std::int64_t>(n % slots), item{n, ~n});\n"
            "      notify(w, signal_of(filled.on(1), n + 1));\n",
            "      notify(w, signal_of(filled.on(1), n + 1));\n"
            "      put(w, buffer.on(1) + static_cast<std::int64_t>(n % slots), item{n, ~n});\n",
        ),
    ),
    in_program(
        "lock_released_early",
        "the lock is released before the last write under it",
        "lock",
        10,
        (
            "    put(w, count, seen + 1);\n    guard.unlock();\n",
            "    guard.unlock();\n    put(w, count, seen + 1);\n",
        ),
    ),
    in_program(
        "lock_tests_then_sets",
        "the lock is found free and taken in two steps",
        "lock",
        10,
        (
            "    std::uint64_t expected = 0;\n"
            "    return word_.compare_exchange(expected, "
            "static_cast<std::uint64_t>(w_->rank()) + 1);\n",
            "    if (word_.load() != 0) return false;\n"
            "    word_.store(static_cast<std::uint64_t>(w_->rank()) + 1);\n"
            "    return true;\n",
        ),
    ),
    in_program(
        "wakeup_lost",
        "the sleeper looks for work before it declares that it sleeps, not after",
        "bell",
        400,
        (
            "    asleep.store(1);\n    const std::uint64_t now = items.load();\n",
            "    const std::uint64_t now = items.load();\n    asleep.store(1);\n",
        ),
    ),
    in_program(
        "stack_without_tags",
        "ABA: the head's tag stays the same, so old heads come back",
        "stack",
        150,
        ("((head >> 32) + 1) << 32 | node", "(head >> 32) << 32 | node"),
    ),
    in_program(
        "torn_read",
        "a value is taken without a second look at its version",
        "slot",
        15,
        (" || version.load() != before", ""),
    ),
    in_program(
        "slot_unmarked",
        "the version does not show that the value is changing",
        "slot",
        15,
        ("    version.store(2 * n - 1);\n", ""),
    ),
    in_program(
        "counter_reset_late",
        "the last rank releases the others before it resets their counter",
        "arrivals",
        10,
        (
            "      arrived.store(0);\n"
            "      for (int rank = 0; rank < w.size(); ++rank) "
            "notify(w, signal_of(go.on(rank), round));\n",
            "      for (int rank = 0; rank < w.size(); ++rank) "
            "notify(w, signal_of(go.on(rank), round));\n"
            "      arrived.store(0);\n",
        ),
    ),
    in_program(
        "handshake_unflushed",
        "a rank looks at the other's flag while its own is in flight",
        "handshake",
        40,
        ("    flush(w);\n", ""),
    ),
    in_program(
        "barrier_for_quiesce",
        "the program assumes that a barrier waits for calls in flight",
        "one_way",
        100,
        ("    quiesce(w);\n", "    barrier(w);\n"),
    ),
    in_program(
        "calls_in_order",
        "the program assumes that calls run in the order in which they were sent",
        "latest",
        20,
        ("seen = std::max(seen, told);", "seen = told;"),
    ),
    in_program(
        "handler_blocks",
        "a called function waits for an operation that it starts",
        "deputy",
        10,
        ("return put_async(there, to, 7u);", "put(there, to, 7u);"),
    ),
    in_program(
        "reply_without_room",
        "a request is sent before there is space for its reply",
        "mailbox",
        10,
        (
            "    if (n > slots) take(w, own, n - slots);\n    ask(w, own, n);\n",
            "    ask(w, own, n);\n    if (n > slots) take(w, own, n - slots);\n",
        ),
    ),
    in_library(
        "flush_removed",
        "far::flush does not wait",
        "rma/flush.hpp",
        "flushed",
        15,
        ("    world.context().flush(rank);\n", "    static_cast<void>(rank);\n"),
    ),
    in_library(
        "signal_before_payload",
        "a put's signal is sent separately, before the payload",
        "rma/transfer.cpp",
        "signalled",
        10,
        (
            "  world.context().put(parts, &done, nullptr, &after);\n",
            "  notify(world, after);\n  world.context().put(parts, &done);\n",
        ),
    ),
    in_library(
        "signal_wakes_nobody",
        "far::notify changes the word, but does not wake its waiters",
        "rma/signal.cpp",
        "signalled",
        10,
        ("  request.wake = true;\n", ""),
    ),
    in_library(
        "put_ready_at_source",
        "the future of a put is ready when its buffer is free",
        "rma/async.cpp",
        "completed",
        25,
        ("context.put(parts, &op, nullptr, after)", "context.put(parts, nullptr, &op, after)"),
    ),
    in_library(
        "update_in_two_steps",
        "an update of a floating-point word stores its result without a compare-and-swap",
        "rma/atomic_loops.hpp",
        "elements",
        10,
        (
            "  while (!word.compare_exchange(old, choose(old, operand))) {\n  }\n",
            "  word.store(choose(old, operand));\n",
        ),
    ),
    in_library(
        "barrier_unflushed",
        "a barrier does not flush its members' earlier puts",
        "team/barrier.cpp",
        "barriers",
        300,
        ("  flush(world);\n", ""),
    ),
    in_library(
        "barrier_skips_a_round",
        "the last round between nodes is skipped",
        "team/rendezvous.cpp",
        "barriers",
        50,
        ("distance < n;", "2 * distance < n;"),
    ),
    in_library(
        "deposit_unflushed",
        "a member counts itself in before its contribution has arrived",
        "team/rendezvous.cpp",
        "sums",
        10,
        ("  if (any) context.flush(leader.rank());\n", "  static_cast<void>(any);\n"),
    ),
    in_library(
        "result_after_release",
        "members are released separately from their results",
        "team/rendezvous.cpp",
        "sums",
        10,
        (
            "    context.put({&part, 1}, nullptr, &sources, &after);\n",
            "    context.put({&part, 1}, nullptr, &sources);\n"
            "    tell(context, after.word, after.value);\n",
        ),
    ),
    in_library(
        "link_ring_early",
        "a part of a link's ring is reused before its receiver has released it",
        "team/link.cpp",
        "broadcasts",
        100,
        (
            "team_->layout().link_taken(link))) + all >= end;",
            "team_->layout().link_taken(link))) + all > end - all;",
        ),
    ),
    in_library(
        "link_taken_kept_back",
        "a link's receiver keeps back what it has taken while its sender waits for space",
        "team/link.cpp",
        "broadcasts",
        10,
        ("    let_send(link, bytes);\n", ""),
    ),
    in_library(
        "member_teams_alike",
        "all teams that the same members make have one name",
        "team/member_blocks.cpp",
        "member_teams",
        10,
        ("key.number = ++made_[{key.list, key.list_again}];", "key.number = 1;"),
    ),
    in_library(
        "chunk_ungranted",
        "an exchange sends one chunk more than it was granted",
        "team/exchange.cpp",
        "exchanges",
        10,
        (
            "(granted_ & chunk_mask) > (used() & chunk_mask)",
            "(granted_ & chunk_mask) >= (used() & chunk_mask)",
        ),
    ),
    in_library(
        "result_freed_early",
        "a result that its owner keeps is released before it was fetched",
        "rpc/pending_call.cpp",
        "large_results",
        150,
        (
            "    context_->get(std::span(&part, 1), this);\n",
            "    context_->get(std::span(&part, 1), this);\n"
            "    state_->get<rpc_store>().release(*context_, elsewhere_.place);\n",
        ),
        (
            "  call.state_->get<rpc_store>().release(*call.context_, call.elsewhere_.place);\n",
            "",
        ),
    ),
    in_library(
        "reply_before_end",
        "a call is answered while operations that its function started are in flight",
        "rpc/reply.hpp",
        "late_results",
        20,
        ("  if (result.ready()) {\n", "  if (std::is_void_v<T> || result.ready()) {\n"),
        ("      result.get();\n", ""),
    ),
    in_library(
        "update_at_the_origin",
        "a hash map's update fetches the value and sends back another",
        "containers/map/hash_map_view.hpp",
        "counts",
        10,
        (
            "    return this->run(containers::update_op<V, F>{{}, function}, key, operand);\n",
            "    V value = find(key).value_or(V{});\n"
            "    function(value, operand);\n"
            "    return insert_or_assign(key, value);\n",
        ),
    ),
    in_library(
        "batch_ends_early",
        "a batch returns when its oldest message is answered",
        "containers/map/batch.cpp",
        "batches",
        10,
        ("  while (!calls_.empty()) wait_for_oldest();", "  if (!calls_.empty()) wait_for_oldest();"),
    ),
    in_library(
        "map_leaves_early",
        "a rank's part of a map is freed while others may use it",
        "team/collective_scope.cpp",
        "short_lives",
        10,
        (
            "  try {\n    barrier(world);\n  } catch (const rank_failed&) {\n",
            "  try {\n    static_cast<void>(world);\n  } catch (const rank_failed&) {\n",
        ),
    ),
    in_library(
        "calls_ignore_the_phase",
        "in a phase of changes, the function of a call adds as if others waited for readers",
        "containers/map/table_user.hpp",
        "phase_counts",
        25,
        (
            "access_while<started_access<typename Part::key_type, "
            "typename Part::mapped_type>, P>;\n",
            "started_access<typename Part::key_type, typename Part::mapped_type>;\n",
        ),
    ),
    in_library(
        "erase_overtakes_insert",
        "an erase finds its key's bucket locked by an insert that has returned, and gives up",
        "containers/map/bucket_operations.inc",
        "phase_keys",
        10,
        (
            "which == bucket_wanted::present && (is_free || access_of<Access>::is_read)",
            "which == bucket_wanted::present",
        ),
    ),
] + LOCK_MUTANTS + CACHED_MUTANTS + GRAPH_MUTANTS + SECTION_MUTANTS + OBJECT_MUTANTS + \
    OBJECT_MONITOR_MUTANTS + STORE_MUTANTS
