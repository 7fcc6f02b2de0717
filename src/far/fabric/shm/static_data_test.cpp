// The executable's static data as a segment of each rank.

#include "far/fabric/shm/static_data.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/far.hpp"
#include "test/support/jobs.hpp"

// With external linkage, so that the compiler cannot know who changes them.
namespace far::test {

std::uint64_t static_begun = 42;
std::array<int, 10'000> static_row{};
std::uint64_t static_word = 0;
std::int16_t static_short = -3;
std::array<double, 4 << 20> static_untouched{};
const int static_constant = 5;

}  // namespace far::test

namespace far {
namespace {

using test::static_begun;
using test::static_row;
using test::static_short;
using test::static_untouched;
using test::static_word;

template <class T>
ptr<T> pointer_to(const world& w, T& variable) {
  return ptr<T>(w.fabric().address_of(&variable));
}

int right_of(const world& w) { return (w.rank() + 1) % w.size(); }
int left_of(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }

class static_data_test : public test::on_ranks {
 protected:
  static_data_test() { options.static_data = true; }

  /// Whether ranks have processes of their own; else expects that the job is refused.
  bool is_possible() {
    const bool one_process = options.mode == job_mode::fibers ||
                             (options.mode == job_mode::threads && options.ranks > 1);
    if (!one_process) return true;
    try {
      far::run(options, [](world&) {});
      ADD_FAILURE() << "not refused";
    } catch (const bad_argument& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("process of its own"), std::string::npos);
      EXPECT_EQ(std::string(refusal.what()).find('\n'), std::string::npos);
    }
    return false;
  }
};
INSTANTIATE_FAR_MODES_ON(static_data_test, 1, 2, 4);

TEST_P(static_data_test, other_ranks_reach_variables) {
  if (!is_possible()) return;
  run([](world& w) {
    EXPECT_EQ(static_begun, 42u);
    EXPECT_EQ(static_short, -3);
    const auto begun = pointer_to(w, static_begun);
    const auto row = pointer_to(w, static_row[0]);
    ASSERT_TRUE(static_cast<bool>(begun));
    EXPECT_EQ(begun.address().segment(), fabric::static_segment);
    for (const auto offset : {begun.address().offset(), row.address().offset()}) {
      EXPECT_EQ(allreduce(w, offset, [](auto a, auto b) { return std::min(a, b); }), offset);
    }
    // By put, get and atomics; both places of a variable are one memory.
    put(w, begun.on(right_of(w)), std::uint64_t{100} + static_cast<unsigned>(w.rank()));
    barrier(w);
    EXPECT_EQ(static_begun, 100u + static_cast<unsigned>(left_of(w)));
    EXPECT_EQ(get(w, begun), static_begun);
    barrier(w);
    static_begun = 7;
    barrier(w);
    atomic_ref(w, begun.on(0)).fetch_add(1);
    barrier(w);
    EXPECT_EQ(get(w, begun.on(0)), 7u + static_cast<unsigned>(w.size()));
    EXPECT_EQ(static_begun, w.rank() == 0 ? 7u + static_cast<unsigned>(w.size()) : 7u);
    barrier(w);
    // A long transfer from static memory to static memory.
    for (std::size_t i = 0; i < static_row.size() / 2; ++i) {
      static_row[i] = w.rank() + static_cast<int>(i);
    }
    barrier(w);
    constexpr auto half = static_cast<std::int64_t>(static_row.size() / 2);
    put(w, row.on(right_of(w)) + half, std::span<const int>(static_row).first(half));
    barrier(w);
    for (std::size_t i = 0; i < half; ++i) {
      ASSERT_EQ(static_row[i + half], left_of(w) + static_cast<int>(i));
    }
    std::vector<int> back(half);
    get(w, row.on(right_of(w)), std::span(back));
    EXPECT_EQ(back[17], right_of(w) + 17);
    barrier(w);
  });
  EXPECT_EQ(static_short, -3);
  if (options.mode == job_mode::processes) {
    EXPECT_EQ(static_begun, 42u);
  }
  static_begun = 42;
}

TEST_P(static_data_test, ranks_wait_for_variables) {
  if (!is_possible()) return;
  run([](world& w) {
    const auto word = pointer_to(w, static_word);
    const auto small = pointer_to(w, static_short);
    static_word = 0;
    static_short = -3;
    barrier(w);
    notify(w, signal_of(word.on(right_of(w)), 3));
    EXPECT_EQ(wait_signal(w, word, at_least{3}), 3u);
    put(w, small.on(right_of(w)), std::int16_t{9});
    await_word(w, small, comparison::gt, std::int16_t{0});
    EXPECT_EQ(static_short, 9);
    barrier(w);
    static_short = -3;
  });
}

TEST_P(static_data_test, other_memory_is_not_theirs) {
  if (!is_possible()) return;
  run([](world& w) {
    int automatic = 0;
    const auto heap = std::make_unique<int>(0);
    EXPECT_FALSE(static_cast<bool>(w.fabric().address_of(&automatic)));
    EXPECT_FALSE(static_cast<bool>(w.fabric().address_of(heap.get())));
    EXPECT_FALSE(static_cast<bool>(w.fabric().address_of(&test::static_constant)));
    const std::uint64_t bytes = w.fabric().layout().bytes[fabric::static_segment];
    const fabric::address end(w.rank(), fabric::static_segment, bytes);
    EXPECT_THROW(w.fabric().check_bounds(end, 1), out_of_bounds);
    EXPECT_THROW(w.fabric().check_bounds(end.on(right_of(w)) + -4, 8), out_of_bounds);
    // What is not used costs no memory, and is zero.
    EXPECT_EQ(static_untouched[static_untouched.size() / 2], 0.0);
    EXPECT_TRUE(static_cast<bool>(w.fabric().address_of(&static_untouched.back())));
    // The heaps are beside them.
    const auto p = allocate_local<int>(w, 1000);
    EXPECT_EQ(w.fabric().address_of(local(w, p)), p.address());
    deallocate_local(w, p);
    barrier(w);
  });
}

/// A process that a rank forks has variables of its own.
TEST_P(static_data_test, a_fork_does_not_change_its_ranks_variables) {
  if (!is_possible()) return;
  run([](world& w) {
    static_word = 1;
    const pid_t child = fork();
    if (child == 0) {
      const bool kept = static_word == 1;
      static_word = 2;
      _exit(kept && static_word == 2 ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(static_word, 1u);
    barrier(w);
  });
}

// In one process, jobs leave the variables as they were at the end.
TEST(static_data, stay_after_the_job) {
  run_options options;
  options.static_data = true;
  for (std::uint64_t job = 1; job <= 3; ++job) {
    far::run(options, [&](world& w) {
      EXPECT_EQ(static_word, job - 1);
      put(w, pointer_to(w, static_word), job);
      static_untouched[job] = 1.5;
    });
    EXPECT_EQ(static_word, job);
    EXPECT_EQ(static_untouched[job], 1.5);
    static_untouched[job] = 0;
  }
  static_word = 0;
  far::run(run_options{}, [](world& w) {  // off unless asked for
    EXPECT_FALSE(static_cast<bool>(w.fabric().address_of(&static_word)));
    EXPECT_EQ(w.fabric().layout().bytes[fabric::static_segment], 0u);
  });
}

TEST(static_data, a_small_heap_is_refused) {
  run_options options;
  options.static_data = true;
  options.local_bytes = 2 << 20;
  try {
    far::run(options, [](world&) {});
    ADD_FAILURE() << "not refused";
  } catch (const bad_argument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("raise FAR_LOCAL_HEAP"), std::string::npos);
  }
}

TEST(static_data, the_image_is_of_whole_pages) {
  const fabric::shm::static_image image = fabric::shm::find_static_image();
  const auto* const variable = reinterpret_cast<const std::byte*>(&static_untouched.back());
  bool inside = false;
  for (const auto& one : image.pieces) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one.begin) % fabric::shm::page, 0u);
    EXPECT_EQ(one.bytes % fabric::shm::page, 0u);
    inside |= one.begin <= variable && variable < one.begin + one.bytes;
  }
  EXPECT_TRUE(inside);
  EXPECT_EQ(image.fingerprint, fabric::shm::find_static_image().fingerprint);
}

}  // namespace
}  // namespace far
