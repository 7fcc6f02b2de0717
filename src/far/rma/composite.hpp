#pragma once
// Transfers that the fabric's flush does not know, because a processor at the target performs them
// for a message, or because a step of this thread follows: packed sections, for example. A context
// keeps a list of those in flight, and flush and barrier complete it.
//
// Threads: the context's thread only, as future_state.hpp says.
// Invariants: the list is in the order of starts. A transfer is in it from its start until its
// future is ready, or its state destroyed. A flush counts the transfers that were in the list when
// it was made, and each of them tells it when it leaves.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "far/rma/continuation_queue.hpp"
#include "far/rma/future.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// An entry of the list: a transfer to or from one rank.
class composite {
 public:
  composite(continuation_queue& queue, int rank) noexcept;
  ~composite() { leave(); }
  composite(const composite&) = delete;
  composite& operator=(const composite&) = delete;

  /// Takes it from the list, and tells the flushes. No-op if it is in no list any more.
  void leave() noexcept;

 private:
  friend class composite_flush;
  friend class continuation_queue;

  continuation_queue* queue_;  // null: in no list
  int rank_;
  std::uint64_t number_;  // of starts in the context
  composite* next_ = nullptr;
  composite* previous_;
};

/// Waits for the transfers on `rank`, or on fabric::all_ranks, that were in flight when it was
/// made.
class composite_flush {
 public:
  composite_flush(continuation_queue& queue, int rank) noexcept;
  virtual ~composite_flush() { forget(); }
  composite_flush(const composite_flush&) = delete;
  composite_flush& operator=(const composite_flush&) = delete;

  [[nodiscard]] bool done() const noexcept { return left_ == 0; }

 private:
  friend class composite;
  friend class continuation_queue;

  [[nodiscard]] bool awaits(const composite& one) const noexcept;
  void forget() noexcept;
  /// Called when the last of them has left. May destroy the flush.
  virtual void finished() noexcept {}

  continuation_queue* queue_;  // null: in no list
  int rank_;
  std::uint64_t before_;  // the number of the first that it does not await
  std::size_t left_ = 0;
  composite_flush* next_ = nullptr;
};

/// The future of such a transfer.
template <class T>
class composite_state final : public future_state<T> {
 public:
  composite_state(fabric::context& context, int rank, state_ref<future_state<T>> source)
      : future_state<T>(context),
        source_(std::move(source)),
        entry_(continuation_queue::of(context), rank) {}

 private:
  static_assert(std::is_void_v<T> || std::is_trivially_copyable_v<T>);

  bool resume() noexcept override {
    const auto source = std::exchange(source_, {});
    if (source->failure()) {
      this->set_error(source->failure());
    } else {
      this->set_value(source->take());
    }
    entry_.leave();
    return true;
  }

  state_ref<future_state<T>> source_;
  composite entry_;
};

/// A transfer to or from `rank` that has been started, as one that flush and barrier complete, also
/// if its future is dropped.
/// Cost: one allocation, unless it is ready.
/// Checked by: sections_flush_test.completes_dropped_transfers
template <class T>
[[nodiscard]] future<T> completed_by_flush(int rank, future<T> started) {
  if (started.ready()) return started;
  fabric::context& context = started.context();
  const auto source = future_access::state_of(std::move(started));
  auto state = make_state<composite_state<T>>(context, rank, source);
  state->retain();  // for the link
  source->continue_with(*state);
  return future<T>(state_ref<future_state<T>>(std::move(state)));
}

/// Whether any are in flight. Inline, because each flush asks.
[[nodiscard]] inline bool has_composites(const fabric::context& context) noexcept {
  const fabric::context_attachment* const attached = context.attached();
  return attached != nullptr && static_cast<const continuation_queue&>(*attached).oldest != nullptr;
}
/// Waits for those on `rank`, or on fabric::all_ranks.
/// Errors: rank_failed; far::error in a task or continuation, which must not wait.
void complete_composites(fabric::context& context, int rank);
/// `flushed` as a future that is ready when these are complete, too.
[[nodiscard]] future<void> with_composites(const world& world, int rank, future<void> flushed);

}  // namespace far::detail
