#include "test/litmus/generate.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "test/litmus/shapes.hpp"

namespace far::litmus {
namespace {

constexpr std::uint8_t cells_of_transfer = 2;

/// One kind of access.
struct kind {
  std::string_view write;
  verb write_verb;
  std::string_view read;
  verb read_verb;
  bool async = false;
  std::uint8_t cells = 1;
};
constexpr kind blocking = {"put", verb::put, "get", verb::get};
constexpr kind non_blocking = {"aput", verb::put, "aget", verb::get, true};
constexpr kind atomic = {"store", verb::store, "load", verb::load};
constexpr kind transfer = {"tput", verb::put, "tget", verb::get, false, cells_of_transfer};
/// Only for a put with a signal: its payload is a transfer, however short it is.
constexpr kind transfer_async = {"atput", verb::put, "tget", verb::get, true, cells_of_transfer};
constexpr kind add = {"add", verb::fetch_add, "load", verb::load};
constexpr kind exchange = {"swap", verb::swap, "get", verb::get};
constexpr kind add_async = {"aadd", verb::fetch_add, "aget", verb::get, true};

enum class fence { nothing, complete, flush_rank, flush };

/// How a thread makes its accesses: the kind of each, and what is between them.
struct pattern {
  std::vector<kind> kinds;
  std::vector<fence> between;
};

/// Patterns of n accesses: all patterns for up to two accesses; for more, those of one kind.
std::vector<pattern> all_patterns(std::size_t n) {
  std::vector<pattern> result;
  for (const kind& first : {blocking, non_blocking, atomic, transfer}) {
    if (n == 1) result.push_back({{first}, {}});
    for (const fence f : {fence::nothing, fence::complete, fence::flush_rank, fence::flush}) {
      if (n == 1 || (f == fence::complete && !first.async)) continue;
      if (n > 2) result.push_back({std::vector(n, first), std::vector(n - 1, f)});
      for (const kind& second : {blocking, non_blocking, atomic, transfer}) {
        if (n == 2) result.push_back({{first, second}, {f}});
      }
    }
  }
  return result;
}

/// The patterns that represent the rest.
std::vector<pattern> few_patterns(std::size_t n) {
  std::vector<pattern> result;
  for (const kind& k : {blocking, non_blocking, atomic, transfer}) {
    result.push_back({std::vector(n, k), std::vector(n - 1, fence::nothing)});
  }
  if (n > 1) {
    result.push_back({std::vector(n, blocking), std::vector(n - 1, fence::flush_rank)});
    result.push_back({std::vector(n, non_blocking), std::vector(n - 1, fence::flush)});
  }
  return result;
}

/// Homes of the places: on different ranks, on one rank, on a rank that takes no part, swapped.
std::vector<std::vector<int>> placements(const shape& s) {
  if (s.threads.size() == 2) return {{0, 1, 0}, {1, 0, 1}, {0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  const int last = static_cast<int>(s.threads.size()) - 1;
  return {{0, 1, last}, {last, 0, 1}, {0, 0, 0}, {last, last, last}};
}

step step_of(const access& a, const kind& k) {
  step s;
  s.what = a.value > 0 ? k.write_verb : k.read_verb;
  s.async = k.async;
  s.place = a.place;
  s.cells = k.cells;
  s.value = a.value;
  return s;
}

void add_fence(program& p, std::size_t thread, fence f) {
  const std::uint8_t last = p.threads[thread].steps.back().place;
  step s;
  if (f == fence::nothing) return;
  s.what = f == fence::complete ? verb::complete : verb::flush;
  if (f == fence::flush_rank) s.rank = static_cast<std::uint8_t>(p.places[last].home);
  p.add(thread, s);
}

std::string_view name_of(fence f) {
  constexpr std::string_view names[] = {"", "+wait", "+flushr", "+flush"};
  return names[static_cast<std::size_t>(f)];
}

program make(const shape& s, const std::vector<pattern>& patterns, const std::vector<int>& homes) {
  program p;
  p.name = s.name;
  std::uint8_t places = 0;
  for (const auto& accesses : s.threads) {
    for (const access& a : accesses) places = std::max<std::uint8_t>(places, a.place + 1);
  }
  for (std::uint8_t i = 0; i < places; ++i) {
    p.places.push_back({std::string(1, static_cast<char>('x' + i)), homes[i], 1});
  }
  for (std::size_t t = 0; t < s.threads.size(); ++t) {
    p.threads.push_back({static_cast<int>(t), false, {}});
    std::string text;
    for (std::size_t i = 0; i < s.threads[t].size(); ++i) {
      const access& a = s.threads[t][i];
      const kind& k = patterns[t].kinds[i];
      if (i > 0) {
        add_fence(p, t, patterns[t].between[i - 1]);
        text += name_of(patterns[t].between[i - 1]);
      }
      text += fmt::format("+{}", a.value > 0 ? k.write : k.read);
      p.places[a.place].cells = std::max<int>(p.places[a.place].cells, k.cells);
      p.add(t, step_of(a, k));
    }
    if (t > 0) text[0] = '|';
    p.name += text;
  }
  p.name += "@";
  for (const place& at : p.places) p.name += std::to_string(at.home);
  return p;
}

/// Collects programs without duplicates.
class collection {
 public:
  void add(program p) {
    if (names_.insert(p.name).second) programs_.push_back(std::move(p));
  }
  std::vector<program> take() { return std::move(programs_); }

 private:
  std::set<std::string> names_;
  std::vector<program> programs_;
};

void add_shape(collection& all, const shape& s) {
  const auto homes = placements(s);
  std::vector<std::vector<pattern>> few;
  for (const auto& accesses : s.threads) few.push_back(few_patterns(accesses.size()));
  const std::size_t representatives = few_patterns(2).size();
  const auto others = [&](std::size_t i) {
    std::vector<pattern> result;
    for (const auto& patterns : few) result.push_back(patterns[i % patterns.size()]);
    return result;
  };
  const std::size_t varied = s.symmetric ? s.threads.size() / 2 : s.threads.size();
  for (std::size_t t = 0; t < varied; ++t) {
    for (std::size_t i = 0; i < representatives; ++i) {
      std::vector<pattern> patterns = others(i);
      for (const pattern& mine : all_patterns(s.threads[t].size())) {
        patterns[t] = mine;
        all.add(make(s, patterns, homes[0]));
      }
      for (const pattern& mine : few[t]) {
        patterns[t] = mine;
        for (const auto& home : homes) all.add(make(s, patterns, home));
      }
    }
  }
}

/// Two threads that each change a word, at least one of them by an update, and then read it.
void add_duels(collection& all) {
  for (const kind& first : {add, exchange, add_async}) {
    for (const kind& second :
         {add, exchange, add_async, blocking, non_blocking, atomic, transfer}) {
      for (const fence f : {fence::nothing, fence::flush}) {
        for (const std::vector<int>& homes : {std::vector{0}, std::vector{1}, std::vector{2}}) {
          const shape once = {"duel", {{{x, 1}}, {{x, 4}}}};
          all.add(make(once, {{{first}, {}}, {{second}, {}}}, homes));
          const shape twice = {"duel2", {{{x, 1}, {x, 0}}, {{x, 4}, {x, 0}}}};
          all.add(make(twice, {{{first, blocking}, {f}}, {{second, blocking}, {f}}}, homes));
        }
      }
    }
  }
  for (const kind& k : {add, exchange, add_async}) {
    const shape three = {"trio", {{{x, 1}}, {{x, 2}}, {{x, 4}}}};
    all.add(make(three, {{{k}, {}}, {{k}, {}}, {{k}, {}}}, {0}));
    all.add(make(three, {{{add}, {}}, {{k}, {}}, {{blocking}, {}}}, {1}));
  }
}

/// A put of z, then one of x with a signal; the waiting thread reads both. z is at `home`.
program signal_program(const pattern& puts, const kind& look, int home) {
  const kind& before = puts.kinds[0];
  const kind& payload = puts.kinds[1];
  program p;
  p.name = fmt::format("signal+{}{}+{}|wait+{}+{}@{}", before.write, name_of(puts.between[0]),
                       payload.write, look.read, look.read, home);
  p.places = {{"x", 1, std::max(payload.cells, look.cells)},
              {"z", home, std::max(before.cells, look.cells)},
              {"s", 1, 1}};
  p.threads = {{0, false, {}}, {1, false, {}}};
  p.add(0, step_of({1, 1}, before));
  add_fence(p, 0, puts.between[0]);
  step put = step_of({0, 1}, payload);
  put.signal = 2;
  p.add(0, put);
  step wait;
  wait.what = verb::wait_signal;
  wait.place = 2;
  p.add(1, wait);
  p.add(1, step_of({0, 0}, look));
  p.add(1, step_of({1, 0}, look));
  return p;
}

}  // namespace

std::vector<program> classic_programs() {
  collection all;
  for (const shape& s : shapes()) add_shape(all, s);
  return all.take();
}

std::vector<program> signal_programs() {
  collection all;
  for (const kind& before : {exchange, blocking, non_blocking, atomic, transfer}) {
    for (const fence f : {fence::nothing, fence::flush_rank, fence::flush}) {
      for (const kind& payload : {blocking, transfer, transfer_async}) {
        for (const kind& look : {blocking, non_blocking, atomic, transfer}) {
          for (const int home : {0, 1, 2}) {
            all.add(signal_program({{before, payload}, {f}}, look, home));
          }
        }
      }
    }
  }
  return all.take();
}

std::vector<program> update_programs() {
  collection all;
  add_duels(all);
  for (const shape& s : shapes()) {
    if (s.threads.size() > 3) continue;
    for (const kind& k : {add, exchange, add_async}) {
      for (const kind& other : {k, blocking, non_blocking, atomic}) {
        for (const fence f : {fence::nothing, fence::complete, fence::flush}) {
          std::vector<pattern> patterns;
          for (const auto& accesses : s.threads) {
            const std::size_t n = accesses.size();
            patterns.push_back({std::vector(n, k), std::vector(n - 1, f)});
          }
          all.add(make(s, patterns, {0, 1, 0}));
          patterns[0].kinds.back() = other;
          all.add(make(s, patterns, {0, 1, 0}));
          patterns[0].kinds.back() = k;
          patterns[0].kinds.front() = other;
          all.add(make(s, patterns, {1, 0, 1}));
          patterns[0].kinds.front() = k;
          patterns.back().kinds = std::vector(patterns.back().kinds.size(), other);
          all.add(make(s, patterns, {1, 1, 1}));
        }
      }
    }
  }
  return all.take();
}

std::vector<program> all_programs() {
  std::vector<program> result = classic_programs();
  for (program& p : signal_programs()) result.push_back(std::move(p));
  for (program& p : update_programs()) result.push_back(std::move(p));
  return result;
}

}  // namespace far::litmus
