#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace far::python {

/// Calls f(copy) with a function that copies an element: those of the usual sizes by one
/// instruction.
template <class F>
void with_copy(std::uint64_t bytes, F f) {
  const auto copy = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
    f([](std::byte* to, const std::byte* from) { std::memcpy(to, from, N); });
  };
  switch (bytes) {
    case 8:
      return copy(std::integral_constant<std::size_t, 8>());
    case 4:
      return copy(std::integral_constant<std::size_t, 4>());
    case 2:
      return copy(std::integral_constant<std::size_t, 2>());
    case 1:
      return copy(std::integral_constant<std::size_t, 1>());
    default:
      f([bytes](std::byte* to, const std::byte* from) { std::memcpy(to, from, bytes); });
  }
}

}  // namespace far::python
