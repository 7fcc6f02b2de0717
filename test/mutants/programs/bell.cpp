// A sleeper is woken by its doorbell only if it has declared that it sleeps.
//
// Whoever changes `asleep` from 1 to 0 must act: a producer rings once, and the sleeper waits for
// that; the sleeper stays awake.

#include "far/memory/allocate.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/signal.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::uint64_t items_each = 1;

void sleep_and_take(world& w, const atomic_ref<std::uint64_t>& items,
                    const atomic_ref<std::uint64_t>& asleep, ptr<std::uint64_t> bell) {
  const std::uint64_t all = items_each * static_cast<std::uint64_t>(w.size() - 1);
  std::uint64_t taken = 0;
  std::uint64_t rings = 0;
  while (taken < all) {
    asleep.store(1);
    const std::uint64_t now = items.load();
    if (now > taken && asleep.exchange(0) == 1) {
      taken = now;
    } else {
      wait_signal(w, bell, at_least{++rings});
    }
  }
}

void bell(world& w) {
  const auto words = allocate<std::uint64_t>(w, 3).on(0);
  const atomic_ref<std::uint64_t> items(w, words);
  const atomic_ref<std::uint64_t> asleep(w, words + 1);
  w.fabric().quiesce(w.context());
  if (w.rank() == 0) return sleep_and_take(w, items, asleep, words + 2);
  for (std::uint64_t i = 0; i < items_each; ++i) {
    items.fetch_add(1);
    if (asleep.exchange(0) == 1) notify(w, signal_of(words + 2, 1, signal::kind::add));
  }
}

const program the_bell("bell", {.ranks = 3}, bell);

}  // namespace
}  // namespace far::mutants
