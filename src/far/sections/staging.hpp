#pragma once
// Room for a slice in the origin's local segment, and the limit on how many there are at a time.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "far/memory/allocate.hpp"
#include "far/rma/future.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// Owns bytes of this rank's local segment.
class staging {
 public:
  staging(const world& world, std::uint64_t bytes)
      : state_(&world.state()),
        fabric_(&world.fabric()),
        place_(allocate_local<std::byte>(world, bytes)) {}
  staging(staging&& other) noexcept
      : state_(other.state_), fabric_(other.fabric_), place_(std::exchange(other.place_, {})) {}
  staging& operator=(staging&&) = delete;
  ~staging() {
    // A failed job drops its operations when the rank's state, and this memory, is gone.
    if (place_ && fabric_->owner != nullptr) deallocate_local(*state_, place_);
  }

  [[nodiscard]] ptr<std::byte> place() const noexcept { return place_; }
  [[nodiscard]] std::byte* memory() const noexcept { return fabric_->local(place_.address()); }

 private:
  rank_state* state_;
  fabric::fabric* fabric_;
  ptr<std::byte> place_;
};

/// The parts of one transfer that are in flight: slices, or lists of segments. Those that have
/// ended are not kept.
class slices {
 public:
  slices(const world& world, std::size_t most);

  /// Waits until one more may start: at most `most` are in flight. Where the thread must not wait,
  /// in a continuation or a task, all may start at once.
  void admit();
  void add(future<void> slice) { in_flight_.push_back(std::move(slice)); }
  /// Memory for a slice. If the local segment is full, waits for slices in flight, which free
  /// theirs.
  /// Errors: out_of_memory.
  [[nodiscard]] staging room_for(std::uint64_t bytes);
  /// A future of them all. If some have failed, it has the failure of the first.
  [[nodiscard]] future<void> all();
  /// Waits for those in flight, because they use memory of the caller. For a call that throws.
  void settle() noexcept;

 private:
  [[nodiscard]] bool wait_for_oldest();
  void drop_oldest() noexcept;

  const world& world_;
  std::size_t most_;  // in flight
  bool may_wait_;
  std::vector<future<void>> in_flight_;  // from oldest_ on
  std::size_t oldest_ = 0;
  std::exception_ptr failure_;  // of those that have ended
};

}  // namespace far::sections
