#include "apps/common/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "apps/common/printable.hpp"

namespace far::apps {
namespace {

constexpr std::size_t widest_bar = 40;
constexpr std::size_t default_columns = 80;

// 12345678 as "12.3 M"; the caller's label names the unit.
std::string short_number(std::uint64_t value) {
  if (value < 10000) return fmt::format("{}", value);
  double scaled = static_cast<double>(value);
  const char* prefix = "kMGTPE";
  for (scaled /= 1000; scaled >= 999.95; scaled /= 1000) ++prefix;
  return fmt::format("{:.1f} {}", scaled, *prefix);
}

}  // namespace

std::size_t terminal_columns() {
  if (const char* value = std::getenv("FAR_TERMINAL")) {
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(value, value + std::strlen(value), columns);
    return error == std::errc() && *end == '\0' ? std::min<std::size_t>(columns, 1000) : 0;
  }
  if (::isatty(STDERR_FILENO) == 0) return 0;
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || std::strcmp(kind, "dumb") == 0) return 0;
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return default_columns;
  return size.ws_col;
}

progress_bar::progress_bar(std::string label, progress_settings settings)
    : label_(std::move(label)), settings_(std::move(settings)) {}

void progress_bar::update(std::uint64_t done, std::uint64_t total, std::string_view note) {
  if (!visible()) return;
  const auto now = settings_.now();
  if (drawn_ && now < next_draw_) return;
  next_draw_ = now + settings_.interval;
  drawn_ = true;

  const std::string ending = note.empty() ? std::string() : fmt::format("  {}", note);
  std::string line;
  if (total == 0) {
    line = fmt::format("{}  {}{}", label_, short_number(done), ending);
  } else {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const std::size_t others = display_width(label_) + display_width(ending) + 10;
    const std::size_t room = settings_.columns > others ? settings_.columns - others : 0;
    const std::size_t width = std::min(widest_bar, room);
    const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
    line = fmt::format("{}  [{}{}] {:3d}%{}", label_, std::string(full, '#'),
                       std::string(width - full, '.'), static_cast<int>(share * 100), ending);
  }
  // Leave the last column free: a full line wraps on some terminals and cannot be redrawn.
  write("\r" + printable(line, settings_.columns - 1) + "\x1b[K");
}

void progress_bar::finish() {
  if (std::exchange(drawn_, false)) write("\r\x1b[K");
}

void progress_bar::write(std::string_view text) const {
  if (settings_.write) return settings_.write(text);
  // One call, so that output of other ranks does not interleave. Errors are ignored: it is only a
  // progress bar.
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace far::apps
