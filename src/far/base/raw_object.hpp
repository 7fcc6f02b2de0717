#pragma once
// Storage for an object whose bytes come from elsewhere.

#include <bit>
#include <cstddef>
#include <type_traits>

namespace far::base {

/// Space for the bytes of a T, aligned as a T is. T need not have a default constructor. The bytes
/// are uninitialized unless this object is value-initialized. Call value() only when all of them
/// have been written.
template <class T>
struct alignas(T) raw_object {
  static_assert(std::is_trivially_copyable_v<T>);

  [[nodiscard]] T value() const noexcept { return std::bit_cast<T>(*this); }

  std::byte bytes[sizeof(T)];
};

}  // namespace far::base
