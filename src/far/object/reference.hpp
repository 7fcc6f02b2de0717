#pragma once
// References to shared objects: one word, which means the same on every rank.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "far/base/language.hpp"

namespace far {

namespace objects {

/// Fields of a reference, from the top: {space : 4, rank : 20, offset : 40}. `space` is 1 .. 15, so
/// that no reference to an object is null, and most references of another space are recognized.
/// `offset`: of the object's first byte in the memory of its home, `rank`. Its upper bits number
/// blocks of 64 KB.
class place {
 public:
  static constexpr int offset_bits = 40;
  static constexpr std::uint64_t offset_mask = (std::uint64_t{1} << offset_bits) - 1;
  static constexpr std::uint64_t max_ranks = std::uint64_t{1} << 20;
  static constexpr std::uint64_t spaces = 15;

  constexpr place() noexcept = default;
  constexpr explicit place(std::uint64_t bits) noexcept : bits_(bits) {}
  constexpr place(std::uint64_t space, int rank, std::uint64_t offset) noexcept
      : bits_((space << 60) | (static_cast<std::uint64_t>(rank) << offset_bits) | offset) {}

  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr std::uint64_t space() const noexcept { return bits_ >> 60; }
  [[nodiscard]] constexpr int rank() const noexcept {
    return static_cast<int>((bits_ >> offset_bits) & (max_ranks - 1));
  }
  [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return bits_ & offset_mask; }
  /// The same rank's memory, `bytes` further on.
  [[nodiscard]] constexpr place plus(std::uint64_t bytes) const noexcept {
    return place(bits_ + bytes);
  }
  [[nodiscard]] constexpr bool is_null() const noexcept { return bits_ == 0; }
  friend constexpr auto operator<=>(const place&, const place&) = default;

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace objects

/// Names an object of an object_space; ref<T[]> names an array. Trivially copyable and one word, so
/// objects can hold references. Null by default. An object_view reads and writes what it names.
///
/// Checked by: object_space_test.references_are_words
template <class T>
class ref {
 public:
  using object_type = std::remove_extent_t<T>;

  constexpr ref() noexcept = default;
  constexpr ref(std::nullptr_t) noexcept {}  // NOLINT: implicit, as T*'s
  constexpr explicit ref(objects::place at) noexcept : at_(at) {}

  /// The home: the rank that has made the object. 0 for null.
  [[nodiscard]] constexpr int rank() const noexcept { return at_.rank(); }
  [[nodiscard]] constexpr objects::place place() const noexcept { return at_; }
  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return at_.bits(); }
  [[nodiscard]] static constexpr ref from_bits(std::uint64_t bits) noexcept {
    return ref(objects::place(bits));
  }
  constexpr explicit operator bool() const noexcept { return !at_.is_null(); }
  friend constexpr auto operator<=>(const ref&, const ref&) = default;

 protected:
  objects::place at_;
};

static_assert(sizeof(ref<int>) == 8 && std::is_trivially_copyable_v<ref<int>>);

template <class T>
inline constexpr bool is_ref = false;
template <class T>
inline constexpr bool is_ref<ref<T>> = true;

}  // namespace far

template <class T>
struct std::hash<far::ref<T>> {
  std::size_t operator()(const far::ref<T>& r) const noexcept {
    return std::hash<std::uint64_t>()(r.bits() * 0x9e3779b97f4a7c15u);
  }
};
