#include "far/fabric/sim/explore/trace.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::fabric::sim {
namespace {

constexpr std::uint64_t max_decisions = std::uint64_t{1} << 28;

std::string text_in(const std::string& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw bad_argument(fmt::format("the trace @{}: cannot read the file", path));
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace

std::string text_of(const trace& decisions) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!text.empty()) text += '.';
    text += part;
  };
  std::uint64_t calm = 0;
  for (const std::uint64_t d : decisions) {
    if (d == 0) {
      ++calm;
      continue;
    }
    if (calm > 0) add(calm == 1 ? "0" : fmt::format("+{}", calm));
    calm = 0;
    add(fmt::format("{}", d));
  }
  return text;
}

trace parse_trace(std::string_view text) {
  if (text.starts_with('@')) return parse_trace(text_in(std::string(text.substr(1))));
  trace result;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const bool calm = *at == '+';
    std::uint64_t number = 0;
    const auto [rest, failure] = std::from_chars(at + (calm ? 1 : 0), end, number);
    const bool ends_well = rest == end || (*rest == '.' && rest + 1 != end);
    if (failure != std::errc{} || !ends_well || (calm && number > max_decisions) ||
        result.size() > max_decisions) {
      throw bad_argument(fmt::format(
          "a trace with '{}': want numbers such as +17.1.+4.3",
          std::string_view(at, std::min<std::size_t>(20, static_cast<std::size_t>(end - at)))));
    }
    if (calm) {
      result.resize(result.size() + number);
    } else {
      result.push_back(number);
    }
    at = rest == end ? end : rest + 1;
  }
  return result;
}

std::uint64_t hash_of(const trace& decisions) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::uint64_t d : decisions) {
    for (int byte = 0; byte < 8; ++byte, d >>= 8) hash = (hash ^ (d & 255)) * 0x100000001b3u;
  }
  return hash;
}

std::size_t deviations_of(const trace& decisions) noexcept {
  return decisions.size() -
         static_cast<std::size_t>(std::count(decisions.begin(), decisions.end(), 0u));
}

trace trimmed(trace decisions) {
  while (!decisions.empty() && decisions.back() == 0) decisions.pop_back();
  return decisions;
}

std::uint64_t replay_driver::take(std::uint64_t bound) noexcept {
  if (used_ == decisions_.size()) return 0;
  const std::uint64_t answer = decisions_[used_++];
  return answer < bound ? answer : 0;
}

}  // namespace far::fabric::sim
