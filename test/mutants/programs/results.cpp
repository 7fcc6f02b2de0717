// Results of remote calls: large ones, and late ones.

#include <algorithm>
#include <string>
#include <vector>

#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/rpc.hpp"
#include "far/team/barrier.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

/// Some results fit in the reply; others are kept and fetched.
void large_results(world& w) {
  constexpr std::size_t calls = 6;
  std::vector<future<std::string>> in_flight;
  for (std::size_t i = 0; i < calls; ++i) {
    in_flight.push_back(rpc(
        w, (w.rank() + 1) % w.size(),
        [](std::size_t length, char letter) { return std::string(length, letter); }, 80 * i,
        static_cast<char>('a' + w.rank())));
  }
  for (std::size_t i = 0; i < calls; ++i) {
    check(in_flight[i].get() == std::string(80 * i, static_cast<char>('a' + w.rank())),
          "the result is another one");
  }
}

/// The call is complete only when everything that its function has started is complete.
void late_results(world& w) {
  constexpr std::int64_t calls = 4;
  const auto cells = allocate<std::uint64_t>(w, calls);
  barrier(w);
  for (std::int64_t i = 0; i < calls; ++i) {
    const auto cell = cells.on((w.rank() + 2) % w.size()) + i;
    rpc(
        w, (w.rank() + 1) % w.size(),
        [](world& there, ptr<std::uint64_t> to) { return put_async(there, to, 7u); }, cell)
        .get();
    check(get(w, cell) == 7, "the call was over before what it does");
  }
}

const program the_large("large_results", {.ranks = 3}, large_results);
const program the_late("late_results", {.ranks = 3}, late_results);

}  // namespace
}  // namespace far::mutants
