#pragma once
// Records of operations in flight, and the ledgers that tell a flush which of them to await.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "far/fabric/verbs.hpp"

namespace far::fabric::ucx {

class link;

/// One operation of a context, from its start until the context has processed its end.
struct operation {
  link* home = nullptr;
  operation* next = nullptr;  ///< in the inbox of its context, or in the list of free records
  completion* done = nullptr;
  void* fetched = nullptr;         ///< where `result` goes,
  std::uint8_t fetched_bytes = 8;  ///< or as many of its bytes
  void* to = nullptr;              ///< where the bytes of its answer go,
  std::size_t bytes = 0;           ///< and how many are expected
  std::uint64_t result = 0;
  std::uint32_t index = 0;       ///< its slot in the table
  std::uint32_t serial = 0;      ///< distinguishes uses of that slot, on the wire
  std::uint32_t generation = 0;  ///< its context's at the start; if that is newer now: abandoned
  std::uint32_t parts = 0;       ///< events that must still happen before it ends
  std::int32_t context = 0;
  std::int32_t rank = 0;
  bool answered = false;           ///< the rank answers it by a packet
  bool booked = false;             ///< the ledger counts it
  std::uint64_t epoch = 0;         ///< in this epoch
  operation* then = nullptr;       ///< its packet is sent when this operation has ended
  std::vector<std::byte> staging;  ///< a copy of the data, or the packet that waits as `then`

  // For NIC atomics; `result` is the value that the last step found.
  amo_request asked;
  std::uint64_t operand = 0;  ///< of the step in flight
  bool swaps = false;         ///< that step is a compare-and-swap that follows a read

  [[nodiscard]] std::uint64_t wire_name() const noexcept {
    return std::uint64_t{serial} << 32 | index;
  }
};

/// A UCX flush in flight; it covers the first `writes` puts to the rank.
struct flush_mark {
  operation* op;
  int rank;
  std::uint64_t writes;
};

/// Counts a context's operations on one rank whose end a flush awaits, in epochs that flushes
/// close: those that are answered by packets, and reads. Invariant: the newest epoch has no flush
/// yet; there are no epochs when no operation is open.
class ledger {
 public:
  /// Adds an operation; returns its epoch.
  [[nodiscard]] std::uint64_t begin() {
    if (epochs_.empty()) epochs_.emplace_back();
    ++epochs_.back().open;
    return first_ + epochs_.size() - 1;
  }
  /// Removes an operation. Calls ended(flush) for each flush that waits for no other operation.
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
  /// Makes `flush` await all open operations; returns false if there are none.
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
  std::uint64_t first_ = 0;  // number of the oldest epoch
  std::deque<epoch> epochs_;
};

/// The link's state for one context of its rank.
struct context_state {
  std::atomic<operation*> ended{nullptr};     ///< inbox, newest first; any thread may push
  std::atomic<std::uint32_t> outstanding{0};  ///< operations whose end it has not processed yet
  std::atomic<std::uint32_t> generation{0};   ///< incremented when operations are abandoned
  std::unordered_map<int, ledger> ledgers;    ///< by rank; under the link's lock
};

}  // namespace far::fabric::ucx
