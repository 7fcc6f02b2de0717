#pragma once
// A ring (ring.hpp) at each rank, all alike: what far::queues is made of.

#include <cstdint>

#include "far/containers/promise.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/memory/allocate.hpp"
#include "far/memory/ptr.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// A rank's share in their life. They lie in the symmetric heaps, so where one is need not be told.
class ring_set {
 public:
  /// Collective: takes `slots`, which all ranks have just allocated alike, and gives them back at
  /// its end. `type` says what they hold.
  /// Errors: bad_argument where ranks make different ones; out_of_memory, on every rank;
  ///   rank_failed.
  ring_set(const world& view, ptr<std::byte> slots, std::uint64_t capacity,
           std::uint64_t slot_bytes, amo_domain domain, const char* type);
  /// Collective: waits until every rank is here. Does not while an exception is on its way.
  ~ring_set();
  ring_set(const ring_set&) = delete;
  ring_set& operator=(const ring_set&) = delete;

  [[nodiscard]] const world& view() const noexcept { return view_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] ring at(int host) const noexcept {
    return {cursors_.on(host), slots_.on(host).address(), capacity_, slot_bytes_};
  }
  [[nodiscard]] phase_record& phase() const noexcept { return phase_; }

 private:
  world view_;
  ptr<std::byte> slots_;
  ptr<ring_cursors> cursors_;
  std::uint64_t capacity_;
  std::uint64_t slot_bytes_;
  mutable phase_record phase_;
  collective_scope scope_;
};

}  // namespace far::containers
