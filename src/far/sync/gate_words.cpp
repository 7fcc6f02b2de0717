#include "far/sync/gate_words.hpp"

#include <cstddef>
#include <exception>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"

namespace far::sync {
namespace {

void check(int counter_every, std::uint64_t limit, int patience) {
  if (counter_every < 0) {
    throw bad_argument(fmt::format(
        "rw_lock: counter_every is {}: pass 1 or more, or 0 for the default", counter_every));
  }
  if (limit > gate_shape::highest_limit) {
    throw bad_argument(
        fmt::format("rw_lock: max_readers is {}: the max is {}", limit, gate_shape::highest_limit));
  }
  if (patience < 0) {
    throw bad_argument(fmt::format(
        "rw_lock: patience is {}: pass 1 or more, or 0 to use max_readers alone", patience));
  }
}

}  // namespace

std::vector<int> counter_homes(const world& world, int counter_every) {
  constexpr int in_shared_memory = 8;
  std::vector<int> result;
  if (counter_every == 0 && !world.fabric().coherent()) {
    std::vector<bool> has_one;  // by machine
    for (int rank = 0; rank < world.size(); ++rank) {
      const auto machine = static_cast<std::size_t>(world.node_of(rank));
      if (machine >= has_one.size()) has_one.resize(machine + 1);
      if (!has_one[machine]) result.push_back(rank);
      has_one[machine] = true;
    }
    return result;
  }
  const int every = counter_every > 0 ? counter_every : 1 + (world.size() - 1) / in_shared_memory;
  for (int rank = 0; rank < world.size(); rank += every) result.push_back(rank);
  return result;
}

gate_words::gate_words(const world& world, int counter_every, const gate_shape& how)
    : world_(world), shape_(how) {
  check(counter_every, how.limit, how.patience);
  shape_.counters = allocate<reader_counter>(world).on(world.rank());
  shape_.homes = counter_homes(world, counter_every);
  for (const int home : shape_.homes) {
    const bool near = counter_every > 0 || world.node_of(home) == world.node_of(world.rank());
    if (near && home <= world.rank()) shape_.own = home;
  }
}

gate_words::~gate_words() {
  try {
    deallocate(world_, shape_.counters);
  } catch (const std::exception&) {
    // The job has failed: its memory goes with it.
  }
}

}  // namespace far::sync
