#include "far/world/world.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/same_type.hpp"

namespace far {

rank_state::rank_state(fabric::fabric& fabric)
    : fabric_(&fabric), rank_(fabric.rank()), size_(fabric.size()), reach_(fabric) {
  fabric.owner = this;
}

void rank_state::end() noexcept {
  fabric_->owner = nullptr;  // first, so that the fabric no longer uses what is destroyed now
  while (!attachments_.empty()) attachments_.pop_back();
  if (holders_.load(std::memory_order_acquire) > 1) {
    memory_ = fabric_->keep_mapped();
    reach_.clear();
  }
  fabric_ = nullptr;
}

void rank_state::destroy(rank_state* state) noexcept { delete state; }

void rank_state::throw_ended() const {
  throw error(fmt::format(
      "rank {} of {} uses an object or a far::world of a job that has ended: destroy distributed "
      "objects before far::run returns, or before their far::job is left",
      rank_, size_));
}

void rank_state::keep(std::exception_ptr error) noexcept {
  const std::scoped_lock lock(mutex_);
  if (kept_ == nullptr) kept_ = std::move(error);
  keeps_.store(true, std::memory_order_relaxed);
}

void rank_state::rethrow_kept() {
  std::exception_ptr first;
  {
    const std::scoped_lock lock(mutex_);
    first = std::exchange(kept_, nullptr);
    keeps_.store(false, std::memory_order_relaxed);
  }
  if (first != nullptr) std::rethrow_exception(first);
}

void* rank_state::find(const std::type_info& type) {
  if (ended()) throw_ended();
  for (const attachment& a : attachments_) {
    if (a.type == &type) return a.object.get();
  }
  for (const attachment& a : attachments_) {
    if (!base::same_type(*a.type, type)) continue;
    // Known by another library's description of the type. The next search finds this one sooner.
    void* const there = a.object.get();
    attachments_.push_back({&type, std::shared_ptr<void>(a.object)});
    return there;
  }
  return nullptr;
}

void world::threads(int n, const std::function<void(world&)>& program) const {
  // One context is the caller's, and the service thread may hold another.
  const int free_contexts = fabric().max_contexts() - 2;
  if (n < 1 || n > free_contexts) {
    throw bad_argument(fmt::format(
        "world.threads({}): the number of threads must be between 1 and {} here; start the job "
        "with more contexts per rank (option max_contexts, or FAR_CONTEXTS)",
        n, free_contexts));
  }
  // Opened here, so that it is the caller who learns that there are too few.
  std::vector<std::unique_ptr<fabric::context>> contexts;
  for (int i = 0; i < n; ++i) contexts.push_back(fabric().open_context());
  fabric().run_threads(*context_, n, [&](int i) {
    world world(*state_, *contexts[static_cast<std::size_t>(i)], i);
    program(world);
  });
}

}  // namespace far
