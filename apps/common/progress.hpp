#pragma once
// A progress bar on standard error if that is a terminal; otherwise nothing.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace far::apps {

/// Columns of the terminal that standard error writes to; 0 if standard error is not a terminal
/// that can redraw a line. The launcher sets FAR_TERMINAL=<columns> if its pipe for standard error
/// leads to a terminal; FAR_TERMINAL=0 turns the bar off.
[[nodiscard]] std::size_t terminal_columns();

/// Where a bar draws, and the clock that limits how often; tests replace both.
struct progress_settings {
  std::size_t columns = terminal_columns();
  std::chrono::milliseconds interval{100};
  std::function<void(std::string_view)> write = {};  ///< standard error when empty
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

/// One line, redrawn in place and erased at the end. Not thread-safe. One rank draws for all.
class progress_bar {
 public:
  explicit progress_bar(std::string label, progress_settings settings = {});
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  ~progress_bar() { finish(); }

  /// Draws, unless it drew less than an interval ago. If `total` is 0 (unknown), shows only `done`.
  /// `note` is shown at the end of the line ("iteration 12").
  void update(std::uint64_t done, std::uint64_t total, std::string_view note = {});

  /// Erases the line; later updates draw it again.
  void finish();

  /// False if update does nothing (no terminal, or it is too narrow), so that the caller can skip
  /// computing what to show.
  [[nodiscard]] bool visible() const { return settings_.columns >= 20; }

 private:
  void write(std::string_view text) const;

  std::string label_;
  progress_settings settings_;
  std::chrono::steady_clock::time_point next_draw_{};
  bool drawn_ = false;
};

}  // namespace far::apps
