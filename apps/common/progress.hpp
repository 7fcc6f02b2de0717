#pragma once
// A progress bar on the terminal where standard error ends, and nothing where it does not.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace far::apps {

/// Columns of the terminal where standard error ends; 0 when it does not end at one that can
/// redraw a line. FAR_TERMINAL=<columns> says so for a pipe with a terminal behind it, as the
/// launcher leaves it; FAR_TERMINAL=0 turns the bar off.
[[nodiscard]] std::size_t terminal_columns();

/// Where a bar draws, and the clock that bounds how often; replaced in tests.
struct progress_settings {
  std::size_t columns = terminal_columns();
  std::chrono::milliseconds interval{100};
  std::function<void(std::string_view)> write = {};  ///< standard error when empty
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

/// One line, redrawn in place and erased at the end. Not thread-safe: one rank draws for all.
class progress_bar {
 public:
  explicit progress_bar(std::string label, progress_settings settings = {});
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() { finish(); }

  /// Draws, unless it drew less than an interval ago. Without a total (0) it shows `done` alone.
  /// `note` stands at the end of the line ("iteration 12").
  void update(std::uint64_t done, std::uint64_t total, std::string_view note = {});

  /// Erases the line; later updates draw it again.
  void finish();

  /// False where update does nothing (no terminal, or one too narrow), so that what it would show
  /// need not be computed.
  [[nodiscard]] bool visible() const { return settings_.columns >= 20; }

 private:
  void write(std::string_view text) const;

  std::string label_;
  progress_settings settings_;
  std::chrono::steady_clock::time_point next_draw_{};
  bool drawn_ = false;
};

}  // namespace far::apps
