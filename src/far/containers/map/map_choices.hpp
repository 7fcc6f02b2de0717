#pragma once
// What policy::automatic goes by: for each way to run an operation on the buckets of a rank of
// another machine, what it is expected to cost by its formula (map_costs.hpp), and what it has cost
// this rank. Buckets of the same machine are used one-sided, always, unless the interface does
// their atomics: a call costs ten times a few loads and stores.
//
// What a rank waits for is not all that a call costs: its target works, and whatever that does
// meanwhile takes longer. Were ranks to go by their own waits only, they would stay with calls
// where all are busy with those of each other, though all would be better off without. So a call
// costs its wait and the time that it takes at its target; and of any wait, the time in which this
// rank has worked for others does not count (docs/decisions/0006-the-choice.md).

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "far/containers/map/batch_choices.hpp"
#include "far/containers/map/map_operations.hpp"
#include "far/containers/map/map_part.hpp"
#include "far/memory/allocate.hpp"
#include "far/model/chooser.hpp"
#include "far/model/distance.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Threads: any.
class map_choices {
 public:
  /// What was chosen for an operation, which begins now.
  struct begun {
    model::choice chosen;
    model::chooser* chooser = nullptr;
    std::uint64_t at = 0;
    std::uint64_t served_ns = 0;  // of its context

    [[nodiscard]] bool by_call() const noexcept { return chosen.how == model::way::call; }
  };

  /// Null where there is nothing to choose. `domain`: who performs the table's atomics.
  /// Errors: bad_argument for a file of costs that is not right.
  static std::shared_ptr<map_choices> make(const world& view, amo_domain domain);
  map_choices(const world& view, amo_domain domain);

  /// Whether there is a choice for the buckets of a rank.
  [[nodiscard]] bool concerns(int rank) const noexcept {
    return is_choice(apart_[static_cast<std::size_t>(rank)], domain_);
  }

  /// For one key, whose operation is waited for; or started, which is measured until its future is
  /// ready, and so is kept apart.
  [[nodiscard]] begun begin(const world& view, int rank, map_operation what, promised promise) {
    return begin_one(view, waited_, rank, what, promise);
  }
  [[nodiscard]] begun begin_async(const world& view, int rank, map_operation what,
                                  promised promise) {
    return begin_one(view, started_, rank, what, promise);
  }
  /// It has ended, in the same thread.
  void end(const world& view, const begun& operation);

  /// For a batch of so many keys of each rank.
  [[nodiscard]] std::shared_ptr<planned_batch> begin_batch(const world& view,
                                                           std::vector<std::uint32_t> of_ranks,
                                                           map_operation what, promised promise);
  void end_batch(const world& view, const planned_batch& batch);

  /// This rank has worked so long for one who called, for so many keys.
  void served(std::uint64_t ns, std::size_t keys);

  /// Of all forms; of a batch once for each rank.
  [[nodiscard]] model::choice_counts counted() const;
  /// A table of what is expected and what was seen, for people.
  [[nodiscard]] std::string explain() const;

 private:
  static constexpr std::size_t kinds = map_operations * promises;

  [[nodiscard]] static bool is_choice(model::distance apart, amo_domain domain) noexcept {
    return apart == model::distance::other_node ||
           (apart == model::distance::same_node && domain == amo_domain::nic);
  }
  [[nodiscard]] begun begin_one(const world& view, model::chooser& chooser, int rank,
                                map_operation what, promised promise);
  /// What calls of ranks so far away have cost, on average of those that were called.
  [[nodiscard]] std::optional<double> mean_call(model::distance apart, map_operation what) const;
  [[nodiscard]] const model::way_costs& expected(model::distance apart, std::size_t kind) const {
    return expected_[static_cast<std::size_t>(apart) * kinds + kind];
  }

  amo_domain domain_;
  std::vector<model::distance> apart_;  // of each rank
  std::array<model::way_costs, model::distances * kinds> expected_;
  model::last_end last_;   // of an operation of either
  model::chooser waited_;  // one-sided by distance and kind, calls by rank and operation
  model::chooser started_;
  batch_choices batches_;

  std::mutex mutex_;         // of what follows
  model::estimate service_;  // of a key
};

}  // namespace far::containers
