#pragma once
// A ring (ring.hpp) at each rank, all alike: far::queues is made of it.

#include <cstdint>

#include "far/containers/phase.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/memory/allocate.hpp"
#include "far/memory/ptr.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Owns the rings' memory. It is in the symmetric heaps, so every rank can compute where a ring is.
class ring_set {
 public:
  /// Collective: takes ownership of `slots`, which all ranks have just allocated alike. `type` says
  /// what the slots hold.
  /// Errors: bad_argument if ranks make different ones; out_of_memory, on every rank;
  ///   rank_failed.
  ring_set(const far::world& world, ptr<std::byte> slots, std::uint64_t capacity,
           std::uint64_t slot_bytes, amo_domain domain, const char* type);
  /// Collective: waits until every rank is here, unless an exception destroys the object.
  ~ring_set();
  ring_set(const ring_set&) = delete;
  ring_set& operator=(const ring_set&) = delete;

  [[nodiscard]] const far::world& world() const noexcept { return world_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] ring at(int host) const noexcept {
    return {cursors_.on(host), slots_.on(host).address(), capacity_, slot_bytes_};
  }
  [[nodiscard]] phase_record& phase() const noexcept { return phase_; }

 private:
  far::world world_;
  ptr<std::byte> slots_;
  ptr<ring_cursors> cursors_;
  std::uint64_t capacity_;
  std::uint64_t slot_bytes_;
  mutable phase_record phase_;
  collective_scope scope_;
};

}  // namespace far::containers
