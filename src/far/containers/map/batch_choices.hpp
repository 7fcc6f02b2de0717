#pragma once
// How policy::automatic chooses for a batch of keys on many ranks. It makes two choices.
//
// The first is between one-sided and calls, by the time that whole batches took each way: the keys
// of a batch wait at the same time, so the cost of one rank's keys cannot be measured. The second
// is between calls to all ranks and calls that leave out ranks which answer late
// (model/answer_times.hpp). Again the time of whole batches decides: late answers suggest that
// leaving ranks out is better, but do not prove it.
//
// Unlike single operations (map_choices.hpp), batches are charged with all of their own time, and
// with no time of other ranks. A rank that runs a batch answers calls meanwhile, either way.

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "far/model/answer_times.hpp"
#include "far/model/chooser.hpp"

namespace far::containers {

/// The choices for the ranks of a batch. Used by the thread that runs the batch.
class planned_batch {
 public:
  [[nodiscard]] bool calls(int rank) const noexcept {
    return called_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] bool calls_any() const noexcept { return called_keys_ != 0; }
  /// Records that `rank` has answered a message after `ns`.
  void answered(int rank, std::uint64_t ns) noexcept {
    std::uint64_t& slowest = answer_ns_[static_cast<std::size_t>(rank)];
    if (ns > slowest) slowest = ns;
  }

  std::size_t keys = 0;  ///< including keys at ranks without a choice
  std::uint64_t at = 0;

 private:
  friend class batch_choices;

  std::vector<std::uint32_t> of_ranks_;  // keys by rank; 0 without a choice
  std::vector<bool> called_;
  std::vector<std::uint64_t> answer_ns_;  // of the slowest message, by rank
  std::size_t ranks_ = 0;                 // number of ranks with a choice and keys
  std::size_t called_keys_ = 0;
  std::size_t size_ = 0;
  model::choice whole_;
  model::choice which_calls_;  // one_sided: leave some ranks out
};

/// Threads: any.
class batch_choices {
 public:
  /// `kinds`: the number of kinds of operations.
  explicit batch_choices(std::size_t kinds);

  /// Chooses for a batch with `of_ranks[r]` keys of rank r, 0 if there is no choice for r.
  /// `expected`: the costs of a key among many one-sided, and of a call for a single key.
  /// `first_ns`: the cost of a single key one-sided.
  [[nodiscard]] planned_batch choose(std::vector<std::uint32_t> of_ranks, std::size_t kind,
                                     model::way_costs expected, double first_ns);
  /// Records that the batch took `ns` per key.
  void observe(const planned_batch& batch, double ns);

  /// Each batch counts once for each rank for which there was a choice.
  [[nodiscard]] model::choice_counts counted() const;
  /// Lists the ranks that are left out most often, for people; empty if none ever was.
  [[nodiscard]] std::string explain() const;

 private:
  static constexpr std::size_t sizes = 4;  // by keys per rank: fewer than 8, 128, 2048, or more

  void count(const planned_batch& batch, std::size_t left_out);

  std::size_t entries_;
  model::chooser whole_;        // by size and kind: one-sided; calls to all, then to some
  model::chooser which_calls_;  // by size and kind; one_sided: calls to some

  mutable std::mutex mutex_;  // protects what follows
  std::array<model::answer_times, sizes> answers_;
  model::choice_counts counts_;          // all but `switched`
  std::vector<std::uint64_t> left_out_;  // how often, by rank
};

}  // namespace far::containers
