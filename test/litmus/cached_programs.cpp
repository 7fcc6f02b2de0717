#include "test/litmus/cached_programs.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "far/base/random.hpp"
#include "test/litmus/shapes.hpp"

namespace far::litmus {
namespace {

/// One kind of access.
struct kind {
  verb write;
  way by;
};
constexpr kind set = {verb::set, way::sequential};
constexpr kind apply = {verb::apply, way::sequential};
constexpr kind pin = {verb::set, way::pinned};
constexpr kind pinned_apply = {verb::apply, way::pinned};
constexpr kind relaxed = {verb::set, way::relaxed};
constexpr kind relaxed_apply = {verb::apply, way::relaxed};

/// The kinds of a program's accesses, in turn, for threads with an even and an odd number.
struct style {
  std::array<kind, 2> even;
  std::array<kind, 2> odd;
};
constexpr style styles[] = {
    {{set, set}, {set, set}},
    {{apply, apply}, {apply, apply}},
    {{set, set}, {apply, apply}},
    {{apply, set}, {set, apply}},
    {{pin, pin}, {pin, pin}},
    {{set, pin}, {pin, set}},
    {{pin, set}, {set, pin}},
    {{apply, pin}, {pin, apply}},
    {{pinned_apply, apply}, {set, pin}},
    {{relaxed, relaxed}, {relaxed, relaxed}},
    {{relaxed, set}, {set, relaxed}},
    {{relaxed_apply, apply}, {set, relaxed}},
};

step step_of(const access& a, const kind& k) {
  step s;
  s.what = a.value > 0 ? k.write : verb::get;
  s.by = k.by;
  s.place = a.place;
  s.value = a.value;
  return s;
}

std::string name_of(const step& s) {
  const char* const what = s.what == verb::get ? "get" : s.what == verb::set ? "set" : "apply";
  constexpr const char* ways[] = {"", "f", "p", "r"};
  return fmt::format("+{}{}", ways[static_cast<std::size_t>(s.by)], what);
}

program make(const shape& s, const style& how, const std::array<int, 3>& homes,
             const std::array<int, 4>& ranks) {
  program p;
  std::uint8_t places = 0;
  for (const auto& accesses : s.threads) {
    for (const access& a : accesses) places = std::max<std::uint8_t>(places, a.place + 1);
  }
  for (std::uint8_t i = 0; i < places; ++i) {
    p.places.push_back({std::string(1, static_cast<char>('x' + i)), homes[i], 1});
  }
  p.name = s.name;
  for (std::size_t t = 0; t < s.threads.size(); ++t) {
    p.threads.push_back({ranks[t], false, {}});
    std::string text;
    for (std::size_t i = 0; i < s.threads[t].size(); ++i) {
      p.add(t, step_of(s.threads[t][i], (t % 2 == 0 ? how.even : how.odd)[i % 2]));
      text += name_of(p.threads[t].steps.back());
    }
    if (t > 0) text[0] = '|';
    p.name += text;
  }
  p.name += "@";
  for (const place& at : p.places) p.name += std::to_string(at.home);
  p.name += "r";
  for (const thread& t : p.threads) p.name += std::to_string(t.rank);
  return p;
}

}  // namespace

std::vector<program> cached_array_shapes() {
  std::vector<program> result;
  std::set<std::string> names;
  for (const shape& s : shapes()) {
    for (const style& how : styles) {
      for (const std::array<int, 3>& homes :
           {std::array{0, 1, 0}, std::array{1, 0, 1}, std::array{0, 0, 0}, std::array{2, 2, 2}}) {
        for (const std::array<int, 4>& ranks : {std::array{0, 1, 2, 3}, std::array{0, 0, 1, 1},
                                                std::array{1, 0, 1, 0}, std::array{0, 0, 0, 0}}) {
          program p = make(s, how, homes, ranks);
          if (names.insert(p.name).second) result.push_back(std::move(p));
        }
      }
    }
  }
  return result;
}

std::vector<program> random_cached_array_programs(std::uint64_t seed, std::size_t count) {
  constexpr std::uint64_t ranks = 3;
  base::random random(seed);
  const auto draw = [&](std::uint64_t low, std::uint64_t high) {
    return static_cast<std::uint8_t>(low + random.below(high - low + 1));
  };
  std::vector<program> result;
  for (std::size_t i = 0; i < count; ++i) {
    program p;
    p.name = fmt::format("random {}", i);
    const std::uint8_t places = draw(2, 3);
    for (std::uint8_t k = 0; k < places; ++k) {
      p.places.push_back(
          {std::string(1, static_cast<char>('x' + k)), static_cast<int>(random.below(ranks)), 1});
    }
    const std::uint8_t threads = draw(2, 4);
    std::uint8_t writes = 0;
    for (std::uint8_t t = 0; t < threads; ++t) {
      p.threads.push_back({static_cast<int>(random.below(ranks)), false, {}});
      const std::uint8_t steps = draw(2, threads == 2 ? 4 : 3);
      for (std::uint8_t k = 0; k < steps; ++k) {
        step s;
        constexpr verb verbs[] = {verb::get, verb::get, verb::set, verb::apply};
        s.what = verbs[random.below(std::size(verbs))];
        constexpr way ways[] = {way::sequential, way::sequential, way::sequential, way::pinned};
        s.by = ways[random.below(std::size(ways))];
        s.place = draw(0, places - 1u);
        // Sums stay below 256: at most 12 writes, of which each addition counts 16.
        if (s.what != verb::get) s.value = s.what == verb::apply ? 16 : ++writes;
        p.add(t, s);
      }
    }
    result.push_back(std::move(p));
  }
  return result;
}

}  // namespace far::litmus
