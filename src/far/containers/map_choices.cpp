#include "far/containers/map_choices.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include <fmt/format.h>

#include "far/containers/map_costs.hpp"
#include "far/model/known_costs.hpp"

namespace far::containers {

namespace {

constexpr std::array<std::string_view, map_operations> operation_names{"insert", "assign", "update",
                                                                       "add",    "erase",  "find"};
constexpr std::array<std::string_view, promises> promise_names{"", " in writing()",
                                                               " in reading()"};

constexpr std::size_t kind_of(map_operation what, promised promise) noexcept {
  return static_cast<std::size_t>(what) * promises + static_cast<std::size_t>(promise);
}

/// What no view offers has no formula, and is not asked for.
model::formula formula_of(map_operation what, promised promise) noexcept {
  namespace costs = map_costs;
  const bool writing = promise == promised::only_changes;
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
      return promise == promised::only_looks ? costs::reading::find : costs::concurrent::find;
  }
}

/// Keys of a batch for each rank: fewer than 16, 256, 4096, or more.
std::size_t batch_size_class(std::size_t keys, std::size_t ranks, std::size_t classes) noexcept {
  const auto bits = static_cast<std::size_t>(std::bit_width(keys / ranks));
  return std::min(bits / 4, classes - 1);
}

/// A rank's, by operation: what the others promise is all one to its target.
std::size_t call_of(int rank, map_operation what) noexcept {
  return static_cast<std::size_t>(rank) * map_operations + static_cast<std::size_t>(what);
}

std::string in_ns(std::optional<double> seen, double expected) {
  return seen ? fmt::format("{:.0f}", *seen) : fmt::format("{:.0f} expected", expected);
}

}  // namespace

std::shared_ptr<map_choices> map_choices::make(const world& view, amo_domain domain) {
  for (int rank = 0; rank < view.size(); ++rank) {
    if (is_choice(model::distance_to(view, rank), domain)) {
      return std::make_shared<map_choices>(view, domain);
    }
  }
  return nullptr;
}

map_choices::map_choices(const world& view, amo_domain domain)
    : domain_(domain),
      waited_(model::distances * kinds, map_operations),
      started_(model::distances * kinds, map_operations),
      batches_(batch_sizes * kinds, batch_sizes * kinds) {
  for (int rank = 0; rank < view.size(); ++rank) apart_.push_back(model::distance_to(view, rank));
  const model::known_costs& known = model::costs_of(view);
  for (const model::distance apart : model::all_distances) {
    const model::component_costs& costs = known.of(apart);
    for (std::size_t what = 0; what < map_operations; ++what) {
      for (std::size_t promise = 0; promise < promises; ++promise) {
        const auto operation = static_cast<map_operation>(what);
        const auto promised_by_all = static_cast<promised>(promise);
        expected_[static_cast<std::size_t>(apart) * kinds + kind_of(operation, promised_by_all)] = {
            price(formula_of(operation, promised_by_all), costs), price(map_costs::call, costs)};
      }
    }
  }
}

map_choices::begun map_choices::begin_one(const world& view, model::chooser& chooser, int rank,
                                          map_operation what, promised promise) {
  const model::distance apart = apart_[static_cast<std::size_t>(rank)];
  const std::size_t kind = kind_of(what, promise);
  const auto direct = static_cast<std::uint32_t>(static_cast<std::size_t>(apart) * kinds + kind);
  const auto call = static_cast<std::uint32_t>(call_of(rank, what));
  const model::choice chosen = chooser.choose(direct, call, expected(apart, kind));
  return measured_from_now(view, chooser, chosen, 1);
}

map_choices::begun map_choices::begin_batch(const world& view, std::size_t keys, map_operation what,
                                            promised promise) {
  // Before anything has been seen: about so many operations and keys share a wait.
  constexpr double at_a_time = 16;
  const std::size_t size = batch_size_class(keys, apart_.size(), batch_sizes);
  const std::size_t kind = kind_of(what, promise);
  const model::distance most = *std::max_element(apart_.begin(), apart_.end());
  model::way_costs costs = expected(most, kind);
  costs.one_sided /= at_a_time;
  costs.call /= static_cast<double>(std::size_t{1} << (2 * size + 1));
  const auto index = static_cast<std::uint32_t>(size * kinds + kind);
  return measured_from_now(view, batches_, batches_.choose(index, index, costs), keys);
}

map_choices::begun map_choices::measured_from_now(const world& view, model::chooser& chooser,
                                                  const model::choice& chosen, std::size_t keys) {
  return {chosen, &chooser, keys, view.now(), view.context().served_ns()};
}

void map_choices::end(const world& view, const begun& operation) {
  const auto keys = static_cast<double>(operation.keys);
  double ns = static_cast<double>(view.now() - operation.at);
  const auto served = static_cast<double>(view.context().served_ns() - operation.served_ns);
  ns = std::max(ns - served, ns / 8);  // some of it was no delay, as this rank had to wait anyway
  if (operation.by_call()) {
    const std::scoped_lock lock(mutex_);
    ns += service_.mean() * keys;
  }
  operation.chooser->observe(operation.chosen, ns / keys);
}

void map_choices::served(std::uint64_t ns, std::size_t keys) {
  const std::scoped_lock lock(mutex_);
  service_.observe(static_cast<double>(ns) / static_cast<double>(keys), 1);
}

model::choice_counts map_choices::counted() const {
  model::choice_counts sum;
  for (const model::chooser* each : {&waited_, &started_, &batches_}) {
    const model::choice_counts counts = each->counted();
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
      const auto call = mean_call(apart, static_cast<map_operation>(kind / promises));
      const bool is_in_a_phase = kind % promises != 0;
      if (!direct && (is_in_a_phase || !call)) continue;
      const model::way_costs& costs = expected(apart, kind);
      text += fmt::format(
          "{:<28} {:<11} {:>18} {:>18}\n",
          fmt::format("{}{}", operation_names[kind / promises], promise_names[kind % promises]),
          name_of(apart), in_ns(direct, costs.one_sided), in_ns(call, costs.call));
    }
  }
  const model::choice_counts counts = counted();
  text += fmt::format(
      "chosen: {} one-sided, {} calls; {} of them to try the other way; changed {} times\n",
      counts.one_sided, counts.calls, counts.explored, counts.switched);
  return text;
}

}  // namespace far::containers
