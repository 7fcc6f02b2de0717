#pragma once
// Hashing. A value has the same 64-bit hash on every rank, under every compiler and library,
// because ranks must agree on the owner of a key without communicating. All bits of the result are
// of equal quality, so users may take any of them. Not for cryptography, and no defence against
// chosen keys.

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/language.hpp"
#include "far/base/random.hpp"

namespace far::base {

static_assert(std::endian::native == std::endian::little,
              "hash_bytes reads words in the order of little-endian machines");

/// The 128-bit product, folded into one word by xor of its high and low half: the step of
/// hash_bytes. Source: the idea of wyhash (Wang Yi, 2019).
[[nodiscard]] constexpr std::uint64_t fold_product(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Combines two hashes into one that depends on their order.
[[nodiscard]] constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t h) noexcept {
  return mix(seed * 0x9e3779b97f4a7c15u + h);
}

/// Hash of `bytes` bytes. Cost: about 10 GB/s on long inputs.
[[nodiscard]] inline std::uint64_t hash_bytes(const void* data, std::size_t bytes) noexcept {
  // Odd constants with about as many ones as zeros: fractions of the square roots of 2, 3 and 5.
  constexpr std::uint64_t k0 = 0x6a09e667f3bcc909u;
  constexpr std::uint64_t k1 = 0xbb67ae8584caa73bu;
  constexpr std::uint64_t k2 = 0x3c6ef372fe94f82bu;
  const auto word = [](const unsigned char* p, std::size_t length) {
    std::uint64_t value = 0;
    std::memcpy(&value, p, length);
    return value;
  };

  const auto* p = static_cast<const unsigned char*>(data);
  std::size_t left = bytes;
  std::uint64_t h = k0;
  for (; left > 16; p += 16, left -= 16) h = fold_product(word(p, 8) ^ k1, word(p + 8, 8) ^ h);
  // 0 to 16 bytes are left. From 8 on the two words may overlap; the length, mixed in below, keeps
  // such inputs distinct.
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  if (left >= 8) {
    a = word(p, 8);
    b = word(p + left - 8, 8);
  } else if (left >= 4) {
    a = word(p, 4);
    b = word(p + left - 4, 4);
  } else if (left > 0) {
    a = static_cast<std::uint64_t>(p[0]) << 16 | static_cast<std::uint64_t>(p[left / 2]) << 8 |
        p[left - 1];
  }
  h = fold_product(a ^ k1, b ^ h);
  return mix(fold_product(h ^ k2, static_cast<std::uint64_t>(bytes) ^ k1));
}

}  // namespace far::base

namespace far {

/// The hash of libfar's containers: far::hash<T>{}(value). It is defined for integers,
/// enumerations, floating point (0.0 and -0.0 have equal hashes), strings, pairs, tuples, arrays
/// and vectors of those, and for plain structs without padding, which are hashed by their bytes.
/// Specialise it for other types; is_avalanching tells the containers that they need not mix the
/// bits again.
template <class T>
struct hash {
  static_assert(std::has_unique_object_representations_v<T>,
                "far::hash<T> hashes the bytes of T, but T has padding, owns memory, or has equal "
                "values with unequal bytes: specialise far::hash<T> for it");
  static_assert(!std::is_pointer_v<T>, "a pointer means nothing on another rank");
  using is_avalanching = void;

  [[nodiscard]] std::uint64_t operator()(const T& value) const noexcept {
    return base::hash_bytes(&value, sizeof(T));
  }
};

template <class T>
  requires(std::integral<T> || std::is_enum_v<T>)
struct hash<T> {
  using is_avalanching = void;
  [[nodiscard]] constexpr std::uint64_t operator()(T value) const noexcept {
    // Consecutive numbers become the sequence of SplitMix64, which passes the usual test suites.
    return base::mix(static_cast<std::uint64_t>(value) * 0x9e3779b97f4a7c15u);
  }
};

template <class T>
  requires(std::same_as<T, float> || std::same_as<T, double>)
struct hash<T> {
  using is_avalanching = void;
  [[nodiscard]] constexpr std::uint64_t operator()(T value) const noexcept {
    const auto number = static_cast<double>(value);
    return hash<std::uint64_t>{}(number == 0 ? 0 : std::bit_cast<std::uint64_t>(number));
  }
};

template <>
struct hash<std::string_view> {
  using is_avalanching = void;
  [[nodiscard]] std::uint64_t operator()(std::string_view text) const noexcept {
    return base::hash_bytes(text.data(), text.size());
  }
};

template <>
struct hash<std::string> : hash<std::string_view> {};

template <class A, class B>
struct hash<std::pair<A, B>> {
  using is_avalanching = void;
  [[nodiscard]] std::uint64_t operator()(const std::pair<A, B>& value) const noexcept {
    return base::hash_combine(hash<A>{}(value.first), hash<B>{}(value.second));
  }
};

template <class... Ts>
struct hash<std::tuple<Ts...>> {
  using is_avalanching = void;
  [[nodiscard]] std::uint64_t operator()(const std::tuple<Ts...>& value) const noexcept {
    return std::apply(
        [](const Ts&... parts) {
          std::uint64_t h = sizeof...(Ts);
          ((h = base::hash_combine(h, hash<Ts>{}(parts))), ...);
          return h;
        },
        value);
  }
};

namespace base {

template <class Range>
std::uint64_t hash_range(const Range& range) noexcept {
  using element = typename Range::value_type;
  constexpr bool packed_bits = std::same_as<Range, std::vector<bool>>;
  if constexpr (std::has_unique_object_representations_v<element> && !packed_bits) {
    return hash_bytes(range.data(), range.size() * sizeof(element));
  } else {
    std::uint64_t h = range.size();
    for (const element& e : range) h = hash_combine(h, hash<element>{}(e));
    return h;
  }
}

}  // namespace base

template <class T, std::size_t Size>
struct hash<std::array<T, Size>> {
  using is_avalanching = void;
  [[nodiscard]] std::uint64_t operator()(const std::array<T, Size>& value) const noexcept {
    return base::hash_range(value);
  }
};

template <class T, class Allocator>
struct hash<std::vector<T, Allocator>> {
  using is_avalanching = void;
  [[nodiscard]] std::uint64_t operator()(const std::vector<T, Allocator>& value) const noexcept {
    return base::hash_range(value);
  }
};

}  // namespace far
