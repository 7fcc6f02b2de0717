#pragma once
// Address space that takes memory only where it is used.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "far/base/language.hpp"

namespace far::objects {

class reserved_memory {
 public:
  reserved_memory() noexcept = default;
  /// Zero bytes, aligned to pages. Errors: out_of_memory.
  explicit reserved_memory(std::uint64_t bytes);
  ~reserved_memory();
  reserved_memory(reserved_memory&& other) noexcept
      : start_(std::exchange(other.start_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  reserved_memory& operator=(reserved_memory&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  [[nodiscard]] std::byte* start() const noexcept { return start_; }
  /// Gives the memory of whole pages back; they read as zero again.
  void give_back(std::uint64_t offset, std::uint64_t bytes) const noexcept;

 private:
  std::byte* start_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace far::objects
