#include "far/containers/map/map_choices.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "far/containers/map/map_costs.hpp"
#include "far/model/known_costs.hpp"

namespace far::containers {

namespace {

constexpr std::array<std::string_view, map_operations> operation_names{"insert", "assign", "update",
                                                                       "add",    "erase",  "find"};
constexpr std::array<std::string_view, phase_kinds> phase_names{"", " in writing()",
                                                                " in reading()"};

constexpr std::size_t kind_of(map_operation what, phase_kind phase) noexcept {
  return static_cast<std::size_t>(what) * phase_kinds + static_cast<std::size_t>(phase);
}

/// Combinations that no view offers have no formula, and are never requested.
model::formula formula_of(map_operation what, phase_kind phase) noexcept {
  namespace costs = map_costs;
  const bool writing = phase == phase_kind::writing;
  switch (what) {
    case map_operation::insert:
      return writing ? costs::writing::insert : costs::concurrent::insert;
    case map_operation::assign:
      return writing ? costs::writing::assign : costs::concurrent::assign;
    case map_operation::update:
      return writing ? costs::writing::update : costs::concurrent::update;
    case map_operation::add:
      return writing ? costs::writing::add : costs::concurrent::add;
    case map_operation::erase:
      return writing ? costs::writing::erase : costs::concurrent::erase;
    default:
      return phase == phase_kind::reading ? costs::reading::find : costs::concurrent::find;
  }
}

/// The index of calls to a rank, by operation. A phase makes little difference to their target.
std::size_t call_of(int rank, map_operation what) noexcept {
  return static_cast<std::size_t>(rank) * map_operations + static_cast<std::size_t>(what);
}

std::string in_ns(std::optional<double> seen, double expected) {
  return seen ? fmt::format("{:.0f}", *seen) : fmt::format("{:.0f} expected", expected);
}

}  // namespace

std::shared_ptr<map_choices> map_choices::make(const world& world, amo_domain domain) {
  for (int rank = 0; rank < world.size(); ++rank) {
    if (is_choice(model::distance_to(world, rank), domain)) {
      return std::make_shared<map_choices>(world, domain);
    }
  }
  return nullptr;
}

map_choices::map_choices(const world& world, amo_domain domain)
    : domain_(domain),
      waited_(model::distances * kinds, map_operations),
      started_(model::distances * kinds, map_operations),
      batches_(kinds) {
  for (int rank = 0; rank < world.size(); ++rank) apart_.push_back(model::distance_to(world, rank));
  const model::known_costs& known = model::costs_of(world);
  for (const model::distance apart : model::all_distances) {
    const model::component_costs& costs = known.of(apart);
    for (std::size_t what = 0; what < map_operations; ++what) {
      for (std::size_t phase = 0; phase < phase_kinds; ++phase) {
        const auto operation = static_cast<map_operation>(what);
        const auto phase_of_all = static_cast<phase_kind>(phase);
        expected_[static_cast<std::size_t>(apart) * kinds + kind_of(operation, phase_of_all)] = {
            price(formula_of(operation, phase_of_all), costs), price(map_costs::call, costs)};
      }
    }
  }
}

map_choices::begun map_choices::begin_one(const world& world, model::chooser& chooser, int rank,
                                          map_operation what, phase_kind phase) {
  const model::distance apart = apart_[static_cast<std::size_t>(rank)];
  const std::size_t kind = kind_of(what, phase);
  const auto direct = static_cast<std::uint32_t>(static_cast<std::size_t>(apart) * kinds + kind);
  const auto call = static_cast<std::uint32_t>(call_of(rank, what));
  const std::uint64_t now = world.now();
  const model::choice chosen =
      chooser.choose(direct, call, expected(apart, kind), last_.until(now));
  last_.set(now);
  return {chosen, &chooser, now, world.context().served_ns()};
}

void map_choices::end(const world& world, const begun& operation) {
  const std::uint64_t now = world.now();
  double ns = static_cast<double>(now - operation.at);
  last_.set(now);
  const auto served = static_cast<double>(world.context().served_ns() - operation.served_ns);
  ns = std::max(ns - served, ns / 8);  // part of `served` was no delay: this rank waited anyway
  if (operation.by_call()) {
    const std::scoped_lock lock(mutex_);
    ns += service_.mean();
  }
  operation.chooser->observe(operation.chosen, ns);
}

std::shared_ptr<planned_batch> map_choices::begin_batch(const world& world,
                                                        std::vector<std::uint32_t> of_ranks,
                                                        map_operation what, phase_kind phase) {
  // Until costs are observed: about this many operations share a wait.
  constexpr double at_a_time = 16;
  const std::size_t keys = std::accumulate(of_ranks.begin(), of_ranks.end(), std::size_t{0});
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    if (!concerns(static_cast<int>(rank))) of_ranks[rank] = 0;
  }
  const std::size_t kind = kind_of(what, phase);
  const model::distance max = *std::max_element(apart_.begin(), apart_.end());
  const double first_ns = expected(max, kind).one_sided;
  const model::way_costs costs{first_ns / at_a_time, expected(max, kind).call};
  auto batch =
      std::make_shared<planned_batch>(batches_.choose(std::move(of_ranks), kind, costs, first_ns));
  batch->keys = keys;
  batch->at = world.now();
  return batch;
}

void map_choices::end_batch(const world& world, const planned_batch& batch) {
  if (batch.keys == 0) return;
  const auto ns = static_cast<double>(world.now() - batch.at);
  batches_.observe(batch, ns / static_cast<double>(batch.keys));
}

void map_choices::served(std::uint64_t ns, std::size_t keys) {
  const std::scoped_lock lock(mutex_);
  service_.observe(static_cast<double>(ns) / static_cast<double>(keys), 1);
}

model::choice_counts map_choices::counted() const {
  model::choice_counts sum;
  for (const model::choice_counts& counts :
       {waited_.counted(), started_.counted(), batches_.counted()}) {
    sum.one_sided += counts.one_sided;
    sum.calls += counts.calls;
    sum.explored += counts.explored;
    sum.switched += counts.switched;
  }
  return sum;
}

std::optional<double> map_choices::mean_call(model::distance apart, map_operation what) const {
  double sum = 0;
  int count = 0;
  for (std::size_t rank = 0; rank < apart_.size(); ++rank) {
    const model::estimate seen = waited_.call(call_of(static_cast<int>(rank), what));
    if (apart_[rank] != apart || !seen.is_observed()) continue;
    sum += seen.mean();
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

std::string map_choices::explain() const {
  std::string text = fmt::format("{:<28} {:<11} {:>18} {:>18}\n", "operation", "distance",
                                 "one-sided, ns", "call, ns");
  for (const model::distance apart : model::all_distances) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const auto seen = [](const model::estimate& cost) {
        return cost.is_observed() ? std::optional(cost.mean()) : std::nullopt;
      };
      const auto direct = seen(waited_.one_sided(static_cast<std::size_t>(apart) * kinds + kind));
      const auto call = mean_call(apart, static_cast<map_operation>(kind / phase_kinds));
      const bool is_in_a_phase = kind % phase_kinds != 0;
      if (!direct && (is_in_a_phase || !call)) continue;
      const model::way_costs& costs = expected(apart, kind);
      text += fmt::format(
          "{:<28} {:<11} {:>18} {:>18}\n",
          fmt::format("{}{}", operation_names[kind / phase_kinds], phase_names[kind % phase_kinds]),
          name_of(apart), in_ns(direct, costs.one_sided), in_ns(call, costs.call));
    }
  }
  const model::choice_counts counts = counted();
  text += fmt::format(
      "chosen: {} one-sided, {} calls; {} of them to try the other way; changed {} times\n",
      counts.one_sided, counts.calls, counts.explored, counts.switched);
  return text + batches_.explain();
}

}  // namespace far::containers
