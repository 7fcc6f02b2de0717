#pragma once
// What policy::automatic goes by for a batch of keys on many ranks. It chooses twice.
//
// Between one-sided and calls, by what whole batches have taken either way: their keys wait at the
// same time, so what one rank's part of them has cost cannot be told. And of calls, between calls
// to all ranks, and those that leave out who answers late (model/answer_times.hpp), again by what
// whole batches have taken: that some answer late says what may be better, not that it is.
//
// Unlike single operations (map_choices.hpp) batches are charged with all of the time that they
// take, and with no other's. A rank that runs one answers calls meanwhile, whichever way it goes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "far/model/answer_times.hpp"
#include "far/model/chooser.hpp"

namespace far::containers {

/// What was chosen for the ranks of a batch. Used by the thread that runs it.
class planned_batch {
 public:
  [[nodiscard]] bool calls(int rank) const noexcept {
    return called_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] bool calls_any() const noexcept { return called_keys_ != 0; }
  /// A rank has answered a message after so long.
  void answered(int rank, std::uint64_t ns) noexcept {
    std::uint64_t& slowest = answer_ns_[static_cast<std::size_t>(rank)];
    if (ns > slowest) slowest = ns;
  }

  std::size_t keys = 0;  ///< those at ranks without a choice, too
  std::uint64_t at = 0;

 private:
  friend class batch_choices;

  std::vector<std::uint32_t> of_ranks_;  // keys, where there is a choice
  std::vector<bool> called_;
  std::vector<std::uint64_t> answer_ns_;  // of the slowest message
  std::size_t ranks_ = 0;                 // with such keys
  std::size_t called_keys_ = 0;
  std::size_t size_ = 0;
  model::choice whole_;
  model::choice which_calls_;  // "one-sided": some are left out
};

/// Threads: any.
class batch_choices {
 public:
  /// Of so many kinds of operations.
  explicit batch_choices(std::size_t kinds);

  /// For so many keys of each rank, none where there is no choice. `expected`: of a key of many
  /// one-sided, and of a call for a single key; `first_ns`: of a single key one-sided.
  [[nodiscard]] planned_batch choose(std::vector<std::uint32_t> of_ranks, std::size_t kind,
                                     model::way_costs expected, double first_ns);
  /// Each of its keys has taken so long.
  void observe(const planned_batch& batch, double ns);

  /// Of each batch once for each rank that there was a choice for.
  [[nodiscard]] model::choice_counts counted() const;
  /// Who is left out most, for people; empty where nobody ever was.
  [[nodiscard]] std::string explain() const;

 private:
  static constexpr std::size_t sizes = 4;  // by keys of a rank: fewer than 8, 128, 2048, or more

  void count(const planned_batch& batch, std::size_t left_out);

  std::size_t entries_;
  model::chooser whole_;        // one-sided by size and kind; calls to all so too, then to some
  model::chooser which_calls_;  // by size and kind; "one-sided": to some

  mutable std::mutex mutex_;  // of what follows
  std::array<model::answer_times, sizes> answers_;
  model::choice_counts counts_;          // but for `switched`
  std::vector<std::uint64_t> left_out_;  // how often, by rank
};

}  // namespace far::containers
