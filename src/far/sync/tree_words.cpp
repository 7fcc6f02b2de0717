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
std::uint64_t summary(const world& view, const lock_levels& levels,
                      const std::vector<std::uint64_t>& passes, const tree_words::choice& chosen) {
  std::uint64_t result = base::hash_combine(chosen.also, static_cast<unsigned>(chosen.home));
  for (const std::uint64_t max : passes) result = base::hash_combine(result, max);
  for (int level = 0; level < levels.count(); ++level) {
    for (int rank = 0; rank < view.size(); ++rank) {
      result = base::hash_combine(result, static_cast<unsigned>(levels.home(level, rank)));
    }
  }
  return result;
}

}  // namespace

tree_words::tree_words(const world& view, const lock_levels& levels,
                       const std::vector<std::uint64_t>& passes, const char* what,
                       const choice& chosen)
    : view_(view) {
  if (chosen.home < 0 || chosen.home >= view.size()) {
    throw bad_argument(fmt::format("{}: rank {} cannot be its home: the job has {} ranks", what,
                                   chosen.home, view.size()));
  }
  if (passes.empty()) {
    throw bad_argument(
        fmt::format("{}: max_passes is empty: pass a number for each level, or one "
                    "for all",
                    what));
  }
  const auto count = static_cast<std::uint64_t>(levels.count());
  const auto tails = allocate<std::uint64_t>(view, count);
  ptr<queue_node> nodes;
  try {
    nodes = allocate<queue_node>(view, count);
  } catch (const out_of_memory&) {
    deallocate(view, tails.on(view.rank()));
    throw;
  }
  tails_ = tails.on(view.rank());
  nodes_ = nodes.on(view.rank());
  const std::uint64_t mine = summary(view, levels, passes, chosen);
  if (!detail::all_agree(view, base::hash_combine(nodes_.on(0).bits(), mine))) {
    deallocate(view, nodes_);
    deallocate(view, tails_);
    throw bad_argument(
        fmt::format("rank {} makes a {} of {} levels, other ranks make another object, or one of "
                    "other levels, thresholds or home: distributed objects are made by all ranks "
                    "alike",
                    view.rank(), what, count));
  }
  const std::uint64_t countable = node_names(view.size()).max_passes();
  for (int level = 0; level < levels.count(); ++level) {
    const std::size_t given = std::min(static_cast<std::size_t>(level), passes.size() - 1);
    const int home = level == 0 ? chosen.home : levels.home(level, view.rank());
    const std::uint64_t max = level == 0 ? passes[given] : std::min(passes[given], countable);
    queues_.push_back({tails_.on(home) + level, max});
  }
  threads_.emplace(view, nodes_, count);
}

// This rank enters the job's queue and passes nothing on. So threads that come later wait behind
// it, and get rank_failed, as those that wait already.
std::optional<int> tree_words::close() {
  const ptr<std::uint64_t> tail = queues_.front().tail;
  if (!view_.fabric().knows_failure()) {
    throw bad_argument(fmt::format(
        "rank {} closes a lock of a job that has not failed: call close only after rank_failed",
        view_.rank()));
  }
  if (tail.rank() != view_.rank()) {
    throw bad_argument(fmt::format("rank {} closes a lock whose home is rank {}: close it there",
                                   view_.rank(), tail.rank()));
  }
  const std::uint64_t last = rma::atomic_word<std::uint64_t>(view_.fabric().local(tail.address()))
                                 .exchange(nodes_.bits(), std::memory_order_acq_rel);
  if (last == 0) return std::nullopt;
  return ptr<queue_node>::from_bits(last).rank();
}

tree_words::~tree_words() {
  try {
    threads_->free();
    deallocate(view_, nodes_);
    deallocate(view_, tails_);
  } catch (const std::exception&) {
    // The job has failed: its memory goes with it.
  }
}

}  // namespace far::sync
