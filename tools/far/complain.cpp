#include "tools/far/complain.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace far::tools {
namespace {

constexpr int usage_error = 2;

/// Joins the lines of a CLI11 message.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace

int complain(const std::string& command, std::string what) {
  fmt::print(stderr, "{0}: {1}; see {0} --help\n", command, one_line(std::move(what)));
  return usage_error;
}

}  // namespace far::tools
