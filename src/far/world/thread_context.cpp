#include "far/world/thread_context.hpp"

#include <algorithm>
#include <condition_variable>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far {

/// A context of the fabric.
struct thread_context::place {
  std::unique_ptr<fabric::context> context;
  std::mutex turns;
  // Under the mutex of places:
  int users = 1;
  bool shared = false;  // now or before
};

/// Those of a rank, attached to its state.
class thread_context::places {
 public:
  explicit places(rank_state& state) : state_(&state) {}

  [[nodiscard]] place& take() {
    std::unique_lock lock(mutex_);
    auto made = std::make_unique<place>();
    for (;;) {
      try {
        made->context = state_->fabric().open_context();
        all_.push_back(std::move(made));
        return *all_.back();
      } catch (const bad_argument&) {
        if (!all_.empty()) return share();
        if (closing_ == 0) throw;
      }
      closed_.wait(lock);
    }
  }

  void give_back(place& used) {
    std::unique_ptr<place> last;  // is closed without the lock, because it waits
    {
      const std::scoped_lock lock(mutex_);
      if (--used.users > 0) return;
      const auto found = std::find_if(all_.begin(), all_.end(),
                                      [&](const auto& one) { return one.get() == &used; });
      last = std::move(*found);
      all_.erase(found);
      ++closing_;
    }
    last.reset();
    const std::scoped_lock lock(mutex_);
    --closing_;
    closed_.notify_all();
  }

  [[nodiscard]] bool is_shared(const place& used) {
    const std::scoped_lock lock(mutex_);
    return used.shared;
  }

 private:
  /// Lets one more use that which the fewest use.
  [[nodiscard]] place& share() {
    place& least = **std::min_element(
        all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a->users < b->users; });
    ++least.users;
    least.shared = true;
    return least;
  }

  rank_state* state_;
  std::mutex mutex_;  // of all below
  std::vector<std::unique_ptr<place>> all_;
  int closing_ = 0;  // contexts that are no longer in all_, but still open
  std::condition_variable closed_;
};

thread_context::thread_context(const world& rank)
    : state_(rank.state()),
      place_(&state_->get<places>().take()),
      view_(*state_, *place_->context) {}

thread_context::~thread_context() {
  if (state_->ended()) return;
  places& all = state_->get<places>();
  if (all.is_shared(*place_)) {  // the context may live on, so its end does not wait for them
    try {
      use([](const world& view) { view.context().flush(); });
    } catch (const error&) {
      // The job has failed.
    }
  }
  all.give_back(*place_);
}

bool thread_context::is_shared() const { return state_->get<places>().is_shared(*place_); }

thread_context::turn::turn(thread_context& whose) : place_(whose.place_) {
  if (!whose.state_->fabric().simulated()) {
    place_->turns.lock();
    return;
  }
  if (place_->turns.try_lock()) return;  // fibers share a thread, which must not wait
  throw bad_argument(fmt::format("two threads of rank {} use a thread_context at the same time",
                                 whose.state_->rank()));
}

thread_context::turn::~turn() { place_->turns.unlock(); }

}  // namespace far
