#include "far/containers/queue/ring_choices.hpp"

#include <algorithm>
#include <bit>

#include "far/containers/queue/queue_costs.hpp"
#include "far/model/known_costs.hpp"

namespace far::containers {
namespace {

// A one-sided push that is tried among calls delays these, because they come behind its claim. And
// its cost depends little on what the ranks are doing. So it is tried rarely.
constexpr std::uint64_t stale_one_sided = 2048;

bool is_choice(model::distance apart, amo_domain domain) noexcept {
  return apart == model::distance::other_node ||
         (apart == model::distance::same_node && domain == amo_domain::nic);
}

model::formula formula_of(ring_operation what) noexcept {
  switch (what) {
    case ring_operation::push:
      return queue_costs::concurrent::push;
    case ring_operation::pop:
      return queue_costs::concurrent::pop;
    default:
      return queue_costs::concurrent::refused_again;
  }
}

/// Classes: values of fewer than 64 bytes, 1 KB, 16 KB, or more.
std::size_t size_class(std::size_t bytes, std::size_t classes) noexcept {
  const auto bits = std::max<std::size_t>(static_cast<std::size_t>(std::bit_width(bytes)), 3);
  return std::min((bits - 3) / 4, classes - 1);
}

}  // namespace

std::unique_ptr<ring_choices> ring_choices::make(const world& world, int first_host, int hosts,
                                                 amo_domain domain) {
  for (int host = first_host; host < first_host + hosts; ++host) {
    if (is_choice(model::distance_to(world, host), domain)) {
      return std::make_unique<ring_choices>(world, domain);
    }
  }
  return nullptr;
}

ring_choices::ring_choices(const world& world, amo_domain domain)
    : domain_(domain),
      known_(&model::costs_of(world)),
      chooser_(model::distances * kinds, kinds, stale_one_sided) {}

bool ring_choices::concerns(const world& world, int host) const noexcept {
  return is_choice(model::distance_to(world, host), domain_);
}

ring_choices::begun ring_choices::begin(const world& world, int host, ring_operation what,
                                        std::size_t bytes) {
  const model::distance apart = model::distance_to(world, host);
  const std::size_t kind = static_cast<std::size_t>(what) * sizes + size_class(bytes, sizes);
  const model::component_costs& costs = known_->of(apart);
  const std::uint64_t now = world.now();
  const model::way_costs expected{price(formula_of(what), costs), price(queue_costs::call, costs)};
  const model::choice chosen =
      chooser_.choose(static_cast<std::uint32_t>(static_cast<std::size_t>(apart) * kinds + kind),
                      static_cast<std::uint32_t>(static_cast<std::size_t>(host) * kinds + kind),
                      expected, last_.until(now));
  return {chosen, now, world.context().served_ns()};
}

void ring_choices::end(const world& world, const begun& operation, const call_times& call) {
  const std::uint64_t now = world.now();
  const std::uint64_t until = operation.by_call() ? call.answered : now;
  last_.set(now);
  const auto wait = static_cast<double>(until - operation.at);
  const auto served = static_cast<double>(world.context().served_ns() - operation.served_ns);
  const double delay = std::max(wait - served, wait / 8);
  chooser_.observe(operation.chosen, delay + static_cast<double>(call.host_ns));
}

}  // namespace far::containers
