#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace far::fabric::shm {

/// Text in a buffer of fixed size; what does not fit is cut off. It never allocates, so signal
/// handlers may use it (with numbers and strings, whose formatting does not allocate either).
template <std::size_t Capacity>
class fixed_text {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    const auto result = fmt::format_to_n(bytes_.data() + used_, Capacity - used_, format,
                                         std::forward<Args>(args)...);
    used_ += std::min(result.size, Capacity - used_);
  }

  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.data(), used_}; }
  [[nodiscard]] std::size_t room() const noexcept { return Capacity - used_; }
  void clear() noexcept { used_ = 0; }

  /// Writes the text, up to the first error, and clears it.
  void write_to(int descriptor) noexcept {
    for (std::size_t done = 0; done < used_;) {
      const ssize_t written = write(descriptor, bytes_.data() + done, used_ - done);
      if (written <= 0) break;
      done += static_cast<std::size_t>(written);
    }
    used_ = 0;
  }

 private:
  std::array<char, Capacity> bytes_;
  std::size_t used_ = 0;
};

}  // namespace far::fabric::shm
