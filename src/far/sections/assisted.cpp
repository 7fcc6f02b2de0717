#include "far/sections/assisted.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "far/rpc/call.hpp"
#include "far/rpc/landed_call.hpp"
#include "far/sections/helper.hpp"
#include "far/sections/one_sided.hpp"
#include "far/sections/remote_side.hpp"
#include "far/sections/staging.hpp"

namespace far::sections {
namespace {

/// Max requests in flight: as many as a fabric has credits.
constexpr std::size_t requests_in_flight = 64;

/// Calls start(begin, end), which returns a future, for each request.
template <class Start>
future<void> start_requests(const world& world, const plan& what, Start start) {
  const std::uint64_t segments = segments_of_request(world.fabric(), what);
  slices flight(world, requests_in_flight);
  try {
    for (std::uint64_t begin = 0; begin < what.bytes();) {
      const std::uint64_t end = what.end_of_segments(begin, segments);
      flight.admit();
      flight.add(start(begin, end));
      begin = end;
    }
  } catch (...) {
    flight.settle();
    throw;
  }
  return flight.all();
}

/// The local side of bytes begin .. end-1, which neighbours share where they touch.
std::vector<fabric::landing> landings_of(const fabric::fabric& fabric, const plan& what,
                                         std::uint64_t begin, std::uint64_t end) {
  std::vector<fabric::landing> result;
  what.for_each_row(begin, end, [&](fabric::address, std::byte* here, std::uint64_t bytes) {
    const fabric::address place = fabric.address_of(here);
    if (!result.empty() &&
        result.back().to + static_cast<std::int64_t>(result.back().bytes) == place) {
      result.back().bytes += bytes;
    } else {
      result.push_back({place, bytes});
    }
  });
  return result;
}

}  // namespace

bool lies_in_segments(const fabric::fabric& fabric, const plan& what) noexcept {
  // Of the segment in which the last piece was: neighbours are mostly in one.
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  const auto holds = [&](const std::byte* first, std::uint64_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(first);
    if (at < begin || at >= end) {
      const fabric::address place = fabric.address_of(first);
      if (!place) return false;
      begin = at - place.offset();
      end = begin + fabric.extent(place.rank(), place.segment());
    }
    return at < end && bytes <= end - at;
  };
  if (!what.is_list()) return holds(what.here(), what.form().span_here());
  return std::ranges::all_of(what.pieces(), [&](const piece& p) { return holds(p.here, p.bytes); });
}

std::uint64_t segments_of_request(const fabric::fabric& fabric, const plan& what) noexcept {
  constexpr std::uint64_t most = 60;  // as many as descriptors of InfiniBand had
  constexpr std::uint64_t fixed_bytes = 200;
  const auto of_descriptor = static_cast<std::uint64_t>(fabric.descriptor_segments());
  const std::uint64_t limit = of_descriptor == 0 ? most : of_descriptor;
  if (!what.is_list()) return limit;
  const std::uint64_t sides = of_descriptor == 0 ? 2 : 1;  // whose runs the message has
  return std::min(limit, (fabric.max_payload() - fixed_bytes) / (sides * run_list::max_bytes));
}

future<void> start_assisted_put(const world& world, const plan& what) {
  if (world.fabric().descriptor_segments() == 0) return start_put_per_segment(world, what);
  const slicer remote(what);
  const auto open = std::make_shared<const open_puts::entry>(world.state(), what);
  return start_requests(world, what, [&](std::uint64_t begin, std::uint64_t end) {
    return rpc<helper::scatter>(world, what.rank(), remote.slice(begin, end), world.rank(),
                                open->name())
        .then([open] {});
  });
}

future<void> start_assisted_get(const world& world, const plan& what) {
  const slicer remote(what);
  if (world.fabric().descriptor_segments() == 0) {
    const slicer local = slicer::of_local_side(world.fabric(), what);
    return start_requests(world, what, [&](std::uint64_t begin, std::uint64_t end) {
      return rpc<helper::put_segments>(world, what.rank(), remote.slice(begin, end),
                                       local.slice(begin, end));
    });
  }
  return start_requests(world, what, [&](std::uint64_t begin, std::uint64_t end) {
    return detail::start_landed_call<helper::gather>(world, what.rank(),
                                                     landings_of(world.fabric(), what, begin, end),
                                                     remote.slice(begin, end));
  });
}

}  // namespace far::sections
