#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "far/base/random.hpp"
#include "far/base/unique_function.hpp"

namespace far::fabric::sim {

/// What the network has yet to do: pieces of transfers to apply, messages to deliver. Events
/// know no time and no order; each waits until chance takes it.
class event_pool {
 public:
  /// Runs outside all fibers, and must not throw.
  using event = base::unique_function<void()>;

  void add(event what) {
    if (!closed_) events_.push_back(std::move(what));
  }

  [[nodiscard]] bool empty() const noexcept { return events_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return events_.size(); }

  /// Removes one of them, each with the same chance.
  [[nodiscard]] event take(base::random& random) {
    std::swap(events_[random.below(events_.size())], events_.back());
    event result = std::move(events_.back());
    events_.pop_back();
    return result;
  }

  /// Nothing more happens: the job has failed, and buffers of its ranks go away.
  void close() {
    closed_ = true;
    events_.clear();
  }

 private:
  std::vector<event> events_;
  bool closed_ = false;
};

}  // namespace far::fabric::sim
