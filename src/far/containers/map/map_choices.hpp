#pragma once
// How policy::automatic chooses. For each way to perform an operation on the buckets of a rank on
// another machine, it knows the cost that a formula predicts (map_costs.hpp), and the cost that
// this rank has observed. Buckets on the same machine are always accessed one-sided, unless the
// interface performs their atomics: a call costs ten times as much as a few loads and stores.
//
// The caller's wait is not the whole cost of a call: its target works for it, and is delayed in
// whatever it does meanwhile. If ranks counted only their own waits, they would stay with calls
// where all are busy with each other's calls, although all would be faster without. So the cost of
// a call is its wait plus the time that it takes at its target; and from any wait, the time in
// which this rank has worked for others is subtracted (docs/decisions/0006-the-choice.md).

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
  /// The choice for an operation that begins now.
  struct begun {
    model::choice chosen;
    model::chooser* chooser = nullptr;
    std::uint64_t at = 0;
    std::uint64_t served_ns = 0;  // context::served_ns at the begin

    [[nodiscard]] bool by_call() const noexcept { return chosen.how == model::way::call; }
  };

  /// Returns null if there is nothing to choose. `domain`: who performs the table's atomics.
  /// Errors: bad_argument for an invalid file of costs.
  static std::shared_ptr<map_choices> make(const world& world, amo_domain domain);
  map_choices(const world& world, amo_domain domain);

  /// Whether there is a choice for the buckets of `rank`.
  [[nodiscard]] bool concerns(int rank) const noexcept {
    return is_choice(apart_[static_cast<std::size_t>(rank)], domain_);
  }

  /// Chooses for one key: begin for an operation that is waited for, begin_async for one that is
  /// started. The latter is measured until its future is ready, so its costs are kept separately.
  [[nodiscard]] begun begin(const world& world, int rank, map_operation what, phase_kind phase) {
    return begin_one(world, waited_, rank, what, phase);
  }
  [[nodiscard]] begun begin_async(const world& world, int rank, map_operation what,
                                  phase_kind phase) {
    return begin_one(world, started_, rank, what, phase);
  }
  /// Records that the operation has ended. Called by the same thread.
  void end(const world& world, const begun& operation);

  /// Chooses for a batch with `of_ranks[r]` keys at each rank r.
  [[nodiscard]] std::shared_ptr<planned_batch> begin_batch(const world& world,
                                                           std::vector<std::uint32_t> of_ranks,
                                                           map_operation what, phase_kind phase);
  void end_batch(const world& world, const planned_batch& batch);

  /// Records that this rank has worked for `ns` on another rank's call for `keys` keys.
  void served(std::uint64_t ns, std::size_t keys);

  /// The sum over all forms; a batch counts once for each rank.
  [[nodiscard]] model::choice_counts counted() const;
  /// A table of expected and observed costs, for people.
  [[nodiscard]] std::string explain() const;

 private:
  static constexpr std::size_t kinds = map_operations * phase_kinds;

  [[nodiscard]] static bool is_choice(model::distance apart, amo_domain domain) noexcept {
    return apart == model::distance::other_node ||
           (apart == model::distance::same_node && domain == amo_domain::nic);
  }
  [[nodiscard]] begun begin_one(const world& world, model::chooser& chooser, int rank,
                                map_operation what, phase_kind phase);
  /// The mean cost of calls to ranks at this distance, of those ranks that were called.
  [[nodiscard]] std::optional<double> mean_call(model::distance apart, map_operation what) const;
  [[nodiscard]] const model::way_costs& expected(model::distance apart, std::size_t kind) const {
    return expected_[static_cast<std::size_t>(apart) * kinds + kind];
  }

  amo_domain domain_;
  std::vector<model::distance> apart_;  // by rank
  std::array<model::way_costs, model::distances * kinds> expected_;
  model::last_end last_;   // of an operation of either kind, waited for or started
  model::chooser waited_;  // one-sided by distance and kind, calls by rank and operation
  model::chooser started_;
  batch_choices batches_;

  std::mutex mutex_;         // protects what follows
  model::estimate service_;  // per key
};

}  // namespace far::containers
