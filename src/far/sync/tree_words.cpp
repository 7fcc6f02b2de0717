#include "far/sync/tree_words.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/memory/allocate.hpp"
#include "far/rma/direct.hpp"
#include "far/sync/node_names.hpp"
#include "far/team/agreement.hpp"

namespace far::sync {
namespace {

/// A hash of everything that must be the same on all ranks.
std::uint64_t summary(const world& world, const lock_levels& levels,
                      const std::vector<std::uint64_t>& passes, const tree_words::choice& chosen) {
  std::uint64_t result = base::hash_combine(chosen.also, static_cast<unsigned>(chosen.home));
  for (const std::uint64_t max : passes) result = base::hash_combine(result, max);
  for (int level = 0; level < levels.count(); ++level) {
    for (int rank = 0; rank < world.size(); ++rank) {
      result = base::hash_combine(result, static_cast<unsigned>(levels.home(level, rank)));
    }
  }
  return result;
}

}  // namespace

tree_words::tree_words(const world& world, const lock_levels& levels,
                       const std::vector<std::uint64_t>& passes, const char* what,
                       const choice& chosen)
    : world_(world) {
  if (chosen.home < 0 || chosen.home >= world.size()) {
    throw bad_argument(fmt::format("{}: rank {} cannot be its home: the job has {} ranks", what,
                                   chosen.home, world.size()));
  }
  if (passes.empty()) {
    throw bad_argument(
        fmt::format("{}: max_passes is empty: pass a number for each level, or one "
                    "for all",
                    what));
  }
  const auto count = static_cast<std::uint64_t>(levels.count());
  const auto tails = allocate<std::uint64_t>(world, count);
  ptr<queue_node> nodes;
  try {
    nodes = allocate<queue_node>(world, count);
  } catch (const out_of_memory&) {
    deallocate(world, tails.on(world.rank()));
    throw;
  }
  tails_ = tails.on(world.rank());
  nodes_ = nodes.on(world.rank());
  const std::uint64_t mine = summary(world, levels, passes, chosen);
  if (!detail::all_agree(world, base::hash_combine(nodes_.on(0).bits(), mine))) {
    deallocate(world, nodes_);
    deallocate(world, tails_);
    throw bad_argument(
        fmt::format("rank {} makes a {} of {} levels, other ranks make another object, or one of "
                    "other levels, thresholds or home: distributed objects are made by all ranks "
                    "alike",
                    world.rank(), what, count));
  }
  const std::uint64_t countable = node_names(world.size()).max_passes();
  for (int level = 0; level < levels.count(); ++level) {
    const std::size_t given = std::min(static_cast<std::size_t>(level), passes.size() - 1);
    const int home = level == 0 ? chosen.home : levels.home(level, world.rank());
    const std::uint64_t max = level == 0 ? passes[given] : std::min(passes[given], countable);
    queues_.push_back({tails_.on(home) + level, max});
  }
  threads_.emplace(world, nodes_, count);
}

// This rank enters the job's queue and passes nothing on. So threads that come later wait behind
// it, and get rank_failed, as those that wait already.
std::optional<int> tree_words::close() {
  const ptr<std::uint64_t> tail = queues_.front().tail;
  if (!world_.fabric().knows_failure()) {
    throw bad_argument(fmt::format(
        "rank {} closes a lock of a job that has not failed: call close only after rank_failed",
        world_.rank()));
  }
  if (tail.rank() != world_.rank()) {
    throw bad_argument(fmt::format("rank {} closes a lock whose home is rank {}: close it there",
                                   world_.rank(), tail.rank()));
  }
  const std::uint64_t last = rma::atomic_word<std::uint64_t>(world_.fabric().local(tail.address()))
                                 .exchange(nodes_.bits(), std::memory_order_acq_rel);
  if (last == 0) return std::nullopt;
  return ptr<queue_node>::from_bits(last).rank();
}

tree_words::~tree_words() {
  try {
    threads_->free();
    deallocate(world_, nodes_);
    deallocate(world_, tails_);
  } catch (const std::exception&) {
    // The job has failed: its memory goes with it.
  }
}

}  // namespace far::sync
