#include "apps/common/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::apps {

std::string summary_line(std::string_view what, std::string_view value) {
  return fmt::format("{:<20}{}\n", what, value);
}

std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

void print_result(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  throw error(fmt::format("cannot write the result to standard output: {}", std::strerror(errno)));
}

}  // namespace far::apps
