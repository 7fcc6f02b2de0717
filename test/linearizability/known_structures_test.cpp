// Histories of queues, maps and locks with a known verdict.

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "test/linearizability/lock.hpp"
#include "test/linearizability/map.hpp"
#include "test/linearizability/queue.hpp"
#include "test/linearizability/story.hpp"

namespace far::linearizability {
namespace {

using queue = queue_operation;
using got = queue_result;
using queue_story = story<queue_specification>;

TEST(known_queues_test, values_leave_in_their_order) {
  for (const bool in_order : {true, false}) {
    queue_story s;
    s.call(0, queue::try_push(1), got::pushed());
    s.call(1, queue::try_push(2), got::pushed());
    s.call(2, queue::try_pop(), got::popped(in_order ? 1 : 2));
    s.call(2, queue::try_pop(), got::popped(in_order ? 2 : 1));
    EXPECT_EQ(s.outcome(), in_order ? good : bad);
  }
}

TEST(known_queues_test, no_value_stays_behind_a_later_one) {
  queue_story s;
  s.call(0, queue::try_push(1), got::pushed());
  s.call(0, queue::try_push(2), got::pushed());
  s.call(2, queue::try_pop(), got::popped(2));
  EXPECT_EQ(s.outcome(), bad);
  EXPECT_EQ(s.explanation(),
            "no order of the calls explains both\n"
            "  process 0: try_push(1) -> done               (events 0 to 1)\n"
            "  process 0: try_push(2) -> done               (events 2 to 3)\n"
            "the first ended before the second began, but others saw the second's effect first\n");

  queue_story with_pending;  // the pending pop may have popped 1
  with_pending.call(0, queue::try_push(1), got::pushed());
  (void)with_pending.begin(1, queue::try_pop());
  with_pending.call(0, queue::try_push(2), got::pushed());
  with_pending.call(2, queue::try_pop(), got::popped(2));
  EXPECT_EQ(with_pending.outcome(), good);
}

TEST(known_queues_test, nothing_comes_out_that_was_not_put_in) {
  queue_story s;
  s.call(1, queue::try_pop(), got::popped(1));
  s.call(0, queue::try_push(1), got::pushed());
  EXPECT_EQ(s.outcome(), bad);
  EXPECT_EQ(s.explanation(),
            "no order of the calls explains that process 1: try_pop() -> 1"
            "                    (events 0 to 1)\nwhich nothing before allows\n");
  queue_story twice;  // values that are pushed twice do not hide it
  twice.call(0, queue::try_push(1), got::pushed());
  twice.call(0, queue::try_push(1), got::pushed());
  twice.call(0, queue::try_pop(), got::popped(1));
  twice.call(0, queue::try_pop(), got::popped(1));
  EXPECT_EQ(twice.outcome(), good);
  twice.call(0, queue::try_pop(), got::popped(1));
  EXPECT_EQ(twice.outcome(), bad);
}

TEST(known_queues_test, pushes_at_once_have_either_order) {
  for (const std::uint64_t first : {1u, 2u}) {
    queue_story s;
    const auto one = s.begin(0, queue::try_push(1));
    s.call(1, queue::try_push(2), got::pushed());
    s.end(one, got::pushed());
    s.call(2, queue::try_pop(), got::popped(first));
    s.call(2, queue::try_pop(), got::popped(3 - first));
    s.call(2, queue::try_pop(), got::refused());
    EXPECT_EQ(s.outcome(), good);
  }
}

TEST(known_queues_test, no_value_is_popped_twice) {
  queue_story s;
  s.call(0, queue::try_push(1), got::pushed());
  const auto one = s.begin(1, queue::try_pop());
  const auto two = s.begin(2, queue::try_pop());
  s.end(one, got::popped(1));
  EXPECT_EQ(s.outcome(), good);  // the other pop is pending
  s.end(two, got::popped(1));
  EXPECT_EQ(s.outcome(), bad);
}

TEST(known_queues_test, it_is_not_empty_while_a_value_must_be_there) {
  for (const bool other_pop : {true, false}) {
    queue_story s;
    s.call(0, queue::try_push(1), got::pushed());
    if (other_pop) (void)s.begin(2, queue::try_pop());  // it may have popped the value
    s.call(1, queue::try_pop(), got::refused());
    EXPECT_EQ(s.outcome(), other_pop ? good : bad);
  }
}

TEST(known_queues_test, it_is_full_only_at_its_capacity) {
  for (const std::size_t capacity : {1u, 2u}) {
    queue_story s;
    s.spec.capacity = capacity;
    s.call(0, queue::try_push(1), got::pushed());
    s.call(0, queue::try_push(2), got::refused());
    EXPECT_EQ(s.outcome(), capacity == 1 ? good : bad);
  }
}

using entry = entry_operation;
using map_story = story<map_specification>;
keyed_operation<std::uint64_t, entry> on(std::uint64_t key, entry what) { return {key, what}; }

TEST(known_maps_test, an_empty_history_is_fine) { EXPECT_EQ(map_story{}.outcome(), good); }

TEST(known_maps_test, keys_do_not_disturb_each_other) {
  map_story s;
  const auto insert = s.begin(0, on(1, entry::insert(10)));
  s.call(1, on(2, entry::insert_or_assign(20)), entry_result::of(true));
  s.call(1, on(2, entry::find()), entry_result::found(20));
  s.end(insert, entry_result::of(true));
  s.call(2, on(1, entry::find()), entry_result::found(10));
  EXPECT_EQ(s.outcome(), good);
  s.call(2, on(1, entry::find()), entry_result::found(20));
  EXPECT_EQ(s.outcome(), bad);
  EXPECT_EQ(s.explanation().rfind("key 1: no order", 0), 0u) << s.explanation();
}

TEST(known_maps_test, one_insert_wins) {
  for (const bool both : {false, true}) {
    map_story s;
    const auto one = s.begin(0, on(1, entry::insert(10)));
    const auto two = s.begin(1, on(1, entry::insert(11)));
    s.end(one, entry_result::of(true));
    s.end(two, entry_result::of(both));
    s.call(2, on(1, entry::find()), entry_result::found(10));
    EXPECT_EQ(s.outcome(), both ? bad : good);
  }
}

TEST(known_maps_test, an_erased_key_stays_away) {
  for (const bool there : {false, true}) {
    map_story s;
    s.call(0, on(1, entry::insert(10)), entry_result::of(true));
    s.call(1, on(1, entry::erase()), entry_result::of(true));
    s.call(2, on(1, entry::find()), entry_result{there, there ? 10u : 0u});
    EXPECT_EQ(s.outcome(), there ? bad : good);
  }
}

TEST(known_maps_test, updates_are_not_lost) {
  for (const std::uint64_t sum : {7u, 4u}) {
    map_story s;
    const auto one = s.begin(0, on(1, entry::add_or_insert(3)));
    s.call(1, on(1, entry::add_or_insert(4)), entry_result::of(true));
    s.end(one, entry_result::of(false));
    s.call(2, on(1, entry::find()), entry_result::found(sum));
    EXPECT_EQ(s.outcome(), sum == 7 ? good : bad);
  }
}

using lock = lock_operation;
using lock_story = story<lock_specification>;

TEST(known_locks_test, one_at_a_time) {
  lock_story s;
  s.call(0, lock::acquire(0), true);
  const auto second = s.begin(1, lock::acquire(1));
  s.call(0, lock::release(0), true);
  s.end(second, true);
  EXPECT_EQ(s.outcome(), good);
  s.call(2, lock::acquire(2), true);  // although 1 holds it
  EXPECT_EQ(s.outcome(), bad);
}

TEST(known_locks_test, a_release_under_way_may_have_been) {
  lock_story s;
  s.call(0, lock::acquire(0), true);
  const auto release = s.begin(0, lock::release(0));
  s.call(1, lock::acquire(1), true);
  s.end(release, true);
  EXPECT_EQ(s.outcome(), good);
}

TEST(known_locks_test, only_the_holder_releases) {
  lock_story s;
  s.call(0, lock::acquire(0), true);
  s.call(1, lock::release(1), true);
  EXPECT_EQ(s.outcome(), bad);
}

TEST(known_locks_test, a_try_fails_for_a_reason_unless_it_need_not) {
  for (const bool may_fail : {false, true}) {
    lock_story s;
    s.spec.tries_may_fail = may_fail;
    s.call(0, lock::try_acquire(0), false);
    EXPECT_EQ(s.outcome(), may_fail ? good : bad);
    s.call(0, lock::acquire(0), true);
    s.call(1, lock::try_acquire(1), true);
    EXPECT_EQ(s.outcome(), bad);
  }
}

TEST(known_locks_test, readers_share_and_writers_do_not) {
  lock_story s;
  s.call(0, lock::acquire_shared(0), true);
  s.call(1, lock::try_acquire_shared(1), true);
  s.call(2, lock::try_acquire(2), false);
  s.call(0, lock::release_shared(0), true);
  const auto writer = s.begin(2, lock::acquire(2));
  s.call(1, lock::release_shared(1), true);
  s.end(writer, true);
  EXPECT_EQ(s.outcome(), good);
  s.call(3, lock::acquire_shared(3), true);  // a reader while the writer is inside
  EXPECT_EQ(s.outcome(), bad);
}

}  // namespace
}  // namespace far::linearizability
