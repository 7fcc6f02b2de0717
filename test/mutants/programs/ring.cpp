// A ring buffer from rank 0 to rank 1 whose slots hold more than one word.

#include "far/memory/allocate.hpp"
#include "far/rma/signal.hpp"
#include "far/rma/transfer.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::uint64_t slots = 4;
constexpr std::uint64_t items = 20;

struct item {
  std::uint64_t number;
  std::uint64_t check;
};

void ring(world& w) {
  const auto buffer = allocate<item>(w, slots);
  const auto filled = allocate<std::uint64_t>(w);
  const auto taken = allocate<std::uint64_t>(w);
  w.fabric().quiesce(w.context());
  for (std::uint64_t n = 0; n < items; ++n) {
    if (w.rank() == 0) {
      if (n >= slots) wait_signal(w, taken, at_least{n + 1 - slots});
      put(w, buffer.on(1) + static_cast<std::int64_t>(n % slots), item{n, ~n});
      notify(w, signal_of(filled.on(1), n + 1));
    } else {
      wait_signal(w, filled, at_least{n + 1});
      const item got = get(w, buffer + static_cast<std::int64_t>(n % slots));
      check(got.number == n && got.check == ~n, "the item is not the next one");
      notify(w, signal_of(taken.on(0), n + 1));
    }
  }
}

const program the_ring("ring", {.ranks = 2}, ring);

}  // namespace
}  // namespace far::mutants
