#pragma once
// Use of a ring while any rank may push and pop: one-sided, by calls, or whichever costs less.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "far/containers/phase.hpp"
#include "far/containers/policy.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/containers/queue/ring_choices.hpp"
#include "far/containers/queue/ring_user.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// What a queue owns. A base class of the queue, so that it outlives the queue's own view.
struct queue_parts {
  owned_ring ring;
  std::unique_ptr<ring_choices> chooser = nullptr;  ///< null if there is nothing to choose
};

/// Belongs to one thread. Same operations as ring_user.
class ring_ways {
 public:
  static constexpr phase_kind phase = phase_kind::mixed;

  /// `choices`: state of policy::automatic, or null if there is no choice.
  ring_ways(const world& world, const ring& where, policy how, ring_choices* choices);

  bool try_push(const std::byte* values, std::uint64_t n) {
    return how_ == policy::one_sided ? user_.try_push(values, n) : push_by_policy(values, n);
  }
  std::uint64_t try_pop(std::byte* values, std::uint64_t n) {
    return how_ == policy::one_sided ? user_.try_pop(values, n) : pop_otherwise(values, n);
  }
  void await_space(std::uint64_t n) { user_.await_space(n); }
  void await_value() { user_.await_value(); }

  /// The same ring for the same thread, with another policy.
  [[nodiscard]] ring_ways with(policy how) const {
    return {user_.world(), user_.where(), how, choices_};
  }

 private:
  bool push_by_policy(const std::byte* values, std::uint64_t n);
  std::uint64_t pop_otherwise(std::byte* values, std::uint64_t n);
  [[nodiscard]] ring_choices::begun begin(ring_operation what, std::uint64_t n);

  ring_user user_;
  policy how_;  // automatic only if there is a choice
  ring_choices* choices_;
  bool was_refused_push_ = false;
  bool was_refused_pop_ = false;
};

}  // namespace far::containers
