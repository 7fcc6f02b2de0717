#include "far/sections/costs.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "far/model/known_costs.hpp"
#include "far/sections/assisted.hpp"
#include "far/sections/packed.hpp"
#include "far/sections/registration.hpp"
#include "far/sections/remote_side.hpp"

namespace far::sections {
namespace {

using model::bulk_cost;
using model::component;

/// What the model does not know, because only simulated machines have it.
struct helper_costs {
  explicit helper_costs(rank_state& state)
      : wake_ns(ns_of(state, "handoff")),
        task_ns(ns_of(state, "handler")),
        send_ns(ns_of(state, "outside.send")),
        post_ns(ns_of(state, "descriptor")),
        segment_ns(ns_of(state, "descriptor_segment")) {}
  double wake_ns;  // of a service thread that sleeps, as it may
  double task_ns;  // what a handler defers because it starts operations
  double send_ns;  // of a message by the processor
  double post_ns;  // of a descriptor
  double segment_ns;

 private:
  static double ns_of(rank_state& state, std::string_view figure) {
    return static_cast<double>(state.fabric().work_cost_ps(figure)) / 1000;
  }
};

/// The costs of one transfer, as functions of its numbers of segments and bytes.
class estimate {
 public:
  estimate(const world& world, section_operation operation, const plan& what)
      : world_(world),
        what_(what),
        operation_(operation),
        components_(model::costs_of(world, what.rank())),
        bulk_(model::bulk_costs_of(world, what.rank())),
        helper_(world.state().get<helper_costs>()),
        segments_(static_cast<double>(what.segments())),
        bytes_(static_cast<double>(what.bytes())) {}

  [[nodiscard]] double direct() const {
    const double locked = operation_ == section_operation::accumulate
                              ? cost(component::compare_swap) + cost(component::fetch_add)
                              : 0;
    return locked + copies();
  }

  [[nodiscard]] double per_segment() const {
    switch (operation_) {
      case section_operation::put:
        return puts();
      case section_operation::get:
        return gets();
      case section_operation::accumulate:
        break;
    }
    return cost(component::compare_swap) + 2 * cost(component::put) + gets() + puts() +
           cost(component::fetch_add);
  }

  [[nodiscard]] bool is_one_message() const {
    constexpr double fixed_bytes = 128;
    constexpr double run_bytes = 6;  // mostly
    const double description =
        fixed_bytes + (what_.is_list() ? segments_ * run_bytes : sizeof(shape));
    return description + bytes_ <= static_cast<double>(world_.fabric().max_payload());
  }

  /// Slices one after the other: both copies and the way of each are added.
  [[nodiscard]] double packed() const {
    if (is_one_message()) return message() + helper_.task_ns + 2 * copies() + fetching();
    const double slices = std::ceil(bytes_ / static_cast<double>(slice_bytes));
    return slices * slice_latency() + 2 * copies() + fetching();
  }

  /// The slowest of the stages (pack, send, unpack) for all slices but one, and all of them for it.
  [[nodiscard]] double pipelined(std::uint64_t slice) const {
    if (is_one_message()) return packed();
    const double slices = std::ceil(bytes_ / static_cast<double>(slice));
    const double slowest =
        std::max(copies() / slices, fetching() / slices + bulk_.of(bulk_cost::next_message));
    const double latency = comes_with_reply(slice) ? message() : slice_latency();
    return latency + (2 * copies() + fetching()) / slices + (slices - 1) * slowest;
  }

  [[nodiscard]] std::uint64_t best_slice() const {
    const std::uint64_t balanced = balanced_slice();
    return comes_with_reply(reply_bytes) && pipelined(reply_bytes) < pipelined(balanced)
               ? reply_bytes
               : balanced;
  }
  [[nodiscard]] double host_assisted(std::uint64_t segments_of_request) const {
    if (world_.fabric().descriptor_segments() == 0) {
      return is_get() ? message() + helper_.task_ns + puts() : puts();
    }
    const double requests = std::ceil(segments_ / static_cast<double>(segments_of_request));
    const double post = helper_.post_ns + segments_ / requests * helper_.segment_ns;
    const double slowest =
        std::max(sending() / requests, bulk_.of(bulk_cost::next_message) + 2 * post);
    // The gather is the reply that brings the data: it is posted instead of a send.
    const double asking = is_get() ? message() : 2 * message() + helper_.task_ns;
    return asking - helper_.send_ns + 2 * post + sending() / requests + (requests - 1) * slowest;
  }

 private:
  /// So that slices are not smaller than what a message takes along anyway.
  static constexpr std::uint64_t least_slice = 1024;

  /// n slices cost about n messages, and the n-th part of the copies and the way that nothing
  /// hides: the sum is smallest for the root of their ratio.
  [[nodiscard]] std::uint64_t balanced_slice() const {
    const double hidden = 2 * copies() + fetching() - std::max(copies(), fetching());
    const double each = std::max(bulk_.of(bulk_cost::next_message), 1.0);
    const double most = std::max(bytes_ / slice_unit, 1.0);
    const double slices = std::clamp(std::sqrt(hidden / each), 1.0, most);
    const double bytes = std::clamp(bytes_ / slices, static_cast<double>(least_slice),
                                    static_cast<double>(slice_bytes));
    return static_cast<std::uint64_t>(std::ceil(bytes / slice_unit)) * slice_unit;
  }
  [[nodiscard]] bool comes_with_reply(std::uint64_t slice) const {
    return is_get() && slice <= max_replied_bytes(world_);
  }
  [[nodiscard]] double cost(component of) const { return components_.of(of); }
  [[nodiscard]] double message() const { return cost(component::message) + helper_.wake_ns; }
  /// By one processor.
  [[nodiscard]] double copies() const {
    return segments_ * bulk_.of(bulk_cost::copied_row) + bytes_ * bulk_.of(bulk_cost::copied_byte);
  }
  /// The bytes on their way, where the owner moves them between buffers: it gets those of a put,
  /// and puts those of a get.
  [[nodiscard]] double fetching() const {
    return bytes_ * bulk_.of(is_get() ? bulk_cost::put_byte : bulk_cost::get_byte);
  }
  /// The same where an interface sends them.
  [[nodiscard]] double sending() const { return bytes_ * bulk_.of(bulk_cost::put_byte); }
  [[nodiscard]] bool is_get() const { return operation_ == section_operation::get; }
  [[nodiscard]] double puts() const {
    return cost(component::put) + std::max((segments_ - 1) * bulk_.of(bulk_cost::next_put) +
                                               bytes_ * bulk_.of(bulk_cost::listed_put_byte),
                                           bytes_ * bulk_.of(bulk_cost::put_byte));
  }
  [[nodiscard]] double gets() const {
    return cost(component::get) + std::max((segments_ - 1) * bulk_.of(bulk_cost::next_get) +
                                               bytes_ * bulk_.of(bulk_cost::listed_get_byte),
                                           bytes_ * bulk_.of(bulk_cost::get_byte));
  }
  /// A message and the transfer that the owner starts for it.
  [[nodiscard]] double slice_latency() const {
    return message() + helper_.task_ns + cost(is_get() ? component::put : component::get);
  }

  const world& world_;
  const plan& what_;
  section_operation operation_;
  const model::component_costs& components_;
  const model::bulk_costs& bulk_;
  const helper_costs& helper_;
  double segments_;
  double bytes_;
};

}  // namespace

double protocol_costs::of(section_protocol how) const noexcept {
  switch (how) {
    case section_protocol::direct:
      return direct;
    case section_protocol::per_segment:
      return per_segment;
    case section_protocol::packed:
      return packed;
    case section_protocol::pipelined:
      return pipelined;
    case section_protocol::host_assisted:
      return host_assisted;
    case section_protocol::automatic:
      break;
  }
  return impossible;
}

protocol_costs costs_of(const world& world, section_operation operation, const plan& what) {
  const estimate of(world, operation, what);
  const fabric::fabric& fabric = world.fabric();
  protocol_costs result;
  result.registering = registered_memory::of(world).missing_ns(what);
  result.direct = of.direct();
  result.per_segment = of.per_segment() + result.registering;
  result.is_one_message = of.is_one_message();
  result.packed = of.packed();
  result.slice = of.best_slice();
  result.pipelined = of.pipelined(result.slice);
  result.segments_of_request = segments_of_request(fabric, what);
  const bool is_assisted = operation == section_operation::put ||
                           (operation == section_operation::get && lies_in_segments(fabric, what));
  result.host_assisted = is_assisted
                             ? of.host_assisted(result.segments_of_request) + result.registering
                             : protocol_costs::impossible;
  return result;
}

std::uint64_t slice_of_pipeline(const world& world, section_operation operation, const plan& what) {
  return estimate(world, operation, what).best_slice();
}

}  // namespace far::sections
