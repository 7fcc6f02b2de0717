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

void check_not_null(const char* side, const void* place, std::uint64_t bytes) {
  if (place != nullptr) return;
  throw bad_argument(fmt::format("the {} address of {} bytes is null", side, bytes));
}

/// Calls move(plan). The plan is empty if there is nothing to move, or if this function has moved
/// it: memory of this process that is in no segment.
template <class Move>
auto planned(const sections::order& how, const section& what, Move move) {
  runtime& self = runtime::get();
  self.check_rank(what.proc);
  const sections::shape form = shape_of(what);
  check_elements(how, form.row_bytes);
  const sections::plan nothing(fabric::address(), nullptr, sections::shape());
  if (form.row_bytes == 0) return move(self.world(), nothing);
  check_not_null("remote", what.there, form.bytes());
  check_not_null("local", what.here, form.bytes());
  if (what.proc == self.rank() && !self.is_shared(what.there)) {
    run_here(how, static_cast<std::byte*>(what.there), static_cast<std::byte*>(what.here), form);
    return move(self.world(), nothing);
  }
  return move(self.world(),
              sections::plan(self.address_of(what.there, what.proc, form.span_there()),
                             static_cast<std::byte*>(what.here), form));
}

/// The shape of a section whose strides are there(level) and here(level), for levels from 1 on.
template <class There, class Here>
sections::shape make_shape(const int* count, int levels, There there, Here here) {
  if (levels < 0 || levels > max_levels) {
    throw bad_argument(fmt::format("{} stride levels: a section has 0 to {}", levels, max_levels));
  }
  sections::shape result;
  result.row_bytes = checked("count", 0, count[0]);
  std::uint64_t bytes = result.row_bytes;
  bool is_sound = true;
  for (int level = 1; level <= levels; ++level) {
    const sections::dimension next{checked("count", level, count[level]), there(level),
                                   here(level)};
    is_sound &= !__builtin_mul_overflow(bytes, next.count, &bytes);
    if (is_sound && bytes != 0) add(result, next);
  }
  if (is_sound && bytes == 0) return {};
  if (!is_sound || !sections::is_sound(result)) {
    throw bad_argument("the section spans more than 2^62 bytes: check its counts and strides");
  }
  std::reverse(result.dimensions.begin(), result.dimensions.begin() + result.depth);
  return result;
}

std::uint64_t stride_of(const char* side, const int* strides, int level) {
  return checked(side, level, strides[level - 1]);
}

}  // namespace

sections::shape shape_of(const section& what) {
  return make_shape(
      what.count, what.levels,
      [&](int level) { return stride_of("remote stride", what.stride_there, level); },
      [&](int level) { return stride_of("local stride", what.stride_here, level); });
}

sections::shape packed_shape_of(const int* strides, const int* count, int levels) {
  std::uint64_t packed = 1;  // of what is inside a level
  return make_shape(
      count, levels, [&](int level) { return stride_of("stride", strides, level); },
      [&](int level) {
        packed *= static_cast<std::uint64_t>(count[level - 1]);  // has been checked
        return packed;
      });
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
  if (scale == nullptr) throw bad_argument("the scale of an accumulate is null");
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
          [&](const world& world, const sections::plan& of) { sections::run(world, how, of); });
}

future<void> start(const sections::order& how, const section& what) {
  return planned(how, what, [&](const world& world, const sections::plan& of) {
    // A non-blocking accumulate that finds the lock taken sends its bytes to the target, which may
    // be inside MPI, and answer nobody. A blocking one waits for the lock.
    if (how.operation == section_operation::accumulate && world.fabric().coherent()) {
      sections::run(world, how, of);
      return ready_future(world);
    }
    return sections::start(world, how, of);
  });
}

}  // namespace far::armci
