#include "far/sections/protocol.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/model/known_costs.hpp"
#include "far/sections/one_sided.hpp"
#include "far/sections/packed.hpp"
#include "far/sections/remote_side.hpp"

namespace far::sections {
namespace {

// What the model does not know yet. Good for orders of magnitude.
constexpr double post_share = 1.0 / 12;  // of a put's latency: to start one more behind it
constexpr double min_post_ns = 10;
constexpr double copy_ns = 0.1;  // per byte, of a copy in memory
constexpr double wire_ns = 0.1;  // per byte, between ranks
constexpr double row_ns = 3;     // for each row that a processor copies

/// The costs are functions of the number of segments and bytes.
struct sizes {
  double segments;
  double bytes;
  bool is_small;  ///< fits in a message
  double slices;
};

sizes sizes_of(const world& view, const plan& what) {
  const auto bytes = static_cast<double>(what.bytes());
  const auto segments = static_cast<double>(what.segments());
  const double description = 128 + (what.is_list() ? segments * sizeof(run) : sizeof(shape));
  const auto max_bytes = static_cast<double>(view.fabric().max_payload());
  return {segments, bytes, description + bytes <= max_bytes,
          std::ceil(bytes / static_cast<double>(slice_bytes))};
}

double direct_ns(section_operation operation, const sizes& of,
                 const model::component_costs& costs) {
  const double locked =
      operation == section_operation::accumulate
          ? costs.of(model::component::compare_swap) + costs.of(model::component::fetch_add)
          : 0;
  return locked + of.segments * row_ns + of.bytes * copy_ns;
}

double per_segment_ns(section_operation operation, const sizes& of,
                      const model::component_costs& costs) {
  using enum model::component;
  const auto move = [&](double first) {
    const double post_ns = std::max(first * post_share, min_post_ns);
    return first + std::max(0.0, of.segments - 1) * post_ns + of.bytes * wire_ns;
  };
  switch (operation) {
    case section_operation::put:
      return move(costs.of(put));
    case section_operation::get:
      return move(costs.of(get));
    case section_operation::accumulate:
      break;
  }
  return costs.of(compare_swap) + 2 * costs.of(put) + move(costs.of(get)) + move(costs.of(put)) +
         costs.of(fetch_add);
}

double packed_ns(const sizes& of, const model::component_costs& costs) {
  using enum model::component;
  const double first = costs.of(message) + (of.is_small ? 0 : costs.of(get));
  return first * (1 + std::max(0.0, of.slices - 1) * post_share) + 2 * of.segments * row_ns +
         of.bytes * (wire_ns + 2 * copy_ns);
}

std::string in_time(double ns) {
  return ns < 1000 ? fmt::format("{:.0f} ns", ns) : fmt::format("{:.1f} us", ns / 1000);
}

}  // namespace

std::string_view name_of(section_protocol what) noexcept {
  constexpr std::array<std::string_view, 4> names{"automatic", "direct", "per segment", "packed"};
  return names[static_cast<std::size_t>(what)];
}

std::string_view name_of(section_operation what) noexcept {
  constexpr std::array<std::string_view, 3> names{"put", "get", "accumulate"};
  return names[static_cast<std::size_t>(what)];
}

choice predict(const world& view, section_operation operation, const plan& what) {
  const sizes of = sizes_of(view, what);
  const model::component_costs& costs = model::costs_of(view, what.rank());
  choice result;
  result.is_reached = is_reached(view, what);
  result.direct_ns = direct_ns(operation, of, costs);
  result.per_segment_ns = per_segment_ns(operation, of, costs);
  result.packed_ns = packed_ns(of, costs);
  if (result.is_reached) {
    result.how = section_protocol::direct;
  } else if (operation != section_operation::accumulate &&
             result.per_segment_ns <= result.packed_ns) {
    result.how = section_protocol::per_segment;
  } else {
    result.how = section_protocol::packed;
  }
  return result;
}

section_protocol choose(const world& view, section_operation operation, const plan& what,
                        section_protocol wanted) {
  if (wanted == section_protocol::per_segment || wanted == section_protocol::packed) return wanted;
  if (is_reached(view, what)) return section_protocol::direct;
  if (wanted == section_protocol::direct) {
    throw bad_argument(
        fmt::format("{} of a section by the protocol direct: plain instructions do not reach the "
                    "memory of rank {} here; use another protocol, or section_protocol::automatic",
                    name_of(operation), what.rank()));
  }
  return predict(view, operation, what).how;
}

std::string explain(const world& view, section_operation operation, const plan& what) {
  const choice costs = predict(view, operation, what);
  const bool is_accumulate = operation == section_operation::accumulate;
  const sizes of = sizes_of(view, what);
  std::string text = fmt::format("{} of {} bytes in {} segments, at rank {} ({})\n",
                                 name_of(operation), what.bytes(), what.segments(), what.rank(),
                                 model::name_of(model::distance_to(view, what.rank())));
  const auto line = [&](section_protocol how, const std::string& cost, const std::string& why) {
    text += fmt::format("{} {:<12} {:>12}  {}\n", costs.how == how ? "*" : " ", name_of(how), cost,
                        why);
  };
  line(section_protocol::direct, costs.is_reached ? in_time(costs.direct_ns) : "-",
       costs.is_reached ? "loads and stores by this processor"
                        : "plain instructions do not reach that memory");
  line(section_protocol::per_segment, in_time(costs.per_segment_ns),
       is_accumulate
           ? "a lock, a get and a put of each segment; only on request"
           : fmt::format("{} operations, no copies, no processor at the target", what.segments()));
  line(section_protocol::packed, in_time(costs.packed_ns),
       of.is_small ? "one message, of which the owner's processor copies the segments"
                   : fmt::format("{} slices of at most 64 KB, two copies, the owner's processor",
                                 of.slices));
  return text + fmt::format("* chosen: {}\n",
                            costs.is_reached ? "reached memory is always direct"
                            : is_accumulate  ? "accumulates that are not direct are always packed"
                                             : "the cheaper one");
}

}  // namespace far::sections
