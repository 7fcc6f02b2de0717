"""The planted bugs of the monitors of shared objects."""

from planted import in_library

OBJECT_MONITOR_MUTANTS = [
    in_library(
        "refreshed_before_entering",
        "a thread forgets stale copies before it is in the monitor",
        "object/monitor/monitor_operations.cpp",
        "object_fields",
        10,
        (
            "    }\n  }\n  refresh();\n}\n\n/// Enters a monitor that is free",
            "    }\n  }\n}\n\n/// Enters a monitor that is free",
        ),
        (
            "  let_others_run();\n  publish();\n  if (again",
            "  let_others_run();\n  publish();\n  refresh();\n  if (again",
        ),
    ),
    in_library(
        "notification_lost",
        "a thread that waits itself forgets whom it has notified",
        "object/monitor/monitor_table.cpp",
        "object_turns",
        10,
        ("  notify(m, notified);\n  const auto early", "  const auto early"),
    ),
    in_library(
        "expired_before_it_waits",
        "the end of a wait that comes before the wait is forgotten",
        "object/monitor/monitor_table.cpp",
        "object_waits",
        10,
        ("  expired_[thread] = number;\n", ""),
    ),
    # What travels with their messages.
    in_library(
        "granted_over_later_value",
        "what a grant has brought replaces what was fetched or changed since it was asked for",
        "object/monitor/granted_object.cpp",
        "object_monitors",
        1800,
        (" && g.asked >= c.begun &&", " &&"),
    ),
    in_library(
        "granted_outlives_monitor",
        "what a grant has brought is used after the thread has left, and entered again",
        "object/synchronize.cpp",
        "object_monitors",
        1100,
        (
            "  me_->granted.place = std::exchange(me_->granted.coming, 0);\n",
            "  if (me_->granted.coming != 0) {\n"
            "    me_->granted.place = std::exchange(me_->granted.coming, 0);\n  }\n",
        ),
    ),
    in_library(
        "granted_over_kept_copy",
        "a grant makes the home forget a copy that its rank keeps",
        "object/home/region_directory.cpp",
        "object_monitors",
        20,
        (" || (at != e.users.end() && at->kept)) return false;", ") return false;"),
    ),
    in_library(
        "granted_while_away",
        "a grant brings what an object was before it migrated",
        "object/home/region_directory.cpp",
        "moved_monitors",
        200,
        ("  if (e.owner >= 0 || (at != ", "  if ((at != "),
    ),
    in_library(
        "changed_while_away",
        "a change by a rank whose copy the directory does not know is stored while the region is away",
        "object/messages.cpp",
        "moved_monitors",
        1800,
        ("    if (owner >= 0 && owner != writer) of.directory", "    if (owner > 99) of.directory"),
    ),
    in_library(
        "left_before_visible",
        "a monitor is left before the changes are visible that come with the message",
        "object/messages.cpp",
        "object_monitors",
        10,
        ("} else if (asked.follows) {\n", "} else if (asked.follows && rank < 0) {\n"),
    ),
    in_library(
        "left_before_other_packets",
        "a monitor is left while changes of other objects are not acknowledged",
        "object/copy/packets.cpp",
        "object_monitors",
        110,
        (" && home_ == home && me_->packets_in_flight == 0;", " && home_ == home;"),
    ),
    in_library(
        "left_unacknowledged",
        "a thread has left a monitor, and what it has changed before is not visible yet",
        "object/monitor/monitor_operations.cpp",
        "object_counters",
        30,
        ("notified, number, true);\n  changes->finish();\n", "notified, number, true);\n"),
    ),
]
