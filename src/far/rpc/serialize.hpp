#pragma once
// Values as bytes, for messages between ranks of one build: compact, no names, no versions.
//
// A type is serializable if it is one of these:
//   - a trivially copyable type (no pointer, span or view): its bytes;
//   - std::string, vector, pair, tuple, array, optional, (unordered_)(multi)map and set of such;
//   - a class with `template <class Archive> void serialize(Archive& archive)` that calls
//     `archive(member, member, ...)`, one function for both directions. It must be default
//     constructible, and each object must write at least one byte.
//
// Writers trust their values. The reader trusts nothing: it checks each length against the bytes
// that are there before it allocates or copies, and throws fabric_error.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/base/raw_object.hpp"
#include "far/rpc/wire_types.hpp"

namespace far::wire {

/// Throws fabric_error: `what` needs `needed` bytes, but the message has only `left` more.
[[noreturn]] void throw_truncated(const char* what, std::uint64_t needed, std::size_t left);
/// Throws fabric_error: this build does not write such messages.
[[noreturn]] void throw_malformed(const char* what);

// -- writing

template <class Writer, class T>
void put(Writer& writer, const T& value);

/// Counts the bytes that a writer would write.
class counter {
 public:
  void raw(const void*, std::size_t bytes) noexcept { bytes_ += bytes; }
  template <class... Ts>
  void operator()(const Ts&... values) {
    (put(*this, values), ...);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// Writes to memory that is large enough by a counter's result.
class writer {
 public:
  explicit writer(std::byte* to) noexcept : at_(to) {}

  void raw(const void* from, std::size_t bytes) noexcept {
    if (bytes != 0) std::memcpy(at_, from, bytes);
    at_ += bytes;
  }
  template <class... Ts>
  void operator()(const Ts&... values) {
    (put(*this, values), ...);
  }
  [[nodiscard]] std::byte* at() const noexcept { return at_; }

 private:
  std::byte* at_;
};

/// A length: seven bits a byte, low ones first, the top bit set on all but the last.
template <class Writer>
void put_length(Writer& writer, std::uint64_t length) {
  std::array<unsigned char, 10> digits;
  std::size_t count = 0;
  for (; length >= 0x80; length >>= 7) {
    digits[count++] = static_cast<unsigned char>(length | 0x80);
  }
  digits[count++] = static_cast<unsigned char>(length);
  writer.raw(digits.data(), count);
}

template <class Writer, class T>
void put(Writer& writer, const T& value) {
  static_assert(!points_elsewhere<T> || is_view<T>,
                "a pointer means nothing on another rank: send the value, or a far::ptr");
  if constexpr (std::is_same_v<T, bool>) {
    const unsigned char byte = value ? 1 : 0;
    writer.raw(&byte, 1);
  } else if constexpr (flat<T>) {
    writer.raw(static_cast<const void*>(std::addressof(value)), sizeof(T));
  } else if constexpr (self_describing<T>) {
    // serialize is one function for both directions, so it is not const; here it only reads.
    const_cast<T&>(value).serialize(writer);
  } else if constexpr (is_instance<T, std::basic_string> || is_instance<T, std::vector> ||
                       is_view<T>) {
    put_length(writer, value.size());
    using element = typename T::value_type;
    if constexpr (flat<element>) {
      writer.raw(static_cast<const void*>(value.data()), value.size() * sizeof(element));
    } else {
      for (const element& e : value) put(writer, e);
    }
  } else if constexpr (is_array<T>) {
    for (const auto& e : value) put(writer, e);
  } else if constexpr (is_instance<T, std::pair> || is_instance<T, std::tuple>) {
    std::apply([&](const auto&... parts) { (put(writer, parts), ...); }, value);
  } else if constexpr (is_instance<T, std::optional>) {
    put(writer, value.has_value());
    if (value.has_value()) put(writer, *value);
  } else if constexpr (container_of_keys<T>) {
    put_length(writer, value.size());
    for (const auto& e : value) put(writer, e);
  } else {
    static_assert(flat<T>, "this type is not serializable: give it a member serialize(archive)");
  }
}

/// The number of bytes of the values, one behind the other.
template <class... Ts>
[[nodiscard]] std::size_t bytes_of(const Ts&... values) {
  counter count;
  count(values...);
  return count.bytes();
}

template <class... Ts>
[[nodiscard]] std::vector<std::byte> to_bytes(const Ts&... values) {
  std::vector<std::byte> result(bytes_of(values...));
  writer(result.data())(values...);
  return result;
}

// -- reading

/// Reads what a writer wrote, from bytes that may have been damaged in any way.
/// Errors: fabric_error from every member function.
class reader {
 public:
  explicit reader(std::span<const std::byte> bytes) noexcept : left_(bytes) {}

  /// Fills in existing objects.
  template <class... Ts>
  void operator()(Ts&... values) {
    (take(values), ...);
  }
  template <class T>
  [[nodiscard]] T get();

  void raw(void* to, std::size_t bytes, const char* what) {
    if (bytes > left_.size()) throw_truncated(what, bytes, left_.size());
    if (bytes != 0) std::memcpy(to, left_.data(), bytes);
    left_ = left_.subspan(bytes);
  }
  /// Reads a length, and checks that so many elements of at least `bytes_each` bytes can follow.
  [[nodiscard]] std::size_t length(std::size_t bytes_each, const char* what);

  [[nodiscard]] std::span<const std::byte> left() const noexcept { return left_; }
  /// Checks that all bytes have been read.
  void finish() const {
    if (!left_.empty()) throw_malformed("bytes are left over");
  }

 private:
  template <class T>
  void take(T& value);
  template <class T>
  void take_sequence(T& value);

  std::span<const std::byte> left_;
};

template <class T>
T reader::get() {
  static_assert(std::is_default_constructible_v<T> || flat<T>,
                "a serializable type must be default constructible, or trivially copyable");
  if constexpr (flat<T> && std::is_trivially_copyable_v<T>) {
    base::raw_object<T> object;
    raw(object.bytes, sizeof(T), "a value");
    return object.value();
  } else {
    T value{};
    take(value);
    return value;
  }
}

template <class T>
void reader::take_sequence(T& value) {
  using element = typename T::value_type;
  value.clear();
  if constexpr (flat<element> && std::is_default_constructible_v<element>) {
    const std::size_t count = length(sizeof(element), "a string or vector");
    value.resize(count);
    raw(static_cast<void*>(value.data()), count * sizeof(element), "a string or vector");
  } else {
    // Grown as elements arrive, so that a false count allocates no memory.
    const std::size_t count = length(1, "a vector");
    for (std::size_t i = 0; i < count; ++i) value.push_back(get<element>());
  }
}

template <class T>
void reader::take(T& value) {
  static_assert(
      !points_elsewhere<T>,
      "a pointer or view cannot be read on another rank: use a string, vector or far::ptr");
  if constexpr (std::is_same_v<T, bool>) {
    unsigned char byte = 0;
    raw(&byte, 1, "a bool");
    if (byte > 1) throw_malformed("a bool that is neither true nor false");
    value = byte != 0;
  } else if constexpr (flat<T>) {
    raw(static_cast<void*>(std::addressof(value)), sizeof(T), "a value");
  } else if constexpr (self_describing<T>) {
    value.serialize(*this);
  } else if constexpr (is_instance<T, std::basic_string> || is_instance<T, std::vector>) {
    take_sequence(value);
  } else if constexpr (is_array<T>) {
    for (auto& e : value) take(e);
  } else if constexpr (is_instance<T, std::pair> || is_instance<T, std::tuple>) {
    std::apply(*this, value);
  } else if constexpr (is_instance<T, std::optional>) {
    value.reset();
    if (get<bool>()) value.emplace(get<typename T::value_type>());
  } else if constexpr (container_of_keys<T>) {
    value.clear();
    const std::size_t count = length(1, "a map or set");
    for (std::size_t i = 0; i < count; ++i) {
      auto key = get<typename T::key_type>();
      if constexpr (requires { typename T::mapped_type; }) {
        value.emplace_hint(value.end(), std::move(key), get<typename T::mapped_type>());
      } else {
        value.emplace_hint(value.end(), std::move(key));
      }
    }
  } else {
    static_assert(flat<T>, "this type is not serializable: give it a member serialize(archive)");
  }
}

/// Reads one value, which must use all bytes.
template <class T>
[[nodiscard]] T from_bytes(std::span<const std::byte> bytes) {
  reader from(bytes);
  auto value = from.get<T>();
  from.finish();
  return value;
}

}  // namespace far::wire
