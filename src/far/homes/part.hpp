#pragma once
// What a rank's part of a coherent structure is made of, whatever the structure.
//
// Threads and handlers take steps under the part's mutex. Its holders make no fabric calls: what a
// step wants to send it leaves in an outbox, which is sent afterwards. Threads that cannot go on
// wait until a step has changed something; it says so, and its outbox then counts `changes`.
//
// A part's memory is freed by close_part, not by a destructor: handlers of a failed job may hold
// the part longer than its rank lives.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "far/base/function_ref.hpp"
#include "far/homes/registry.hpp"
#include "far/memory/ptr.hpp"
#include "far/team/barrier.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::homes {

struct part {
  /// Errors: out_of_memory.
  explicit part(const world& world);
  part(const part&) = delete;
  part& operator=(const part&) = delete;

  int rank;
  object_id id = 0;
  std::mutex mutex;
  int waiting = 0;             ///< threads that wait for `changes`
  ptr<std::uint64_t> changes;  ///< local: counts what waiting threads wait for

  /// Wakes the threads that wait. Without the mutex.
  void wake_waiting(fabric::context& context) const;

 protected:
  ~part() = default;
};

/// Collective: from here on messages find the part, and are served while this rank computes.
/// Errors: bad_argument unless all ranks make an object of the same type.
template <class Part>
void open_part(const world& world, const std::shared_ptr<Part>& of, std::string_view type) {
  of->id = world.state().get<registry>().add(of);
  agree_on_object(world, of->id, type);
  world.fabric().start_service();
  barrier(world);
}
/// Collective, unless an exception is destroying the object. Calls free(in_use) when no rank uses
/// the part any more; `in_use`: but for messages in flight, since an exception does.
void close_part(const world& world, part& of, const collective_scope& scope,
                base::function_ref<void(bool)> free) noexcept;

/// Waits until look(), which is called with the mutex held. It is held before and after, but not
/// meanwhile. `again()`, without the mutex: to look again though nothing has been counted.
/// Errors: rank_failed; then the mutex is not held.
template <class Look, class Again>
void wait_for_change(part& of, std::unique_lock<std::mutex>& lock, const world& world,
                     const char* what, int rank, Look look, Again again) {
  const fabric::address changes = of.changes.address();
  while (!look()) {
    const std::uint64_t seen = world.context().peek(changes);
    ++of.waiting;
    lock.unlock();
    world.context().wait([&] { return world.context().peek(changes) != seen || again(); },
                         fabric::never, {what, rank, changes});
    lock.lock();
    --of.waiting;
  }
}

}  // namespace far::homes
