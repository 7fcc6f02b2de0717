#pragma once
// The bytes of replies until they are sent.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "bindings/kv/base64.hpp"

namespace far::kv {

/// A buffer that grows and whose memory is not cleared. Not thread-safe.
class output {
 public:
  [[nodiscard]] std::string_view text() const noexcept { return {data_.get(), size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Drops all behind `size` bytes.
  void cut(std::size_t size) noexcept { size_ = size; }
  void clear() noexcept { size_ = 0; }
  /// Gives the memory back, if it is more than `keep` bytes.
  void shrink(std::size_t keep) noexcept {
    if (capacity_ <= keep) return;
    data_.reset();
    size_ = capacity_ = 0;
  }

  /// Where the next bytes go; at least `bytes` fit. They count once they are committed.
  char* room(std::size_t bytes) {
    if (capacity_ - size_ < bytes) [[unlikely]]
      grow(bytes);
    return data_.get() + size_;
  }
  void commit(std::size_t bytes) noexcept { size_ += bytes; }

  output& operator<<(std::string_view text) {
    if (text.empty()) return *this;
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
    return *this;
  }
  output& operator<<(char c) {
    *room(1) = c;
    ++size_;
    return *this;
  }
  template <class Integer>
    requires std::is_integral_v<Integer>
  output& operator<<(Integer number) {
    char* const to = room(24);
    size_ += static_cast<std::size_t>(std::to_chars(to, to + 24, number).ptr - to);
    return *this;
  }
  void append_base64(std::string_view bytes) {
    size_ += encode_base64(bytes, room(base64_bytes(bytes.size())));
  }

 private:
  struct release {
    void operator()(char* memory) const noexcept { std::free(memory); }
  };
  void grow(std::size_t bytes);

  std::unique_ptr<char[], release> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace far::kv
