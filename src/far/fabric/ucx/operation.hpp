#pragma once
// Records of what is under way, and the ledgers from which a flush learns what it has to await.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "far/fabric/verbs.hpp"

namespace far::fabric::ucx {

class link;

/// One operation of a context, from its start until the context has heard that it ended.
struct operation {
  link* home = nullptr;
  operation* next = nullptr;  ///< in the inbox of its context, or among the free ones
  completion* done = nullptr;
  std::uint64_t* fetched = nullptr;  ///< where `result` goes
  void* to = nullptr;                ///< where the bytes go that answer it,
  std::size_t bytes = 0;             ///< and how many it wants
  std::uint64_t result = 0;
  std::uint32_t index = 0;       ///< its place in the table
  std::uint32_t serial = 0;      ///< tells uses of that place apart, on the wire
  std::uint32_t generation = 0;  ///< of its context: an older one is forgotten
  std::uint32_t parts = 0;       ///< things that must still happen before it ends
  std::int32_t context = 0;
  std::int32_t rank = 0;
  bool answered = false;           ///< the rank answers it by a packet,
  std::uint64_t epoch = 0;         ///< which the ledger counts there
  operation* then = nullptr;       ///< a signal's, whose packet goes out when this one has ended
  std::vector<std::byte> staging;  ///< a copy of the data, or the packet to send then

  // Of an atomic by the interface, whose `result` is what the last step found.
  amo_request asked;
  std::uint64_t operand = 0;  ///< of the step under way
  bool swaps = false;         ///< that step compares and swaps, after a look

  [[nodiscard]] std::uint64_t wire_name() const noexcept {
    return std::uint64_t{serial} << 32 | index;
  }
};

/// A flush of UCX's that is under way: of so many writes to the rank.
struct flush_mark {
  operation* op;
  int rank;
  std::uint64_t writes;
};

/// Operations of one context that one rank answers by packets, in epochs that flushes end.
/// Invariant: the newest epoch awaits no flush yet; there is none when nothing is open.
class ledger {
 public:
  /// An operation more; returns its epoch.
  [[nodiscard]] std::uint64_t begin() {
    if (epochs_.empty()) epochs_.emplace_back();
    ++epochs_.back().open;
    return first_ + epochs_.size() - 1;
  }
  /// An operation less. Calls ended(flush) for each flush that has awaited the last of it.
  template <class Ended>
  void end(std::uint64_t number, Ended&& ended) {
    --epochs_[number - first_].open;
    while (!epochs_.empty() && epochs_.front().open == 0 && epochs_.front().flush != nullptr) {
      operation* const flush = epochs_.front().flush;
      epochs_.pop_front();
      ++first_;
      ended(flush);
    }
    if (epochs_.size() == 1 && epochs_.front().open == 0) {
      epochs_.clear();
      ++first_;
    }
  }
  /// `flush` awaits what is open now; false if nothing is.
  bool close(operation* flush) {
    if (epochs_.empty()) return false;
    epochs_.back().flush = flush;
    epochs_.emplace_back();
    return true;
  }

 private:
  struct epoch {
    std::uint32_t open = 0;
    operation* flush = nullptr;
  };
  std::uint64_t first_ = 0;  // number of the oldest
  std::deque<epoch> epochs_;
};

/// What the link keeps for one context of its rank.
struct context_state {
  std::atomic<operation*> ended{nullptr};     ///< newest first; whoever makes progress pushes
  std::atomic<std::uint32_t> outstanding{0};  ///< operations that it has not heard of yet
  std::atomic<std::uint32_t> generation{0};   ///< moves on when operations are abandoned
  std::unordered_map<int, ledger> ledgers;    ///< by rank; under the link's lock
};

}  // namespace far::fabric::ucx
