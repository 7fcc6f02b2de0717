#pragma once
// A thread's handles: references outside of objects that the collector must see.

#include "far/object/reference.hpp"

namespace far::objects {

/// A member of a ring of handles; each thread_record has one, with a member that holds nothing.
///
/// Threads: belongs to the thread of its ring. The collector reads it while the thread has stopped.
class root_link {
 public:
  root_link() noexcept : previous_(this), next_(this) {}
  /// Protects what `at` names, as it changes, while this lives.
  root_link(root_link& ring, const place* at) noexcept
      : at_(at), previous_(&ring), next_(ring.next_) {
    next_->previous_ = this;
    ring.next_ = this;
  }
  ~root_link() {
    previous_->next_ = next_;
    next_->previous_ = previous_;
  }
  root_link(const root_link&) = delete;
  root_link& operator=(const root_link&) = delete;

  /// Calls visit(place) for all other members of the ring.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const root_link* l = next_; l != this; l = l->next_) visit(*l->at_);
  }

 private:
  const place* at_ = nullptr;
  root_link* previous_;
  root_link* next_;
};

}  // namespace far::objects
