#pragma once
// A command's line as words between spaces.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace far::kv {

/// The first words of a line. No command but get takes more.
class tokens {
 public:
  static constexpr std::size_t max = 23;

  explicit tokens(std::string_view line) noexcept {
    const char* at = line.data();
    const char* const end = at + line.size();
    end_ = end;
    while (at != end) {
      if (*at == ' ') {
        ++at;
        continue;
      }
      const char* const begin = at;
      while (at != end && *at != ' ') ++at;
      words_[count_++] = {begin, at};
      if (count_ == max) break;
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept { return words_[i]; }
  [[nodiscard]] std::string_view back() const noexcept { return words_[count_ - 1]; }
  /// The words from `first` on.
  [[nodiscard]] std::span<const std::string_view> from(std::size_t first) const noexcept {
    return first < count_ ? std::span(words_).subspan(first, count_ - first)
                          : std::span<const std::string_view>();
  }
  /// The rest of the line from a word on, with all words behind it.
  [[nodiscard]] std::string_view line_from(std::size_t first) const noexcept {
    return first < count_ ? std::string_view(words_[first].begin(), end_) : std::string_view();
  }

 private:
  std::array<std::string_view, max> words_;
  std::size_t count_ = 0;
  const char* end_ = nullptr;
};

}  // namespace far::kv
