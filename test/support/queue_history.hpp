#pragma once
// Compares what each of three ranks has pushed to a queue and popped with what the host finds in
// the queue when one of them has died.

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "far/containers/queue/ring_rest.hpp"
#include "far/world/world.hpp"

namespace far::test {

inline constexpr std::uint32_t max_values = 1 << 15;  // max values that a rank pushes, and pops
inline constexpr int queue_users = 3;                 // rank 1 of them dies

/// A value's parts depend on each other, so that a torn one is detected.
struct number {
  std::uint64_t name = 0;
  std::uint64_t inverse = 0;
  std::uint64_t times_three = 0;

  [[nodiscard]] bool is_whole() const noexcept {
    return inverse == ~name && times_three == 3 * name;
  }
};

/// Names the values of a rank, in the order in which they are pushed.
inline number nth_of(int rank, std::uint64_t index) {
  const std::uint64_t name = (static_cast<std::uint64_t>(rank) << 32) + index;
  return {name, ~name, 3 * name};
}

/// What ranks know of a queue. Each writes its own part; all may read when the job has ended.
/// Trivial, so that forked ranks can share it.
class history {
 public:
  struct of_rank {
    std::uint32_t begun;          ///< pushes begun
    std::uint32_t pushed;         ///< pushes that have returned
    std::uint32_t pushed_before;  ///< those before the host began to close the queue
    std::uint32_t popped;
    std::uint32_t asking;                         ///< size of a pop that has not returned
    std::uint32_t popping;                        ///< popped after `popped`, maybe by a dead rank
    std::array<std::uint64_t, max_values> names;  ///< of what was popped
  };

  /// Pushes `count` values at once, or none.
  template <class View>
  void push(const world& world, View& view, std::uint32_t count) {
    const int rank = world.rank();
    of_rank& mine = ranks_[static_cast<std::size_t>(rank)];
    std::vector<number> values;
    for (std::uint32_t i = 0; i < count; ++i) values.push_back(nth_of(rank, mine.pushed + i));
    mine.begun = mine.pushed + count;
    const bool is_pushed = view.try_push(std::span<const number>(values));
    report_dead(world);
    if (!is_pushed) return;
    mine.pushed += count;
    if (!is_closing_) mine.pushed_before = mine.pushed;
  }
  template <class View>
  void pop(const world& world, View& view, std::uint32_t count) {
    of_rank& mine = ranks_[static_cast<std::size_t>(world.rank())];
    std::vector<number> values(count);
    mine.asking = count;
    values.resize(view.try_pop(std::span(values)));
    mine.asking = 0;
    for (const number& value : values) mine.names[mine.popped + mine.popping++] = value.name;
    report_dead(world);
    for (const number& value : values) EXPECT_TRUE(value.is_whole()) << value.name;
    mine.popped += mine.popping;
    mine.popping = 0;
  }
  [[nodiscard]] bool is_full(int rank) const noexcept {
    const of_rank& mine = ranks_[static_cast<std::size_t>(rank)];
    return std::max(mine.begun, mine.popped) + 8 > max_values;
  }

  template <class Queue>
  void close(const Queue& queue) {
    is_closing_ = true;
    const queue_rest<number> rest = queue.close();
    const queue_rest<number> again = queue.close();
    is_same_ = again.values.size() >= rest.values.size() && again.popping == rest.popping;
    popping_ = rest.popping;
    pushing_ = rest.pushing;
    left_ = keep(rest.values, values_);
    doubtful_ = keep(rest.doubtful, doubts_);
    is_closed_ = true;
  }

  /// Call it when all ranks have left. `lost`: max values that may have been popped but not
  /// recorded. The oldest values may also be missing if an exception interrupted the pop that took
  /// them.
  void check(std::size_t lost, bool in_phases) const {
    if (!is_closed_) return;
    EXPECT_TRUE(is_same_);
    std::set<std::uint64_t> popped;
    for (const of_rank& one : ranks_) {
      for (std::uint32_t i = 0; i < one.popped; ++i) {
        EXPECT_TRUE(popped.insert(one.names[i]).second) << one.names[i];
      }
    }
    std::set<std::uint64_t> left;
    std::array<std::uint64_t, queue_users> first{};
    std::array<std::uint64_t, queue_users> next{};
    for (std::size_t i = 0; i < left_; ++i) {
      const std::uint64_t name = values_[i].name;
      ASSERT_LT(name >> 32, std::uint64_t{queue_users});
      EXPECT_TRUE(values_[i].is_whole()) << name;
      EXPECT_TRUE(left.insert(name).second) << name;
      EXPECT_GE(name & UINT32_MAX, next[name >> 32]) << "out of order";
      if (next[name >> 32] == 0) first[name >> 32] = name & UINT32_MAX;
      next[name >> 32] = (name & UINT32_MAX) + 1;
      EXPECT_LE(next[name >> 32], ranks_[name >> 32].begun);
      if (!in_phases || i >= popping_) {
        EXPECT_FALSE(popped.contains(name)) << name;
      }
    }
    for (std::size_t i = 0; i < doubtful_; ++i) left.insert(doubts_[i].name);
    std::size_t missing = 0;
    for (int rank = 0; rank < queue_users; ++rank) {
      for (std::uint32_t i = 0; i < ranks_[static_cast<std::size_t>(rank)].pushed_before; ++i) {
        const std::uint64_t name = nth_of(rank, i).name;
        if (left.contains(name) || popped.contains(name) || is_popping(name)) continue;
        ++missing;
        EXPECT_TRUE(next[static_cast<std::size_t>(rank)] == 0 ||
                    i < first[static_cast<std::size_t>(rank)])
            << name;
      }
      lost += ranks_[static_cast<std::size_t>(rank)].asking;
    }
    EXPECT_LE(missing, lost);
  }

  [[nodiscard]] bool is_closed() const noexcept { return is_closed_; }
  [[nodiscard]] std::size_t left() const noexcept { return left_; }
  [[nodiscard]] std::size_t popping() const noexcept { return popping_; }
  [[nodiscard]] std::size_t pushing() const noexcept { return pushing_; }

 private:
  static constexpr std::size_t max_left = 64;

  /// In a simulation a killed rank runs on until here, without effect.
  static void report_dead(const world& world) {
    if (world.rank() == 1) world.progress();
  }
  /// Whether the dead rank may have popped the value last.
  [[nodiscard]] bool is_popping(std::uint64_t name) const {
    const of_rank& dead = ranks_[1];
    const auto last = dead.names.begin() + dead.popped;
    return std::find(last, last + dead.popping, name) != last + dead.popping;
  }

  static std::size_t keep(const std::vector<number>& from, std::array<number, max_left>& to) {
    const std::size_t count = std::min(from.size(), max_left);
    std::copy_n(from.begin(), count, to.begin());
    return count;
  }

  std::array<of_rank, queue_users> ranks_;
  std::atomic<bool> is_closing_;
  std::atomic<bool> is_closed_;
  bool is_same_;
  std::size_t popping_;
  std::size_t pushing_;
  std::size_t left_;
  std::size_t doubtful_;
  std::array<number, max_left> values_;
  std::array<number, max_left> doubts_;
};

/// A history that forked ranks share; initially zero.
class shared_history {
 public:
  shared_history() {
    void* const place =
        mmap(nullptr, sizeof(history), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    history_ = new (place) history;  // leaves the zeros as they are
  }
  ~shared_history() { munmap(history_, sizeof(history)); }
  shared_history(const shared_history&) = delete;
  shared_history& operator=(const shared_history&) = delete;

  [[nodiscard]] history& operator*() const noexcept { return *history_; }
  [[nodiscard]] history* operator->() const noexcept { return history_; }

 private:
  history* history_;
};

}  // namespace far::test
