// A spin lock: a word at rank 0 that names its holder. It guards a counter.

#include "far/memory/allocate.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/transfer.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

class spin_lock {
 public:
  spin_lock(const world& w, ptr<std::uint64_t> word) : w_(&w), word_(w, word) {}

  void lock() const {
    fabric::backoff wait;
    while (!try_lock()) w_->context().pause(wait);
  }
  void unlock() const { word_.store(0); }

 private:
  [[nodiscard]] bool try_lock() const {
    std::uint64_t expected = 0;
    return word_.compare_exchange(expected, static_cast<std::uint64_t>(w_->rank()) + 1);
  }

  const world* w_;
  atomic_ref<std::uint64_t> word_;
};

void counter(world& w) {
  constexpr std::uint64_t times = 4;
  const auto word = allocate<std::uint64_t>(w).on(0);
  const auto count = allocate<std::uint64_t>(w).on(0);
  w.fabric().quiesce(w.context());
  const spin_lock guard(w, word);
  for (std::uint64_t i = 0; i < times; ++i) {
    guard.lock();
    const std::uint64_t seen = get(w, count);
    put(w, count, seen + 1);
    guard.unlock();
  }
  w.fabric().quiesce(w.context());
  const auto all = times * static_cast<std::uint64_t>(w.size());
  check(get(w, count) == all, "an increment under the lock was lost");
}

const program the_counter("lock", {.ranks = 3}, counter);

}  // namespace
}  // namespace far::mutants
