#pragma once
// The global pointer: the location of an object in the job, in one 64-bit word.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "far/fabric/address.hpp"

namespace far {

/// The types of objects that remote memory may hold.
template <class T>
concept remote_object = std::is_object_v<T> && std::is_trivially_copyable_v<T>;

/// Points to a T of any rank of the job. It is trivially copyable and one word (fabric/address.hpp
/// shows its fields), so it fits in atomics and in remote structures, and it means the same on
/// every rank. It cannot be dereferenced: use far::get, far::put and far::atomic_ref; the owner can
/// get a plain pointer from far::local.
///
/// Arithmetic counts elements and stays inside one segment of one rank. Arithmetic is not checked,
/// but accesses are. Pointers of different ranks or segments can be compared, but not subtracted.
///
/// Checked by: ptr_test.arithmetic_counts_elements
template <class T>
class ptr {
 public:
  using element_type = T;
  using difference_type = std::int64_t;

  constexpr ptr() noexcept = default;
  constexpr ptr(std::nullptr_t) noexcept {}  // NOLINT: implicit, as T*'s
  constexpr explicit ptr(fabric::address address) noexcept : address_(address) {}

  /// ptr<T> to ptr<const T>, and to ptr<void> or ptr<const void>.
  template <class U>
    requires(!std::is_same_v<U, T> &&
             (std::is_same_v<const U, T> || (std::is_void_v<T> && std::is_convertible_v<U*, T*>)))
  constexpr ptr(ptr<U> other) noexcept : address_(other.address()) {}  // NOLINT: as T*'s

  /// The pointer as a word, for atomics and wire formats. Zero is null.
  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return address_.bits(); }
  [[nodiscard]] static constexpr ptr from_bits(std::uint64_t bits) noexcept {
    return ptr(fabric::address::from_bits(bits));
  }

  [[nodiscard]] constexpr fabric::address address() const noexcept { return address_; }
  /// The rank whose memory it points into; 0 for null.
  [[nodiscard]] constexpr int rank() const noexcept { return address_.rank(); }
  /// The same offset on another rank, for memory of far::allocate.
  [[nodiscard]] constexpr ptr on(int rank) const noexcept { return ptr(address_.on(rank)); }

  constexpr explicit operator bool() const noexcept { return static_cast<bool>(address_); }

  constexpr ptr& operator+=(difference_type n) noexcept
    requires(!std::is_void_v<T>)
  {
    address_ = address_ + n * static_cast<difference_type>(sizeof(T));
    return *this;
  }
  constexpr ptr& operator-=(difference_type n) noexcept
    requires(!std::is_void_v<T>)
  {
    return *this += -n;
  }
  constexpr ptr& operator++() noexcept
    requires(!std::is_void_v<T>)
  {
    return *this += 1;
  }
  constexpr ptr& operator--() noexcept
    requires(!std::is_void_v<T>)
  {
    return *this += -1;
  }
  constexpr ptr operator++(int) noexcept
    requires(!std::is_void_v<T>)
  {
    const ptr old = *this;
    *this += 1;
    return old;
  }
  constexpr ptr operator--(int) noexcept
    requires(!std::is_void_v<T>)
  {
    const ptr old = *this;
    *this += -1;
    return old;
  }

  friend constexpr ptr operator+(ptr p, difference_type n) noexcept
    requires(!std::is_void_v<T>)
  {
    return p += n;
  }
  friend constexpr ptr operator+(difference_type n, ptr p) noexcept
    requires(!std::is_void_v<T>)
  {
    return p += n;
  }
  friend constexpr ptr operator-(ptr p, difference_type n) noexcept
    requires(!std::is_void_v<T>)
  {
    return p -= n;
  }
  /// Number of elements from b to a. Both must point into the same segment of the same rank.
  friend constexpr difference_type operator-(ptr a, ptr b) noexcept
    requires(!std::is_void_v<T>)
  {
    return static_cast<difference_type>(a.bits() - b.bits()) /
           static_cast<difference_type>(sizeof(T));
  }
  friend constexpr auto operator<=>(const ptr&, const ptr&) = default;

 private:
  fabric::address address_;
};

static_assert(sizeof(ptr<int>) == 8 && sizeof(ptr<void>) == 8);
static_assert(std::is_trivially_copyable_v<ptr<double>>);

/// As static_cast of plain pointers: from and to ptr<void>, and adding const. Casts within a class
/// hierarchy are not supported.
template <class U, class T>
  requires(std::is_void_v<T> || std::is_void_v<U> ||
           std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>) &&
          requires(T* p) { static_cast<U*>(p); }
[[nodiscard]] constexpr ptr<U> static_pointer_cast(ptr<T> p) noexcept {
  return ptr<U>(p.address());
}

/// The same address as a pointer to another type. Whether an access through it is meaningful
/// depends on the types.
template <class U, class T>
[[nodiscard]] constexpr ptr<U> reinterpret_pointer_cast(ptr<T> p) noexcept {
  return ptr<U>(p.address());
}

}  // namespace far

template <class T>
struct std::hash<far::ptr<T>> {
  std::size_t operator()(const far::ptr<T>& p) const noexcept {
    // Offsets are often multiples of large powers of two: fold the high bits in, spread them by a
    // multiplication, and fold the high half of the product into the low one.
    const std::uint64_t spread = (p.bits() ^ (p.bits() >> 40)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(spread ^ (spread >> 32));
  }
};
