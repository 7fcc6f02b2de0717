// The guarantees of puts, flushes and signals.

#include <algorithm>
#include <array>
#include <vector>

#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/signal.hpp"
#include "far/rma/transfer.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::size_t words = 8;
constexpr std::uint64_t rounds = 6;
using row = std::vector<std::uint64_t>;

/// Each rank sends rows to the next one by send(to, row, round), and waits until they have been
/// read.
template <class Send>
void ring_of_rows(world& w, Send send) {
  const auto place = allocate<std::uint64_t>(w, words);
  const auto told = allocate<std::uint64_t>(w);
  const auto read = allocate<std::uint64_t>(w);
  w.fabric().quiesce(w.context());
  const int next = (w.rank() + 1) % w.size();
  const int before = (w.rank() + w.size() - 1) % w.size();
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    const row values(words, round);
    send(place.on(next), values, signal_of(told.on(next), round));
    wait_signal(w, told, at_least{round});
    row got(words);
    get(w, place, std::span(got));
    check(std::ranges::all_of(got, [&](std::uint64_t word) { return word == round; }),
          "the row was not there when its signal was");
    notify(w, signal_of(read.on(before), round));
    wait_signal(w, read, at_least{round});
    flush(w);  // `values` may be destroyed now
  }
}

void signalled(world& w) {
  ring_of_rows(w, [&](ptr<std::uint64_t> to, const row& values, const signal& after) {
    put(w, to, std::span(values), after);
  });
}

void flushed(world& w) {
  ring_of_rows(w, [&](ptr<std::uint64_t> to, const row& values, const signal& after) {
    for (const std::uint64_t value : values) (void)put_async(w, to++, value);
    flush(w, to.rank());
    notify(w, after);
  });
}

void completed(world& w) {
  ring_of_rows(w, [&](ptr<std::uint64_t> to, const row& values, const signal& after) {
    put_async(w, to, std::span(values)).wait();
    notify(w, after);
  });
}

const program the_signalled("signalled", {.ranks = 3}, signalled);
const program the_flushed("flushed", {.ranks = 3}, flushed);
const program the_completed("completed", {.ranks = 3}, completed);

}  // namespace
}  // namespace far::mutants
