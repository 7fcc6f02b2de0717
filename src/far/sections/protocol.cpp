#include "far/sections/protocol.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/model/distance.hpp"
#include "far/sections/assisted.hpp"
#include "far/sections/costs.hpp"
#include "far/sections/one_sided.hpp"

namespace far::sections {
namespace {

/// The cheapest protocol for memory that instructions do not reach. Of equals, the first.
section_protocol cheapest(section_operation operation, const protocol_costs& costs) {
  using enum section_protocol;
  constexpr std::array all{per_segment, packed, pipelined, host_assisted};
  constexpr std::array of_accumulate{packed, pipelined};
  const auto cost = [&](section_protocol how) { return costs.of(how); };
  return operation == section_operation::accumulate
             ? *std::ranges::min_element(of_accumulate, {}, cost)
             : *std::ranges::min_element(all, {}, cost);
}

std::string in_time(double ns) {
  if (ns == protocol_costs::impossible) return "-";
  return ns < 1000 ? fmt::format("{:.0f} ns", ns) : fmt::format("{:.1f} us", ns / 1000);
}

/// Why a protocol costs what it does, in words.
std::string reason_of(const world& world, section_operation operation, const plan& what,
                      const protocol_costs& costs, section_protocol how, bool is_reached) {
  const bool is_accumulate = operation == section_operation::accumulate;
  const std::string registering =
      costs.registering == 0
          ? ""
          : fmt::format("; {} of them to register memory that no transfer has met",
                        in_time(costs.registering));
  switch (how) {
    case section_protocol::direct:
      return is_reached ? "loads and stores by this processor"
                        : "plain instructions do not reach that memory";
    case section_protocol::per_segment:
      if (is_accumulate) return "a lock, a get and a put of each segment; only on request";
      return fmt::format("{} operations, no copies, no processor at the target{}", what.segments(),
                         registering);
    case section_protocol::packed:
      return costs.is_one_message
                 ? "one message, of which the owner's processor copies the segments"
                 : "slices of at most 64 KB, one at a time, two copies, the owner's processor";
    case section_protocol::pipelined:
      return costs.is_one_message
                 ? "the same: it fits in one message"
                 : fmt::format("slices of {} bytes, one packed while others travel", costs.slice);
    case section_protocol::host_assisted:
      if (is_accumulate) return "the owner adds, so it must have the bytes";
      if (costs.host_assisted == protocol_costs::impossible) {
        return "the local side is in no segment, so the owner cannot write to it";
      }
      if (world.fabric().descriptor_segments() > 0) {
        return fmt::format(
            "{} descriptors of up to {} segments, no copies{}",
            (what.segments() + costs.segments_of_request - 1) / costs.segments_of_request,
            costs.segments_of_request, registering);
      }
      return operation == section_operation::get
                 ? fmt::format("{} puts by the owner, no copies{}", what.segments(), registering)
                 : "the same as per segment: there are no descriptors here";
    case section_protocol::automatic:
      break;
  }
  return "";
}

}  // namespace

std::string_view name_of(section_protocol what) noexcept {
  constexpr std::array<std::string_view, section_protocols> names{
      "automatic", "direct", "per segment", "packed", "pipelined", "host-assisted"};
  return names[static_cast<std::size_t>(what)];
}

std::string_view name_of(section_operation what) noexcept {
  constexpr std::array<std::string_view, 3> names{"put", "get", "accumulate"};
  return names[static_cast<std::size_t>(what)];
}

section_protocol choose(const world& world, section_operation operation, const plan& what,
                        section_protocol wanted) {
  switch (wanted) {
    case section_protocol::per_segment:
    case section_protocol::packed:
    case section_protocol::pipelined:
      return wanted;
    case section_protocol::host_assisted:
      if (operation == section_operation::put) return wanted;
      return operation == section_operation::get && lies_in_segments(world.fabric(), what)
                 ? wanted
                 : section_protocol::pipelined;
    case section_protocol::automatic:
    case section_protocol::direct:
      break;
  }
  if (is_reached(world, what)) return section_protocol::direct;
  if (wanted == section_protocol::direct) {
    throw bad_argument(
        fmt::format("{} of a section by the protocol direct: plain instructions do not reach the "
                    "memory of rank {} here; use another protocol, or section_protocol::automatic",
                    name_of(operation), what.rank()));
  }
  return cheapest(operation, costs_of(world, operation, what));
}

std::string explain(const world& world, section_operation operation, const plan& what) {
  if (what.bytes() == 0) return fmt::format("{} of nothing\n", name_of(operation));
  const protocol_costs costs = costs_of(world, operation, what);
  const bool reached = is_reached(world, what);
  const section_protocol chosen = reached ? section_protocol::direct : cheapest(operation, costs);
  std::string text = fmt::format("{} of {} bytes in {} segments, at rank {} ({})\n",
                                 name_of(operation), what.bytes(), what.segments(), what.rank(),
                                 model::name_of(model::distance_to(world, what.rank())));
  using enum section_protocol;
  for (const section_protocol how : {direct, per_segment, packed, pipelined, host_assisted}) {
    const double cost = how == direct && !reached ? protocol_costs::impossible : costs.of(how);
    text += fmt::format("{} {:<14} {:>10}  {}\n", how == chosen ? "*" : " ", name_of(how),
                        in_time(cost), reason_of(world, operation, what, costs, how, reached));
  }
  return text + fmt::format("* chosen: {}\n",
                            reached ? "reached memory is always direct"
                            : operation == section_operation::accumulate
                                ? "accumulates that are not direct are packed or pipelined"
                                : "the cheapest");
}

std::string explain(const world& world, section_operation operation,
                    const std::vector<plan>& what) {
  if (what.empty()) return fmt::format("{} of nothing\n", name_of(operation));
  std::string text;
  for (const plan& p : what) text += explain(world, operation, p);
  return text;
}

}  // namespace far::sections
