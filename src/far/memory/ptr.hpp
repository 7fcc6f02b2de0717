#pragma once
// The global pointer: where in the job an object is, in one 64-bit word.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "far/fabric/address.hpp"

namespace far {

/// What remote memory may hold: bytes that can be copied without asking their type.
template <class T>
concept remote_object = std::is_object_v<T> && std::is_trivially_copyable_v<T>;

/// Points at a T of any rank of the job. Trivially copyable and one word (fabric/address.hpp
/// draws its fields), so that it fits in atomics and in remote structures, and means the same on
/// every rank. It is not dereferenced: far::get, far::put and far::atomic_ref reach the object;
/// far::local gives its owner a plain pointer.
///
/// Arithmetic counts elements and stays inside one segment of one rank; it is not checked, the
/// accesses are. Pointers of different ranks or segments have an order, but no difference.
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

  /// The word itself, for atomics and wire formats. Zero is null.
  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return address_.bits(); }
  [[nodiscard]] static constexpr ptr from_bits(std::uint64_t bits) noexcept {
    return ptr(fabric::address::from_bits(bits));
  }

  [[nodiscard]] constexpr fabric::address address() const noexcept { return address_; }
  /// The rank whose memory it points into; 0 for null.
  [[nodiscard]] constexpr int rank() const noexcept { return address_.rank(); }
  /// The same place on another rank, for memory of far::allocate.
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
  /// Elements from b to a, which point into the same segment of the same rank.
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

/// ptr<void> back to the type it had, and const away from nothing: what static_cast allows of
/// plain pointers, classes of one hierarchy left out.
template <class U, class T>
  requires(std::is_void_v<T> || std::is_void_v<U> ||
           std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>) &&
          requires(T* p) { static_cast<U*>(p); }
[[nodiscard]] constexpr ptr<U> static_pointer_cast(ptr<T> p) noexcept {
  return ptr<U>(p.address());
}

/// The same place seen as another type; the types' own rules say whether access is meaningful.
template <class U, class T>
[[nodiscard]] constexpr ptr<U> reinterpret_pointer_cast(ptr<T> p) noexcept {
  return ptr<U>(p.address());
}

}  // namespace far

template <class T>
struct std::hash<far::ptr<T>> {
  std::size_t operator()(const far::ptr<T>& p) const noexcept {
    // Offsets are multiples of big powers of two: fold the high half in, spread, keep the top.
    const std::uint64_t spread = (p.bits() ^ (p.bits() >> 40)) * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(spread ^ (spread >> 32));
  }
};
