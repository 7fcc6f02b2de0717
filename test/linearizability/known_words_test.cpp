// Histories of a word with a known verdict: values that it may show, and values that it may not.

#include <cstdint>
#include <stdexcept>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "test/linearizability/story.hpp"
#include "test/linearizability/word.hpp"

namespace far::linearizability {
namespace {

using word = word_operation;
using word_story = story<word_specification>;

TEST(known_words_test, an_empty_history_is_fine) { EXPECT_EQ(word_story{}.outcome(), good); }

TEST(known_words_test, a_read_after_a_write_is_not_stale) {
  for (const std::uint64_t seen : {0u, 1u, 2u}) {
    word_story s;
    s.call(0, word::write(1), 0);
    s.call(1, word::read(), seen);
    EXPECT_EQ(s.outcome(), seen == 1 ? good : bad) << seen;
  }
}

TEST(known_words_test, a_read_during_a_write_sees_old_or_new) {
  for (const std::uint64_t seen : {0u, 1u, 2u}) {
    word_story s;
    const auto write = s.begin(0, word::write(1));
    s.call(1, word::read(), seen);
    s.end(write, 0);
    EXPECT_EQ(s.outcome(), seen < 2 ? good : bad) << seen;
  }
}

TEST(known_words_test, reads_do_not_go_back_in_time) {
  for (const bool back : {false, true}) {
    word_story s;
    const auto write = s.begin(0, word::write(1));
    s.call(1, word::read(), back ? 1 : 0);
    s.call(2, word::read(), back ? 0 : 1);
    s.end(write, 0);
    EXPECT_EQ(s.outcome(), back ? bad : good);
  }
}

TEST(known_words_test, readers_agree_on_the_order_of_writes) {
  for (const bool agree : {true, false}) {
    word_story s;
    const auto one = s.begin(0, word::write(1));
    const auto two = s.begin(1, word::write(2));
    const auto left = s.begin(2, word::read());
    const auto right = s.begin(3, word::read());
    s.end(left, 1);
    s.end(right, agree ? 1 : 2);
    s.call(2, word::read(), 2);
    s.call(3, word::read(), agree ? 2 : 1);
    s.end(one, 0);
    s.end(two, 0);
    EXPECT_EQ(s.outcome(), agree ? good : bad);
  }
}

TEST(known_words_test, a_pending_write_may_be_seen_or_not) {
  word_story s;
  s.call(1, word::read(), 0);
  (void)s.begin(0, word::write(1));
  s.call(1, word::read(), 0);
  EXPECT_EQ(s.outcome(), good);
  s.call(2, word::read(), 1);  // late, but the write took place
  EXPECT_EQ(s.outcome(), good);
  s.call(1, word::read(), 0);  // and disappeared again
  EXPECT_EQ(s.outcome(), bad);
}

TEST(known_words_test, a_pending_write_takes_place_once) {
  word_story s;
  (void)s.begin(0, word::write(1));
  s.call(1, word::exchange(2), 1);
  EXPECT_EQ(s.outcome(), good);
  s.call(1, word::read(), 1);
  EXPECT_EQ(s.outcome(), bad);
}

TEST(known_words_test, a_write_does_not_take_place_before_it_begins) {
  word_story s;
  s.call(1, word::read(), 1);
  s.call(0, word::write(1), 0);
  EXPECT_EQ(s.outcome(), bad);
}

TEST(known_words_test, updates_are_not_lost) {
  for (const std::uint64_t second : {0u, 1u}) {
    word_story s;
    const auto one = s.begin(0, word::fetch_add(1));
    const auto two = s.begin(1, word::fetch_add(1));
    s.end(one, 0);
    s.end(two, second);
    EXPECT_EQ(s.outcome(), second == 1 ? good : bad);
  }
  word_story s;  // no two results are equal, but one update is missing
  s.call(0, word::fetch_add(1), 0);
  s.call(1, word::fetch_add(1), 1);
  s.call(0, word::read(), 1);
  EXPECT_EQ(s.outcome(), bad);
}

TEST(known_words_test, one_compare_exchange_wins) {
  for (const std::uint64_t second : {0u, 1u}) {
    word_story s;
    const auto one = s.begin(0, word::compare_exchange(0, 1));
    const auto two = s.begin(1, word::compare_exchange(0, 2));
    s.end(one, 0);
    s.end(two, second);
    EXPECT_EQ(s.outcome(), second == 1 ? good : bad);
  }
}

TEST(known_words_test, a_write_of_what_is_there_is_more_than_a_read) {
  // The first write finds its value there already, and still has to wait for the update.
  word_story s;
  s.spec.first = 2;
  const auto write = s.begin(0, word::write(2));
  s.call(1, word::fetch_add(1), 2);
  s.call(1, word::read(), 2);
  s.end(write, 0);
  EXPECT_EQ(s.outcome(), good);
}

TEST(known_words_test, an_explanation_names_the_calls) {
  word_story s;
  s.call(0, word::write(5), 0);
  (void)s.begin(3, word::write(6));
  s.call(1, word::read(), 7);
  s.call(2, word::read(), 6);
  EXPECT_EQ(
      s.explanation(),
      "no order of the calls explains that process 1: read() -> 7"
      "                       (events 3 to 4)\n"
      "closest is, of 1 calls that take place before:\n"
      "  process 0: write(5)                          (events 0 to 1)\n"
      "which leaves: 5\n"
      "but then none of these can be next:\n"
      "  process 1: read() -> 7                       (events 3 to 4) here it is read() -> 5\n"
      "  process 3: write(6) -> ?                     (events 2 on, pending) fits, but leads "
      "nowhere\n");
}

TEST(known_words_test, an_explanation_of_much_is_short) {
  word_story s;
  for (std::uint64_t value = 1; value <= 20; ++value) s.call(0, word::write(value), 0);
  s.call(1, word::read(), 19);
  const report result = check(s.spec, s.log.calls(), {.shown = 2});
  EXPECT_EQ(result.outcome, bad);
  EXPECT_EQ(result.explanation,
            "no order of the calls explains that process 1: read() -> 19"
            "                      (events 40 to 41)\n"
            "closest is, of 20 calls that take place before, the last 2:\n"
            "  (state by then: 18)\n"
            "  process 0: write(19)                         (events 36 to 37)\n"
            "  process 0: write(20)                         (events 38 to 39)\n"
            "which leaves: 20\n"
            "but then none of these can be next:\n"
            "  process 1: read() -> 19                      (events 40 to 41) here it is read() -> "
            "20\n");
}

TEST(known_words_test, answers_come_once_and_from_known_processes) {
  history_of<word_specification> log(2);
  const auto read = log.invoke(1, word::read());
  log.respond(read, 0);
  EXPECT_THROW(log.respond(read, 0), bad_argument);
  EXPECT_THROW((void)log.invoke(2, word::read()), std::out_of_range);
  EXPECT_THROW(history_of<word_specification>(0), bad_argument);
  log.clear();
  EXPECT_TRUE(log.calls().empty());
}

}  // namespace
}  // namespace far::linearizability
