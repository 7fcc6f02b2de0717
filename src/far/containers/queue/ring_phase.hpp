#pragma once
// Use of a ring in a phase in which all ranks push, or all pop, or only the host does either. The
// cursors of the other side do not move in the phase, so a claim that is too early stays too early,
// and so are all claims behind it: none needs to be given back. Claims in time need no turn. At the
// end of the phase the host sets its cursors to where these end.
//
//   before:  freed = head, ready = tail      (nothing is claimed)
//   during:  pushes move tail, or pops move head, beyond the end of the claims in time
//   after:   the same as before
//
// Pops take as many values as there are, so the claims in time end at ready. A push takes all its
// slots or none, so the first push that is too early begins where the claims in time end. It is the
// only one that begins within the free slots and ends beyond them, so it can tell. It stores its
// begin in `full_at`, which is 0 otherwise. (`ready` does not move until the phase ends, so it
// still says what is whole if the phase is interrupted.)

#include <cstddef>
#include <cstdint>

#include "far/containers/phase.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Pushes of one thread of a rank, in a phase that its owner begins and ends.
class phase_pushes {
 public:
  static constexpr phase_kind phase = phase_kind::writing;

  phase_pushes(const world& world, const ring& where) noexcept
      : world_(world), where_(where), limit_(where.capacity) {}
  /// Pushes all n values, or returns false and pushes none. Cost: queue_costs::writing::push; R
  /// more for the first push whose claim ends beyond position `capacity`; nothing after a refusal.
  bool try_push(const std::byte* values, std::uint64_t n);
  /// At the host, when the pushes of all ranks have ended.
  static void settle(const world& world, const ring& where);

 private:
  world world_;
  ring where_;
  std::uint64_t limit_;  // no claim that ends here or before is too early
  bool full_ = false;
};

/// The same for pops.
class phase_pops {
 public:
  static constexpr phase_kind phase = phase_kind::reading;

  /// Cost: R.
  phase_pops(const world& world, const ring& where);
  /// Pops the oldest values, up to n. Returns how many. Cost: queue_costs::reading::pop; nothing
  /// after the ring was found empty.
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);
  static void settle(const world& world, const ring& where);

 private:
  world world_;
  ring where_;
  std::uint64_t limit_;  // claims that end beyond are too early
  bool empty_ = false;
};

/// Begins and ends a phase of one ring, for one thread of each rank. Constructor and destructor are
/// collective.
template <class Side>
class ring_phase : public Side {
 public:
  ring_phase(const world& world, const ring& where)
      : Side(begun(world), where), world_(world), where_(where) {}
  ~ring_phase() { end(); }
  ring_phase(const ring_phase&) = delete;
  ring_phase& operator=(const ring_phase&) = delete;

 private:
  static const world& begun(const world& world);
  void end() noexcept;

  world world_;
  ring where_;
  collective_scope scope_;
};
// Visible, because they are in the library also for code that is compiled to be hidden.
extern template class __attribute__((visibility("default"))) ring_phase<phase_pushes>;
extern template class __attribute__((visibility("default"))) ring_phase<phase_pops>;

using ring_writer = ring_phase<phase_pushes>;
using ring_reader = ring_phase<phase_pops>;

/// Use by one thread of the host alone, by plain loads and stores.
class ring_local {
 public:
  static constexpr phase_kind phase = phase_kind::mixed;

  /// Errors: bad_argument on other ranks.
  ring_local(const world& world, const ring& where);

  bool try_push(const std::byte* values, std::uint64_t n);
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);

 private:
  ring where_;
  ring_cursors* cursors_;
  std::byte* slots_;
};

}  // namespace far::containers
