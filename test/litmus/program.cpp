#include "test/litmus/program.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace far::litmus {

std::size_t program::first_cell(std::size_t place) const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < place; ++i) sum += static_cast<std::size_t>(places[i].cells);
  return sum;
}

int program::ranks() const {
  int highest = 0;
  for (const thread& t : threads) highest = std::max(highest, t.rank);
  for (const place& p : places) highest = std::max(highest, p.home);
  return highest + 1;
}

bool program::is_moved_by_transfer(std::size_t place) const {
  for (const thread& t : threads) {
    for (const step& s : t.steps) {
      if (s.place == place && s.cells > 1) return true;
    }
  }
  return false;
}

std::uint8_t program::add(std::size_t thread, step s) {
  if (reads(s.what)) {
    s.reg = static_cast<std::uint8_t>(registers);
    registers += s.cells;
  }
  threads[thread].steps.push_back(s);
  return s.reg;
}

bool is_update(verb what) { return what == verb::fetch_add || what == verb::swap; }

bool reads(verb what) {
  return what == verb::get || what == verb::load || what == verb::plain ||
         what == verb::wait_signal || is_update(what);
}

bool writes(verb what) {
  return what == verb::put || what == verb::store || what == verb::set || what == verb::apply ||
         is_update(what);
}

bool in_domain(verb what) { return what == verb::store || what == verb::load || is_update(what); }

std::string text(const program& p, const step& s) {
  constexpr const char* names[] = {"put",     "get",   "store",   "load",         "fetch_add",
                                   "swap",    "plain", "flush",   "wait for all", "wait_signal",
                                   "barrier", "send",  "quiesce", "set",          "apply"};
  constexpr const char* ways[] = {"", "pinned ", "relaxed "};
  std::string result = ways[static_cast<std::size_t>(s.by)];
  result += names[static_cast<std::size_t>(s.what)];
  if (s.async) result += "_async";
  if (s.what == verb::flush && s.rank != every_rank) result += fmt::format(" rank {}", s.rank);
  if (s.what == verb::send) result += fmt::format(" thread {}", s.handler);
  if (s.place != none) result += " " + p.places[s.place].name;
  if (s.cells > 1) result += fmt::format("[0..{}]", s.cells - 1);
  if (writes(s.what)) result += fmt::format(" {}", s.value);
  if (s.signal != none) result += " signal " + p.places[s.signal].name;
  if (s.reg != none) result += fmt::format(" -> r{}", s.reg);
  return result;
}

std::string text(const program& p) {
  std::string result = p.name + ":";
  for (const place& at : p.places) {
    result += fmt::format(" {}{} on rank {}", at.name,
                          at.cells > 1 ? fmt::format("[{}]", at.cells) : "", at.home);
  }
  for (const thread& t : p.threads) {
    result += fmt::format("\n  {} {}:", t.handler ? "handler on rank" : "rank", t.rank);
    for (std::size_t i = 0; i < t.steps.size(); ++i) {
      result += (i == 0 ? " " : "; ") + text(p, t.steps[i]);
    }
  }
  return result;
}

std::string text(const program& p, const outcome& o) {
  std::string result;
  for (int i = 0; i < p.registers; ++i) {
    result += fmt::format("r{}={} ", i, o.registers[static_cast<std::size_t>(i)]);
  }
  result += "|";
  for (std::size_t i = 0; i < p.places.size(); ++i) {
    for (int c = 0; c < p.places[i].cells; ++c) {
      result += fmt::format(" {}{}={}", p.places[i].name,
                            p.places[i].cells > 1 ? fmt::format("[{}]", c) : "",
                            o.memory[p.first_cell(i) + static_cast<std::size_t>(c)]);
    }
  }
  return result;
}

}  // namespace far::litmus
