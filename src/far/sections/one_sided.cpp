#include "far/sections/one_sided.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/copy.hpp"
#include "far/fabric/reach.hpp"
#include "far/rma/operation.hpp"
#include "far/sections/copy_rows.hpp"
#include "far/sections/staging.hpp"

namespace far::sections {
namespace {

/// Calls use(end) for the end of what the plan accesses, in each segment of memory.
template <class Use>
void for_each_end(const plan& what, Use use) {
  if (!what.is_list()) {
    return use(what.there() + static_cast<std::int64_t>(what.form().span_there()));
  }
  std::array<std::uint64_t, fabric::address::max_segments> ends{};
  for (const piece& p : what.pieces()) {
    std::uint64_t& end = ends[static_cast<std::size_t>(p.there.segment())];
    end = std::max(end, p.there.offset() + p.bytes);
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i] != 0) use(fabric::address(what.rank(), static_cast<int>(i), ends[i]));
  }
}

/// Calls start(parts), which returns a future, for lists of the plan's rows. `Part` has a place
/// there, one here, and a number of bytes.
template <class Part, class Start>
future<void> start_lists(const world& world, const plan& what, std::uint64_t most, Start start) {
  std::vector<Part> parts;
  parts.reserve(static_cast<std::size_t>(std::min(what.segments(), most)) + 1);
  const auto add_rows = [&](std::uint64_t begin, std::uint64_t end) {
    what.for_each_row(begin, end, [&](fabric::address there, std::byte* here, std::uint64_t bytes) {
      parts.push_back({there, here, static_cast<std::size_t>(bytes)});
    });
  };
  if (what.segments() <= most) {
    add_rows(0, what.bytes());
    return start(parts);
  }
  slices flight(world, lists_in_flight);
  try {
    // The fabric checks a list before it moves any of it. So the first has the end of all.
    for_each_end(what, [&](fabric::address end) { parts.push_back({end, what.here(), 0}); });
    for (std::uint64_t begin = 0; begin < what.bytes();) {
      const std::uint64_t end = what.end_of_segments(begin, most);
      flight.admit();
      add_rows(begin, end);
      flight.add(start(parts));
      parts.clear();
      begin = end;
    }
  } catch (...) {
    flight.settle();
    throw;
  }
  return flight.all();
}

}  // namespace

bool is_reached(const world& world, const plan& what) noexcept {
  if (!what.is_list()) return fabric::reached(world.words(), what.there()) != nullptr;
  return std::ranges::all_of(what.pieces(), [&](const piece& p) {
    return fabric::reached(world.words(), p.there) != nullptr;
  });
}

void put_directly(const world& world, const plan& what) noexcept {
  fabric::release_fence();  // after this thread's earlier operations
  what.for_each_block(0, what.bytes(),
                      [&](fabric::address there, const std::byte* here, std::uint64_t stride_there,
                          std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
                        copy_rows(fabric::reached(world.words(), there), stride_there, here,
                                  stride_here, rows, row_bytes);
                      });
}

void get_directly(const world& world, const plan& what) noexcept {
  what.for_each_block(0, what.bytes(),
                      [&](fabric::address there, std::byte* here, std::uint64_t stride_there,
                          std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
                        copy_rows(here, stride_here, fabric::reached(world.words(), there),
                                  stride_there, rows, row_bytes);
                      });
  fabric::acquire_fence();  // before this thread's later operations
}

future<void> start_put_per_segment(const world& world, const plan& what, std::uint64_t most) {
  fabric::context& context = world.context();
  fabric::release_fence();
  return start_lists<fabric::put_part>(world, what, most, [&](const auto& parts) {
    return rma::launch<void>(
        detail::make_state<rma::transfer>(context, "put of a section", what.rank()),
        [&](rma::transfer& op) { context.put(parts, &op); });
  });
}

future<void> start_get_per_segment(const world& world, const plan& what, std::uint64_t most) {
  fabric::context& context = world.context();
  return start_lists<fabric::get_part>(world, what, most, [&](const auto& parts) {
    return rma::launch<void>(
        detail::make_state<rma::transfer>(context, "get of a section", what.rank()),
        [&](rma::transfer& op) { context.get(parts, &op); });
  });
}

}  // namespace far::sections
