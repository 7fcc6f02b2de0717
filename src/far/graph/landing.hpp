#pragma once
// Where other ranks put what they send in each round.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/rma/future.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::graphs {

/// Two arrays in this rank's segment: others fill the next one while the current one is read, and
/// count a signal when a piece has come. Construction and destruction are collective.
template <class T>
class landing {
 public:
  /// `entries` of this rank; `senders`: pieces that come in a round.
  landing(const world& world, std::uint64_t entries, std::uint64_t senders);
  ~landing();
  landing(const landing&) = delete;
  landing& operator=(const landing&) = delete;

  [[nodiscard]] std::span<T> next() const noexcept { return next_; }
  [[nodiscard]] std::span<const T> current() const noexcept { return current_; }

  /// Sends a piece of the next array to where it begins with entry `place` of rank `to`. It must
  /// not change before turn returns.
  void send(int to, std::uint64_t place, std::span<const T> piece);
  /// Waits for this round's pieces, and makes the next array the current one.
  void turn();

 private:
  const world* world_;
  std::uint64_t room_;  // capacity of one of the arrays, equal on all ranks
  ptr<T> memory_;
  ptr<std::uint64_t> arrivals_;
  std::uint64_t expected_ = 0;  // arrivals_ after all rounds so far
  std::uint64_t senders_;
  std::int64_t next_at_ = 0;  // offset of next_ in memory_: 0 or room_
  std::span<T> next_, current_;
  std::vector<future<void>> sent_;
  collective_scope scope_;
};

}  // namespace far::graphs
