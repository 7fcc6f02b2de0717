#pragma once
// Indices that Python gives.

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "buffers.hpp"

namespace far::python {

using index_list = buffer_of<const std::int64_t>;

[[noreturn]] void throw_outside(std::uint64_t size, PyObject* key);

/// The index that an exact int is, in a dimension of so many elements. Nothing for other keys.
/// Errors: out_of_bounds.
[[nodiscard]] inline std::optional<std::uint64_t> index_in(std::uint64_t size, PyObject* key) {
  if (!PyLong_CheckExact(key)) return std::nullopt;
  int overflows = 0;
  const long long given = PyLong_AsLongLongAndOverflow(key, &overflows);
  const auto end = static_cast<long long>(size);
  const long long i = given < 0 ? given + end : given;
  if (overflows != 0 || i < 0 || i >= end) [[unlikely]]
    throw_outside(size, key);
  return static_cast<std::uint64_t>(i);
}

/// Returns the indices with negative ones counted from the end, in `room` where there are any.
/// Errors: out_of_bounds.
[[nodiscard]] std::span<const std::int64_t> checked(std::uint64_t size, const index_list& given,
                                                    std::vector<std::int64_t>& room);

}  // namespace far::python
