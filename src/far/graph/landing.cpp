#include "far/graph/landing.hpp"

#include <algorithm>
#include <exception>

#include "far/memory/memory.hpp"
#include "far/rma/rma.hpp"
#include "far/team/team.hpp"

namespace far::graphs {

template <class T>
landing<T>::landing(const world& world, std::uint64_t entries, std::uint64_t senders)
    : world_(&world),
      room_(allreduce(world, entries, [](auto a, auto b) { return std::max(a, b); })),
      memory_(allocate<T>(world, 2 * room_)),
      arrivals_(allocate<std::uint64_t>(world)),
      senders_(senders) {
  next_ = local_span(world, memory_, entries);
  current_ = local_span(world, memory_ + static_cast<std::int64_t>(room_), entries);
  barrier(world);  // no rank may put before the memory is allocated here
}

template <class T>
landing<T>::~landing() {
  scope_.leave(*world_);
  try {
    deallocate(*world_, arrivals_);
    deallocate(*world_, memory_);
  } catch (const std::exception&) {
    // The job has failed: its memory is freed with it.
  }
}

template <class T>
void landing<T>::send(int to, std::uint64_t place, std::span<const T> piece) {
  const ptr<T> target = memory_.on(to) + (next_at_ + static_cast<std::int64_t>(place));
  sent_.push_back(
      put_async(*world_, target, piece, signal_of(arrivals_.on(to), 1, signal::kind::add)));
}

template <class T>
void landing<T>::turn() {
  expected_ += senders_;
  wait_signal(*world_, arrivals_, at_least{expected_});
  for (future<void>& put : sent_) put.wait();
  sent_.clear();
  std::swap(current_, next_);
  next_at_ = static_cast<std::int64_t>(room_) - next_at_;
}

template class landing<double>;
template class landing<std::int64_t>;
template class landing<std::uint64_t>;

}  // namespace far::graphs
