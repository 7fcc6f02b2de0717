#include "far/base/environment.hpp"

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::base {

std::uint64_t parse_size(std::string_view text, std::string_view what) {
  const auto fail = [&](std::string_view why) {
    return bad_argument(fmt::format(
        "{} = '{}': {}; write a number of bytes such as 65536, 512M or 2G", what, text, why));
  };
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc::result_out_of_range) throw fail("too large");
  if (failure != std::errc{}) throw fail("not a size");
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  int shift = 0;
  if (!unit.empty()) {
    constexpr std::string_view units = "kmgt";
    const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(unit[0])));
    if (const auto place = units.find(letter); place != std::string_view::npos) {
      shift = 10 * (static_cast<int>(place) + 1);
      unit.remove_prefix(1);
    }
    if (!unit.empty() && unit != "B" && unit != "b" && unit != "iB") throw fail("unknown unit");
  }
  if (value > std::numeric_limits<std::uint64_t>::max() >> shift) throw fail("too large");
  return value << shift;
}

std::uint64_t environment_size(const char* variable, std::uint64_t fallback) {
  const std::string_view text = environment_text(variable);
  return text.empty() ? fallback : parse_size(text, variable);
}

std::uint64_t environment_number(const char* variable, std::uint64_t fallback) {
  const std::string_view text = environment_text(variable);
  if (text.empty()) return fallback;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [next, failure] = std::from_chars(text.data(), end, value);
  if (failure == std::errc{} && next == end) return value;
  throw bad_argument(fmt::format("{} = '{}': write a whole number", variable, text));
}

std::uint64_t environment_seconds(const char* variable, std::uint64_t fallback) {
  constexpr std::uint64_t max = 1'000'000;
  const std::string_view text = environment_text(variable);
  if (text.empty()) return fallback;
  std::uint64_t seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [next, failure] = std::from_chars(text.data(), end, seconds);
  if (failure == std::errc{} && next == end && seconds <= max) return seconds;
  throw bad_argument(fmt::format("{} = '{}': write a number of seconds up to {}, or 0 for no limit",
                                 variable, text, max));
}

std::vector<int> parse_levels(std::string_view text, std::string_view what, int ranks) {
  const auto fail = [&](std::string_view why) {
    return bad_argument(fmt::format(
        "{} = '{}': {}; write numbers whose product is that of the ranks, such as 4x8x16 for 4 "
        "elements of 8 elements of 16 ranks",
        what, text, why));
  };
  std::vector<int> result;
  std::int64_t product = 1;
  const char* at = text.data();
  const char* const end = at + text.size();
  do {
    int elements = 0;
    const auto [next, failure] = std::from_chars(at, end, elements);
    if (failure != std::errc{} || elements < 1 || (next != end && *next != 'x')) {
      throw fail("not numbers above 0 with an x between them");
    }
    product *= elements;
    if (product > std::numeric_limits<int>::max()) throw fail("too many ranks");
    result.push_back(elements);
    at = next == end ? nullptr : next + 1;
  } while (at != nullptr);
  if (ranks > 0 && product != ranks) {
    throw fail(fmt::format("makes {} ranks, the job has {}", product, ranks));
  }
  return result;
}

void check_environment() {
  for (const char* const size :
       {"FAR_SYMMETRIC_HEAP", "FAR_LOCAL_HEAP", "FAR_NIC_HEAP", "FAR_ARRAY_CACHE",
        "FAR_OBJECT_HEAP", "FAR_OBJECT_CACHE", "FAR_SIM_STACK"}) {
    (void)environment_size(size, 0);
  }
  for (const char* const number : {"FAR_CONTEXTS", "FAR_RANKS_PER_NODE", "FAR_TERMINAL",
                                   "FAR_SIM_RANKS", "FAR_SIM_SEED", "FAR_SIM_PATIENCE"}) {
    (void)environment_number(number, 0);
  }
  for (const char* const seconds : {"FAR_PEER_TIMEOUT", "FAR_START_TIMEOUT"}) {
    (void)environment_seconds(seconds, 0);
  }
  if (const std::string_view levels = environment_text("FAR_LEVELS"); !levels.empty()) {
    (void)parse_levels(levels, "FAR_LEVELS", 0);
  }
  const std::string_view fabric = environment_text("FAR_FABRIC");
  if (!fabric.empty() && fabric != "shm" && fabric != "ucx") {
    throw bad_argument(fmt::format("FAR_FABRIC={}: want shm or ucx, or leave it unset", fabric));
  }
}

std::string_view environment_text(const char* variable) noexcept {
  const char* text = std::getenv(variable);  // NOLINT: no thread sets variables once ranks run
  return text == nullptr ? std::string_view{} : text;
}

}  // namespace far::base
