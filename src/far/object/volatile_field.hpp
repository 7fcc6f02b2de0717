#pragma once
// A field of a shared object that threads use to synchronize, as a volatile one of Java.

#include <cstddef>

#include "far/fabric/copy.hpp"
#include "far/memory/ptr.hpp"
#include "far/object/thread_access.hpp"
#include "far/rma/atomic_ref.hpp"

namespace far {

/// One thread's use of a field through which threads synchronize without a monitor; a field of 4 or
/// 8 bytes, such as a flag, a counter or a reference. Its only value is the one at the home. Plain
/// reads of the field elsewhere may be stale for ever, so use it in this way alone. Cheap to copy.
///
/// Completion: store, exchange, compare_exchange and fetch_add publish before, and load, exchange,
///   compare_exchange and fetch_add refresh after. So who reads a value sees what its writer had
///   changed before.
/// Ordering: all uses of all such fields are sequentially consistent (axiom 35).
/// Progress: a loop that loads until it finds a value lets others run, and collections too: each
///   operation but store begins with a safe point.
/// Threads: belongs to the thread of its view.
/// Cost: an atomic operation at the home (far::atomic_ref), and what publishing costs.
/// Errors: bad_argument for null references and those of another space; rank_failed.
/// Source: oo-dsm-rdma.txt, section 3 (Java's memory model).
/// Checked by: object_volatile_test.hands_over_what_was_written,
/// object_volatile_test.is_never_stale
template <rma::amo_value M>
class volatile_field {
 public:
  volatile_field(objects::thread_access& thread, objects::place object, std::size_t offset)
      : thread_(&thread),
        word_(thread.world(), reinterpret_pointer_cast<M>(thread.at_home(object, offset))) {}

  [[nodiscard]] M load() const {
    begin();
    fabric::full_fence();  // where loading is an instruction: not before this thread's stores
    const M value = word_.load();
    thread_->forget_stale();
    return value;
  }
  void store(M value) const {
    thread_->publish();
    word_.store(value);
    fabric::full_fence();
  }
  M exchange(M value) const {
    return updated([&] { return word_.exchange(value); });
  }
  /// Sets the field to `desired` if it equals `expected`; else stores its value in `expected` and
  /// returns false.
  bool compare_exchange(M& expected, M desired) const {
    return updated([&] { return word_.compare_exchange(expected, desired); });
  }
  M fetch_add(M value) const
    requires rma::arithmetic<M>
  {
    return updated([&] { return word_.fetch_add(value); });
  }

 private:
  /// The safe point comes first: nothing keeps the object of a reference that has been loaded.
  void begin() const {
    thread_->let_others_run();
    thread_->safe_point();
  }
  template <class Update>
  auto updated(Update update) const {
    begin();
    thread_->publish();
    fabric::full_fence();
    const auto result = update();
    fabric::full_fence();
    thread_->forget_stale();
    return result;
  }

  objects::thread_access* thread_;
  atomic_ref<M> word_;
};

}  // namespace far
