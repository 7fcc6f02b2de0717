// What transfers of sections guarantee: accumulates lose nothing, and a transfer is complete when
// its call returns, or the flush after it, whichever protocol moves it.

#include "far/sections/sections.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "far/memory/allocate.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/signal.hpp"
#include "far/rma/transfer.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

/// All ranks add to the same elements, some by themselves under the lock, some by the owner's lane.
void additions(world& w) {
  constexpr int rounds = 4;
  const auto sums = allocate<long>(w, 4);
  w.fabric().quiesce(w.context());
  const std::array<long, 4> ones{1, 1, 1, 1};
  const auto there = patch(sums.on(0), 2, 2);
  const auto mine = patch(ones.data(), 2, 2);
  for (int i = 0; i < rounds; ++i) {
    accumulate(w, there, 1, mine,
               (i + w.rank()) % 2 == 0 ? section_protocol::packed : section_protocol::per_segment);
  }
  w.fabric().quiesce(w.context());
  std::vector<long> seen(4);
  get(w, sums.on(0), seen);
  check(std::ranges::all_of(seen, [&](long sum) { return sum == rounds * w.size(); }),
        "additions were lost");
}

enum class ends { by_itself, by_flush };

/// Each rank sends patches to the next one and tells it, and gets them back.
template <std::uint64_t Rows, std::uint64_t Columns>
void ring_of_patches(world& w, section_protocol how, ends way = ends::by_itself) {
  constexpr std::uint64_t leading = Columns + 2;
  constexpr std::uint64_t elements = Rows * Columns;
  const auto place = allocate<std::uint32_t>(w, Rows * leading);
  const auto told = allocate<std::uint64_t>(w);
  const auto read = allocate<std::uint64_t>(w);
  const auto mine = local_span(w, allocate_local<std::uint32_t>(w, elements), elements);
  w.fabric().quiesce(w.context());
  const int next = (w.rank() + 1) % w.size();
  const int before = (w.rank() + w.size() - 1) % w.size();
  const auto there = patch(place.on(next), Rows, Columns, leading);
  const auto here = patch(mine.data(), Rows, Columns);
  for (std::uint32_t round = 1; round <= 3; ++round) {
    const auto value = [&](std::uint64_t i) {
      return round * 1000 + static_cast<std::uint32_t>(i);
    };
    for (std::uint64_t i = 0; i < elements; ++i) mine[i] = value(i);
    if (way == ends::by_flush) {
      (void)put_async(w, there, here, how);
      flush(w, next);
    } else {
      put(w, there, here, how);
    }
    std::ranges::fill(mine, 0U);  // the put is complete, so its source is free
    notify(w, signal_of(told.on(next), round));
    wait_signal(w, told, at_least{round});
    std::vector<std::uint32_t> got(Rows * leading);
    get(w, place, got);
    for (std::uint64_t i = 0; i < elements; ++i) {
      check(got[i / Columns * leading + i % Columns] == value(i), "the patch was not there");
    }
    if (way == ends::by_flush) {
      (void)get_async(w, there, here, how);
      flush(w, next);
    } else {
      get(w, there, here, how);
    }
    for (std::uint64_t i = 0; i < elements; ++i)
      check(mine[i] == value(i), "another patch came back");
    notify(w, signal_of(read.on(before), round));
    wait_signal(w, read, at_least{round});
  }
}

void assisted(world& w) { ring_of_patches<8, 2>(w, section_protocol::host_assisted); }
void pipelined(world& w) { ring_of_patches<2, 400>(w, section_protocol::pipelined); }
void unawaited(world& w) { ring_of_patches<3, 4>(w, section_protocol::packed, ends::by_flush); }

const program the_additions("additions", {.ranks = 3}, additions);
const program the_assisted("assisted", {.ranks = 2}, assisted);
const program the_pipelined("pipelined", {.ranks = 2}, pipelined);
const program the_unawaited("unawaited", {.ranks = 2}, unawaited);

}  // namespace
}  // namespace far::mutants
