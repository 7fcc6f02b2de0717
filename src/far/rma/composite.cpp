#include "far/rma/composite.hpp"

#include "far/base/error.hpp"
#include "far/rma/when_all.hpp"

namespace far::detail {
namespace {

/// A flush as the state of a future. It holds itself until the last transfer has ended.
class flush_of_composites final : public future_state<void>, private composite_flush {
 public:
  flush_of_composites(fabric::context& context, int rank)
      : future_state<void>(context), composite_flush(continuation_queue::of(context), rank) {
    describe("flush", rank);
  }

  /// Its future, which is ready at once if nothing is in flight.
  static future<void> start(state_ref<flush_of_composites> state) {
    if (state->done()) {
      state->set_value();
      state->finish();
    } else {
      state->begin_operation();
    }
    return future<void>(state_ref<future_state<void>>(std::move(state)));
  }

 private:
  void finished() noexcept override {
    set_value();
    finish();
    end_operation();
  }
};

}  // namespace

composite::composite(continuation_queue& queue, int rank) noexcept
    : queue_(&queue), rank_(rank), number_(queue.composites++), previous_(queue.newest) {
  (previous_ == nullptr ? queue.oldest : previous_->next_) = this;
  queue.newest = this;
}

void composite::leave() noexcept {
  if (queue_ == nullptr) return;
  continuation_queue& queue = *std::exchange(queue_, nullptr);
  (previous_ == nullptr ? queue.oldest : previous_->next_) = next_;
  (next_ == nullptr ? queue.newest : next_->previous_) = previous_;
  // First all leave the list, because what finished() runs may start others.
  composite_flush* done = nullptr;
  for (composite_flush** link = &queue.flushes; *link != nullptr;) {
    composite_flush& flush = **link;
    if (flush.awaits(*this) && --flush.left_ == 0) {
      flush.queue_ = nullptr;
      *link = flush.next_;
      flush.next_ = std::exchange(done, &flush);
    } else {
      link = &flush.next_;
    }
  }
  while (done != nullptr) {
    composite_flush& flush = *done;
    done = flush.next_;
    flush.finished();
  }
}

composite_flush::composite_flush(continuation_queue& queue, int rank) noexcept
    : queue_(&queue), rank_(rank), before_(queue.composites) {
  for (const composite* one = queue.oldest; one != nullptr; one = one->next_) {
    if (awaits(*one)) ++left_;
  }
  next_ = std::exchange(queue.flushes, this);
}

bool composite_flush::awaits(const composite& one) const noexcept {
  return one.number_ < before_ && (rank_ == fabric::all_ranks || rank_ == one.rank_);
}

void composite_flush::forget() noexcept {
  if (queue_ == nullptr) return;
  composite_flush** link = &std::exchange(queue_, nullptr)->flushes;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

void continuation_queue::forget_composites() noexcept {
  for (; oldest != nullptr; oldest = oldest->next_) oldest->queue_ = nullptr;
  for (; flushes != nullptr; flushes = flushes->next_) flushes->queue_ = nullptr;
}

void complete_composites(fabric::context& context, int rank) {
  continuation_queue& queue = continuation_queue::of(context);
  const composite_flush flush(queue, rank);
  if (flush.done()) return;
  if (queue.depth != 0 || context.lane_index() >= 0) {
    throw error(
        "a continuation of a future, or a function that another rank has called, flushes while "
        "transfers of sections are in flight: it must not wait, so it must use flush_async");
  }
  context.wait([&flush] { return flush.done(); }, fabric::never, {"flush", rank, {}});
}

future<void> with_composites(const world& world, int rank, future<void> flushed) {
  return when_all(
      world, std::move(flushed),
      flush_of_composites::start(make_state<flush_of_composites>(world.context(), rank)));
}

}  // namespace far::detail
