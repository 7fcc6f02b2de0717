// explore PROGRAM FIRST LAST: prints "found SEED WHAT" for the first seed of the range under which
// the program fails, or "none". With --count: prints the number of seeds under which it fails.

#include "test/mutants/explore.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace far::mutants {
namespace {

struct entry {
  const char* name;
  run_options options;
  std::function<void(world&)> body;
};

std::vector<entry>& all_programs() {
  static std::vector<entry> programs;
  return programs;
}

/// The failure under this seed, in one line, or nothing.
std::optional<std::string> failure_under(std::uint64_t seed, const entry& what) {
  run_options options = what.options;
  options.mode = job_mode::fibers;
  options.seed = seed;
  try {
    far::run(options, what.body);
  } catch (const std::exception& error) {
    const std::string_view text = error.what();
    return std::string(text.substr(0, text.find('\n')));
  }
  return {};
}

void explore(const entry& what, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    if (const auto failure = failure_under(seed, what)) {
      fmt::print("found {} {}\n", seed, *failure);
      return;
    }
  }
  fmt::print("none\n");
}

void count(const entry& what, std::uint64_t first, std::uint64_t last) {
  std::uint64_t failures = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    if (failure_under(seed, what)) ++failures;
  }
  fmt::print("{}\n", failures);
}

std::uint64_t number(std::string_view text) {
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument(fmt::format("'{}' is no seed", text));
  }
  return result;
}

int main_of(const std::vector<std::string_view>& args) {
  const bool counts = args.size() == 4 && args[3] == "--count";
  if (args.size() != 3 && !counts) {
    throw std::invalid_argument("usage: PROGRAM FIRST LAST [--count]");
  }
  for (const entry& program : all_programs()) {
    if (program.name != args[0]) continue;
    (counts ? count : explore)(program, number(args[1]), number(args[2]));
    return 0;
  }
  throw std::invalid_argument(fmt::format("there is no program '{}' here", args[0]));
}

}  // namespace

program::program(const char* name, run_options options, std::function<void(world&)> body) {
  all_programs().push_back({name, std::move(options), std::move(body)});
}

void check(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

}  // namespace far::mutants

int main(int argc, char** argv) {
  try {
    return far::mutants::main_of({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 2;
  }
}
