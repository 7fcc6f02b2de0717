#pragma once
// Use of a ring in a phase in which all ranks push, or all pop, or only the host does either. Then
// the cursors of the other side stand still, so a claim that is too early stays so, and need not
// be given back: all claims behind it are too early as well. Those in time need no turn; the host
// sets its cursors to where they end when all have.
//
//   before:  freed = head, ready = tail      (nothing is claimed)
//   during:  pushes move tail, or pops move head, beyond the end of what is in time
//   after:   the same as before
//
// Pops take what there is, so those in time end at ready. A push takes all its places or none: the
// first that is too early begins where those in time end. It is the only one that begins within
// the room there is and ends beyond, so who makes it knows, and puts its begin down as `full_at`,
// which is 0 else. (`ready` stays, and so tells what is whole if the phase comes to no end.)

#include <cstddef>
#include <cstdint>

#include "far/containers/promise.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Pushes of one thread of a rank, in a phase that others begin and end.
class phase_pushes {
 public:
  static constexpr promised promise = promised::only_changes;

  phase_pushes(const world& view, const ring& where) noexcept
      : view_(view), where_(where), limit_(where.capacity) {}
  /// All n values, or false and none. Cost: queue_costs::writing::push; R more for the first that
  /// ends beyond as many as there are slots, of all that the ring ever had; nothing once it was
  /// full.
  bool try_push(const std::byte* values, std::uint64_t n);
  /// At the host, when the pushes of all ranks have ended.
  static void settle(const world& view, const ring& where);

 private:
  world view_;
  ring where_;
  std::uint64_t limit_;  // no claim that ends here or before is too early
  bool full_ = false;
};

/// Only pops. The same otherwise.
class phase_pops {
 public:
  static constexpr promised promise = promised::only_looks;

  /// Cost: R.
  phase_pops(const world& view, const ring& where);
  /// The oldest values, up to n; how many. Cost: queue_costs::reading::pop; nothing once it was
  /// empty.
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);
  static void settle(const world& view, const ring& where);

 private:
  world view_;
  ring where_;
  std::uint64_t limit_;  // claims that end beyond are too early
  bool empty_ = false;
};

/// What a phase of one ring begins and ends with. One thread of each rank; making and destroying it
/// is collective.
template <class Side>
class ring_phase : public Side {
 public:
  ring_phase(const world& view, const ring& where)
      : Side(begun(view), where), view_(view), where_(where) {}
  ~ring_phase() { end(); }
  ring_phase(const ring_phase&) = delete;
  ring_phase& operator=(const ring_phase&) = delete;

 private:
  static const world& begun(const world& view);
  void end() noexcept;

  world view_;
  ring where_;
  collective_scope scope_;
};
extern template class ring_phase<phase_pushes>;
extern template class ring_phase<phase_pops>;

using ring_writer = ring_phase<phase_pushes>;
using ring_reader = ring_phase<phase_pops>;

/// Only one thread of the host, by plain loads and stores.
class ring_local {
 public:
  static constexpr promised promise = promised::anything;

  /// Errors: bad_argument on other ranks.
  ring_local(const world& view, const ring& where);

  bool try_push(const std::byte* values, std::uint64_t n);
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);

 private:
  ring where_;
  ring_cursors* cursors_;
  std::byte* slots_;
};

}  // namespace far::containers
