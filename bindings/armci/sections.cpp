#include "armci/sections.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "armci/runtime.hpp"
#include "far/base/error.hpp"
#include "far/rma/promise.hpp"
#include "far/sections/copy_rows.hpp"

namespace far::armci {
namespace {

constexpr int max_levels = static_cast<int>(max_section_dimensions) - 1;

std::uint64_t checked(const char* what, int level, int value) {
  if (value < 0) {
    throw bad_argument(
        fmt::format("the {} of level {} is {}: it cannot be negative", what, level, value));
  }
  return static_cast<std::uint64_t>(value);
}

/// Adds the next dimension outwards: to the row, or to the dimension inside, where both sides are
/// contiguous. Dimensions are collected innermost first.
void add(sections::shape& of, const sections::dimension& next) {
  if (next.count == 1) return;
  if (of.depth == 0) {
    if (next.there == of.row_bytes && next.here == of.row_bytes) {
      of.row_bytes *= next.count;
      return;
    }
  } else {
    sections::dimension& inner = of.dimensions[of.depth - 1];
    if (next.there == inner.there * inner.count && next.here == inner.here * inner.count) {
      inner.count *= next.count;
      return;
    }
  }
  of.dimensions[of.depth++] = next;
}

/// A transfer within this process. `there` is not in its segments, so libfar cannot reach it.
void run_here(const sections::order& how, std::byte* there, std::byte* here,
              const sections::shape& form) {
  for_each_block(form, 0, form.bytes(),
                 [&](std::uint64_t at_there, std::uint64_t at_here, std::uint64_t stride_there,
                     std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
                   std::byte* const t = there + at_there;
                   std::byte* const h = here + at_here;
                   switch (how.operation) {
                     case section_operation::put:
                       return sections::copy_rows(t, stride_there, h, stride_here, rows, row_bytes);
                     case section_operation::get:
                       return sections::copy_rows(h, stride_here, t, stride_there, rows, row_bytes);
                     case section_operation::accumulate:
                       return sections::accumulate_rows(how.how, t, stride_there, h, stride_here,
                                                        rows, row_bytes);
                   }
                 });
}

/// Calls move(plan) unless there is nothing to move, or nothing that libfar must move.
template <class Move>
auto planned(const sections::order& how, const section& what, Move move) {
  runtime& self = runtime::get();
  self.check_rank(what.proc);
  const sections::shape form = shape_of(what);
  check_elements(how, form.row_bytes);
  const bool is_plain = what.proc == self.rank() && !self.is_shared(what.there);
  if (form.row_bytes == 0 || is_plain) {
    run_here(how, static_cast<std::byte*>(what.there), static_cast<std::byte*>(what.here), form);
    return move(self.view(), sections::plan(fabric::address(), nullptr, sections::shape()));
  }
  if (what.here == nullptr) throw bad_argument("the local address is null");
  return move(self.view(), sections::plan(self.address_of(what.there, what.proc, form.span_there()),
                                          static_cast<std::byte*>(what.here), form));
}

}  // namespace

sections::shape shape_of(const section& what) {
  if (what.levels < 0 || what.levels > max_levels) {
    throw bad_argument(
        fmt::format("{} stride levels: a section has 0 to {}", what.levels, max_levels));
  }
  sections::shape result;
  result.row_bytes = checked("count", 0, what.count[0]);
  for (int level = 1; level <= what.levels; ++level) {
    const sections::dimension next{checked("count", level, what.count[level]),
                                   checked("remote stride", level, what.stride_there[level - 1]),
                                   checked("local stride", level, what.stride_here[level - 1])};
    if (next.count == 0) return {};
    add(result, next);
  }
  if (result.row_bytes == 0) return {};
  std::reverse(result.dimensions.begin(), result.dimensions.begin() + result.depth);
  return result;
}

sections::order accumulate_of(int datatype, const void* scale) {
  // In the order of ARMCI_Acc_e.
  constexpr std::array types{sections::element::i32, sections::element::i64,
                             sections::element::f32, sections::element::f64,
                             sections::element::c64, sections::element::c128};
  constexpr std::array<std::size_t, 6> alignments{4, 8, 4, 8, 4, 8};
  const auto type = static_cast<std::size_t>(datatype);
  if (datatype < 0 || type >= types.size()) {
    throw bad_argument(fmt::format("there is no data type {}: it is one of ARMCI_Acc_e", datatype));
  }
  sections::scaling factor{types[type], {}};
  std::memcpy(factor.factor.data(), scale, sections::bytes_of(types[type]));
  return {section_operation::accumulate, section_protocol::automatic, factor, alignments[type]};
}

void check_elements(const sections::order& how, std::uint64_t bytes) {
  if (how.operation != section_operation::accumulate) return;
  const std::size_t element = sections::bytes_of(how.how.type);
  if (bytes % element == 0) return;
  throw bad_argument(
      fmt::format("{} adjacent bytes are no whole number of elements of {}", bytes, element));
}

void run(const sections::order& how, const section& what) {
  planned(how, what,
          [&](const world& view, const sections::plan& of) { sections::run(view, how, of); });
}

future<void> start(const sections::order& how, const section& what) {
  return planned(how, what, [&](const world& view, const sections::plan& of) {
    // A non-blocking accumulate that finds the lock taken sends its bytes to the target, which may
    // be inside MPI, and answer nobody. A blocking one waits for the lock.
    if (how.operation == section_operation::accumulate && view.fabric().coherent()) {
      sections::run(view, how, of);
      return ready_future(view);
    }
    return sections::start(view, how, of);
  });
}

}  // namespace far::armci
