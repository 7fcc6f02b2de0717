"""The planted bugs of shared objects."""

from planted import in_library

OBJECT_MUTANTS = [
    # Differences.
    in_library(
        "twin_not_updated",
        "what has been sent stays a difference, and is sent again over later values",
        "object/words.cpp",
        "object_counters",
        420,
        (
            "  __builtin_memcpy(twin, &now, Bytes);\n  __builtin_memcpy(value, &now, Bytes);\n",
            "  __builtin_memcpy(value, &now, Bytes);\n",
        ),
    ),
    in_library(
        "merge_over_local_change",
        "a fetched value replaces what a thread of this rank has written",
        "object/words.cpp",
        "object_counters",
        15,
        ("  if (now == before) return;\n  __builtin", "  __builtin"),
        (
            "  __atomic_compare_exchange_n(word, &before, now, false, __ATOMIC_RELAXED, "
            "__ATOMIC_RELAXED);\n",
            "  before = now;\n  __atomic_store_n(word, now, __ATOMIC_RELAXED);\n",
        ),
    ),
    in_library(
        "changes_not_awaited",
        "a release does not wait until its changes are acknowledged",
        "object/packets.cpp",
        "object_counters",
        10,
        ("return me_->packets_in_flight == 0; }", "return true; }"),
    ),
    # Copies.
    in_library(
        "copy_not_listed",
        "a copy that may become stale is not on the thread's list",
        "object/access.cpp",
        "object_fields",
        10,
        ("  if (c.kept) return;\n  me_->listed", "  if (&c != nullptr) return;\n  me_->listed"),
    ),
    in_library(
        "fetch_during_flush",
        "a copy is fetched while its changes are in flight",
        "object/access.cpp",
        "object_counters",
        40,
        (
            "return c == nullptr || c->busy == busy_with::nothing;\n",
            "return c == nullptr || c->busy != busy_with::fetch;\n",
        ),
    ),
    in_library(
        "flush_of_another_not_awaited",
        "a release does not wait for changes of its thread that another thread has sent",
        "object/synchronize.cpp",
        "object_counters",
        15,
        (
            "      lock.unlock();\n      changes.send();\n",
            "      if (c != nullptr) continue;\n      lock.unlock();\n      changes.send();\n",
        ),
    ),
    # The home.
    in_library(
        "acknowledged_before_revoked",
        "a change is acknowledged while other ranks keep copies that lack it",
        "object/home.cpp",
        "object_counters",
        900,
        ("found->second.unanswered == 0) continue;", "found->second.unanswered >= 0) continue;"),
    ),
    in_library(
        "late_message_believed",
        "a message that a copy is dropped makes the home forget one that was fetched after it",
        "object/home.cpp",
        "object_counters",
        120,
        ("u.rank == rank && u.number == number;", "u.rank == rank && number > 0;"),
    ),
    in_library(
        "stale_writer_keeps_copy",
        "a writer keeps a copy that lacks what others have changed",
        "object/home.cpp",
        "object_counters",
        230,
        ("    u.current = false;\n", ""),
    ),
    in_library(
        "own_change_not_told",
        "a thread of the home changes a region, and those who keep copies are not told",
        "object/synchronize.cpp",
        "object_counters",
        320,
        ("      part_->directory.changed_here(out, offset);\n", ""),
    ),
    in_library(
        "revocation_overtaken",
        "a revocation that comes before the copy that it revokes is forgotten",
        "object/messages.cpp",
        "object_counters",
        400,
        ("      c->revoked = true;\n", ""),
    ),
    # Updates.
    in_library(
        "twin_lacks_update",
        "what another rank has changed is sent again as one's own, over later values",
        "object/updates.cpp",
        "updated_counters",
        900,
        ("    if (c->twin != nullptr) {\n", "    if (c->twin != nullptr && runs.empty()) {\n"),
    ),
    in_library(
        "acknowledged_before_updated",
        "a change is acknowledged before the copies have it",
        "object/home.cpp",
        "updated_counters",
        400,
        (
            "found->second.unanswered == 0) continue;",
            "found->second.unanswered == 0 || found->second.choice.updates()) continue;",
        ),
    ),
    in_library(
        "reader_not_told",
        "one of the ranks that keep copies is not sent a change",
        "object/home.cpp",
        "updated_counters",
        40,
        (
            "    if (u.kept && updates) {\n",
            "    if (u.kept && updates && u.rank == 2 && writer == 1) continue;\n"
            "    if (u.kept && updates) {\n",
        ),
    ),
    # Monitors.
    in_library(
        "refreshed_before_entering",
        "a thread forgets stale copies before it is in the monitor",
        "object/monitor.cpp",
        "object_fields",
        10,
        (
            "    me_->held.push_back({at.bits()});\n  }\n  refresh();\n",
            "    me_->held.push_back({at.bits()});\n  }\n",
        ),
        (
            "  let_others_run();\n  publish();\n  if (again",
            "  let_others_run();\n  publish();\n  refresh();\n  if (again",
        ),
    ),
    in_library(
        "notification_lost",
        "a thread that waits itself forgets whom it has notified",
        "object/monitor_table.cpp",
        "object_turns",
        10,
        ("  notify(m, notified);\n  const auto early", "  const auto early"),
    ),
    in_library(
        "expired_before_it_waits",
        "the end of a wait that comes before the wait is forgotten",
        "object/monitor_table.cpp",
        "object_waits",
        10,
        ("  expired_[thread] = number;\n", ""),
    ),
    # Collections.
    in_library(
        "handles_not_looked_at",
        "objects that only handles keep are collected",
        "object/collector.cpp",
        "object_garbage",
        10,
        ("  thread.handles.for_each([&](place at) { marker_->reach(at); });\n", ""),
    ),
    in_library(
        "found_reference_not_passed_on",
        "a rank does not learn which of its objects those of others refer to",
        "object/conductor.cpp",
        "object_garbage",
        10,
        (".found.push_back(bits);", ".found.clear();"),
    ),
    in_library(
        "copies_of_freed_objects",
        "a thread sees the copy of an object that was where another one is now",
        "object/collector.cpp",
        "object_garbage",
        550,
        ("  forget_copies();\n}", "}"),
    ),
    in_library(
        "held_object_not_looked_at",
        "what an object refers to is collected while a thread is in its monitor",
        "object/collector.cpp",
        "object_garbage",
        130,
        ("  for (const held_monitor& m : thread.held) marker_->reach(place(m.place));\n", ""),
    ),
    in_library(
        "entered_object_not_looked_at",
        "an object is collected while a thread waits for its monitor",
        "object/collector.cpp",
        "object_garbage",
        20,
        ("  marker_->reach(place(thread.enters));\n", ""),
    ),
]
