#include "far/sections/one_sided.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "far/fabric/copy.hpp"
#include "far/fabric/reach.hpp"
#include "far/rma/operation.hpp"
#include "far/sections/copy_rows.hpp"

namespace far::sections {
namespace {

/// All rows in one list, because the fabric checks a list before it moves any of it.
template <class Part, class Make>
std::vector<Part> rows_of(const plan& what, Make make) {
  std::vector<Part> parts;
  parts.reserve(static_cast<std::size_t>(what.segments()));
  what.for_each_row(0, what.bytes(),
                    [&](fabric::address there, std::byte* here, std::uint64_t bytes) {
                      parts.push_back(make(there, here, static_cast<std::size_t>(bytes)));
                    });
  return parts;
}

}  // namespace

bool is_reached(const world& view, const plan& what) noexcept {
  if (!what.is_list()) return fabric::reached(view.words(), what.there()) != nullptr;
  return std::ranges::all_of(what.pieces(), [&](const piece& p) {
    return fabric::reached(view.words(), p.there) != nullptr;
  });
}

void put_directly(const world& view, const plan& what) noexcept {
  fabric::release_fence();  // after this thread's earlier operations
  what.for_each_block(0, what.bytes(),
                      [&](fabric::address there, const std::byte* here, std::uint64_t stride_there,
                          std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
                        copy_rows(fabric::reached(view.words(), there), stride_there, here,
                                  stride_here, rows, row_bytes);
                      });
}

void get_directly(const world& view, const plan& what) noexcept {
  what.for_each_block(0, what.bytes(),
                      [&](fabric::address there, std::byte* here, std::uint64_t stride_there,
                          std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
                        copy_rows(here, stride_here, fabric::reached(view.words(), there),
                                  stride_there, rows, row_bytes);
                      });
  fabric::acquire_fence();  // before this thread's later operations
}

future<void> start_put_per_segment(const world& view, const plan& what) {
  const auto parts = rows_of<fabric::put_part>(
      what, [](fabric::address there, std::byte* here, std::size_t bytes) {
        return fabric::put_part{there, here, bytes};
      });
  fabric::context& context = view.context();
  fabric::release_fence();
  return rma::launch<void>(
      detail::make_state<rma::transfer>(context, "put of a section", what.rank()),
      [&](rma::transfer& op) { context.put(parts, &op); });
}

future<void> start_get_per_segment(const world& view, const plan& what) {
  const auto parts = rows_of<fabric::get_part>(
      what, [](fabric::address there, std::byte* here, std::size_t bytes) {
        return fabric::get_part{there, here, bytes};
      });
  fabric::context& context = view.context();
  return rma::launch<void>(
      detail::make_state<rma::transfer>(context, "get of a section", what.rank()),
      [&](rma::transfer& op) { context.get(parts, &op); });
}

}  // namespace far::sections
