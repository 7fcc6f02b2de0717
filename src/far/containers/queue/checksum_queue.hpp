#pragma once
// A queue at one rank whose pushes end with their write.

#include <cstdint>
#include <typeinfo>

#include "far/containers/queue/checksum_user.hpp"
#include "far/containers/queue/queue_view.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/memory/allocate.hpp"
#include "far/world/world.hpp"

namespace far {

/// Like far::queue at any time and one-sided, but a push costs one step less: it does not wait its
/// turn to publish its values. Instead, each slot has a checksum next to its value; a pop reads the
/// slot and sees by the checksum whether the value is whole.
///
/// Cost: the formulas are in queue_costs.hpp (checksum_costs); `far model explain` and
/// docs/model.md show them.
///
/// The price: W is a put of 8 bytes for each 8 bytes of the value and one for the checksum, all
/// in flight at once (checksum_user.hpp says why), so this queue is for small values. A value takes
/// a multiple of 8 bytes, and 8 more. A pop may return "empty" also while a push is in flight whose
/// claim precedes existing values. And one torn slot in 2^64 passes for whole.
///
/// Errors, outcomes, ownership, threads, and which calls are collective: as far::queue.
/// Source: "RDMA Checksum Push CRW" of Brock, Chen, Yan, Owens, Buluc, Yelick 2019, "RDMA vs. RPC
/// for implementing distributed data structures".
/// Checked by: checksum_queue_test.values_arrive_once_and_in_order,
/// checksum_queue_history_test.is_linearizable
template <class T>
class checksum_queue : private containers::queue_parts,
                       public queue_view<T, containers::checksum_user_of<sizeof(T)>> {
  static_assert(remote_object<T>, "a far::checksum_queue holds trivially copyable values");

 public:
  using value_type = T;
  using view_type = queue_view<T, containers::checksum_user_of<sizeof(T)>>;

  /// Collective: as the constructor of far::queue.
  /// Checked by: checksum_queue_test.full_and_empty_are_answers
  checksum_queue(const world& world, int host, std::uint64_t capacity,
                 amo_domain domain = amo_domain::cpu)
      : containers::queue_parts{{world, host, capacity, containers::checked_slot_bytes(sizeof(T)),
                                 alignof(std::uint64_t), domain, typeid(checksum_queue).name()}},
        view_type(on(world)) {}

  [[nodiscard]] int host() const noexcept { return ring->host(); }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return ring->capacity; }

  /// A view for another thread of this rank.
  /// Cost of operations: checksum_costs.
  /// Checked by: checksum_queue_test.threads_share_a_rank
  [[nodiscard]] view_type on(const world& world) const { return {world, *ring, ring.phase()}; }

  /// As queue::close. Checksums find all values that are whole, including those behind slots that
  /// are not. A rank that has not heard of the failure yet may complete a push whose slots it had
  /// claimed before; its value is then among those of the next close().
  /// Checked by: killed_queue_user_test.leaves_what_was_pushed
  [[nodiscard]] queue_rest<T> close() const {
    return containers::checked_rest_of<T>(ring.world(), *ring);
  }
};

}  // namespace far
