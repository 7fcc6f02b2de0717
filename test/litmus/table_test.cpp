// Checks each row of the table of litmus tests at the end of docs/memory_model.md: it is allowed or
// forbidden by the axioms in axioms.cpp, as the table says. (cached_table_test has the rows of
// arrays.)

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "test/litmus/axioms.hpp"
#include "test/litmus/document.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {
namespace {

constexpr int n = 3;  // cells of a transfer

struct row {
  program text;
  std::function<bool(const outcome&)> shows;
};

/// A program with places x, y, z (x and y of `cells`) and a signal word s, all on `home`.
program start(const char* name, int home = 1, int cells = 1) {
  program p;
  p.name = name;
  p.places = {{"x", home, cells}, {"y", home, cells}, {"z", home, 1}, {"s", home, 1}};
  return p;
}
constexpr std::uint8_t x = 0, y = 1, z = 2, s = 3;

void thread_of(program& p, int rank, const std::vector<step>& steps, bool handler = false) {
  p.threads.push_back({rank, handler, {}});
  for (const step& one : steps) p.add(p.threads.size() - 1, one);
}

step on(verb what, std::uint8_t place, std::uint8_t value = 0, std::uint8_t cells = 1) {
  step result;
  result.what = what;
  result.place = place;
  result.value = value;
  result.cells = cells;
  return result;
}
step put(std::uint8_t place, std::uint8_t value, std::uint8_t cells = 1) {
  return on(verb::put, place, value, cells);
}
step get(std::uint8_t place, std::uint8_t cells = 1) { return on(verb::get, place, 0, cells); }
step plain(std::uint8_t place, std::uint8_t cells = 1) { return on(verb::plain, place, 0, cells); }
step started(step one) {
  one.async = true;
  return one;
}
step with_signal(step one) {
  one.signal = s;
  return one;
}
step alone(verb what) { return on(what, none); }
step send(std::uint8_t handler) {
  step result = alone(verb::send);
  result.handler = handler;
  return result;
}
const step flush = alone(verb::flush);

bool has(const outcome& o, std::size_t first, std::uint8_t value) {
  return std::count(o.registers.begin() + static_cast<std::ptrdiff_t>(first),
                    o.registers.begin() + static_cast<std::ptrdiff_t>(first) + n, value) > 0;
}

/// Whether registers 0 and 1 have these values.
std::function<bool(const outcome&)> two(std::uint8_t first, std::uint8_t second) {
  return [=](const outcome& o) { return o.registers[0] == first && o.registers[1] == second; };
}

using threads = std::vector<std::vector<step>>;

void add(std::vector<row>& rows, program p, const threads& all,
         std::function<bool(const outcome&)> shows) {
  for (std::size_t t = 0; t < all.size(); ++t) thread_of(p, static_cast<int>(t), all[t]);
  rows.push_back({std::move(p), std::move(shows)});
}

void add_orders(std::vector<row>& rows) {
  const std::vector<step> look = {get(y), get(x)};
  add(rows, start("message passing"), {{put(x, 1), put(y, 1)}, look}, two(1, 0));
  add(rows, start("message passing, transfer", 1, n),
      {{put(x, 1, n), put(y, 1)}, {get(y), get(x, n)}},
      [](const outcome& o) { return o.registers[0] == 1 && has(o, 1, 0); });
  add(rows, start("message passing, non-blocking"),
      {{started(put(x, 1)), started(put(y, 1))}, look}, two(1, 0));
  add(rows, start("message passing, flushed"), {{started(put(x, 1)), flush, put(y, 1)}, look},
      two(1, 0));
  add(rows, start("message passing, by transfer", 1, n),
      {{put(x, 1), put(y, 1, n)}, {get(y, n), plain(x)}},
      [](const outcome& o) { return has(o, 0, 1) && o.registers[n] == 0; });
  add(rows, start("store buffering"), {{put(x, 1), get(y)}, {put(y, 1), get(x)}}, two(0, 0));
  add(rows, start("store buffering, own puts seen"),
      {{put(x, 1), get(x), get(y)}, {put(y, 1), get(y), get(x)}},
      [](const outcome& o) { return two(1, 0)(o) && o.registers[2] == 1 && o.registers[3] == 0; });
  add(rows, start("store buffering, flushed"),
      {{put(x, 1), flush, get(y)}, {put(y, 1), flush, get(x)}}, two(0, 0));
  add(rows, start("load buffering"), {{get(x), put(y, 1)}, {get(y), put(x, 1)}}, two(1, 1));
  add(rows, start("coherence"), {{put(x, 1), put(x, 2)}, {get(x), get(x)}}, two(2, 1));
  add(rows, start("independent reads"),
      {{put(x, 1)}, {put(y, 1)}, {get(x), get(y)}, {get(y), get(x)}},
      [](const outcome& o) { return two(1, 0)(o) && o.registers[2] == 1 && o.registers[3] == 0; });
  add(rows, start("causality"), {{put(x, 1)}, {get(x), put(y, 1)}, {get(y), get(x)}},
      [](const outcome& o) {
        return o.registers[0] == 1 && o.registers[1] == 1 && o.registers[2] == 0;
      });
}

void add_accesses(std::vector<row>& rows) {
  add(rows, start("signal", 1, n),
      {{started(with_signal(put(x, 1, n)))}, {on(verb::wait_signal, s), plain(x, n)}},
      [](const outcome& o) { return has(o, 1, 0); });
  add(rows, start("signal and another put"),
      {{started(put(z, 1)), with_signal(put(x, 1))}, {on(verb::wait_signal, s), get(z)}},
      two(1, 0));
  add(rows, start("torn transfer", 1, n), {{put(x, 1, n)}, {get(x, n)}},
      [](const outcome& o) { return has(o, 0, 0) && has(o, 0, 1); });
  add(rows, start("transfer against store", 1, n),
      {{put(x, 2, n)}, {on(verb::load, x), on(verb::store, x, 1)}},
      [](const outcome& o) { return o.registers[0] == 2 && o.memory[0] == 2; });
  add(rows, start("torn word"), {{put(x, 1)}, {get(x)}},
      [](const outcome& o) { return o.registers[0] > 1; });
  const step add_one = on(verb::fetch_add, x, 1);
  const auto leaves_1 = [](const outcome& o) { return o.memory[0] == 1; };
  add(rows, start("lost update"), {{add_one}, {add_one}}, leaves_1);
  add(rows, start("update against put"), {{add_one}, {put(x, 5)}}, leaves_1);
}

void add_meetings(std::vector<row>& rows) {
  const auto first_is_0 = [](const outcome& o) { return o.registers[0] == 0; };
  for (const bool blocking : {true, false}) {
    program p = start(blocking ? "message after put" : "message after put, non-blocking");
    thread_of(p, 0, {blocking ? put(x, 1) : started(put(x, 1)), send(1)});
    thread_of(p, 1, {get(x)}, true);
    rows.push_back({p, first_is_0});
  }
  const step barrier = alone(verb::barrier);
  add(rows, start("barrier"), {{started(put(x, 1)), barrier}, {barrier, plain(x)}}, first_is_0);
  for (const verb rendezvous : {verb::barrier, verb::quiesce}) {
    program p =
        start(rendezvous == verb::barrier ? "barrier and messages" : "quiesce and messages");
    thread_of(p, 0, {send(2), alone(rendezvous)});
    thread_of(p, 1, {alone(rendezvous), get(x)});
    thread_of(p, 1, {put(x, 1)}, true);
    rows.push_back({p, first_is_0});
  }
}

const std::vector<row>& rows() {
  static const std::vector<row> all = [] {
    std::vector<row> made;
    add_orders(made);
    add_accesses(made);
    add_meetings(made);
    return made;
  }();
  return all;
}

bool may_show(const row& r, const machine& how = {}) {
  return std::ranges::any_of(allowed(r.text, how), r.shows);
}

TEST(litmus_table, axioms_agree_with_every_row) {
  const std::map<std::string, std::string> table = rows_of_document("");
  for (const row& r : rows()) {
    const auto said = table.find(r.text.name);
    ASSERT_NE(said, table.end()) << "docs/memory_model.md has no row " << r.text.name;
    EXPECT_EQ(may_show(r) ? "allowed" : "forbidden", said->second) << text(r.text);
  }
  EXPECT_EQ(table.size(), rows().size()) << "a row of docs/memory_model.md is not tested";
}

// Each mistake allows a forbidden row of the table.
TEST(litmus_table, every_defect_shows_in_a_row) {
  const std::map<defect, std::string> shown = {
      {defect::flush_does_nothing, "store buffering, flushed"},
      {defect::signal_before_payload, "signal"},
      {defect::words_tear, "torn word"},
      {defect::updates_lose, "lost update"},
      {defect::puts_out_of_order, "message passing"},
      {defect::handler_before_puts, "message after put"}};
  for (const auto& [mistake, name] : shown) {
    const auto r = std::ranges::find(rows(), name, [](const row& one) { return one.text.name; });
    ASSERT_NE(r, rows().end());
    EXPECT_FALSE(may_show(*r)) << name;
    EXPECT_TRUE(may_show(*r, {.mistake = mistake})) << name;
  }
}

// A fabric that waits for each put does not show the rows that only axiom 6 allows.
TEST(litmus_table, late_changes_make_store_buffering) {
  for (const row& r : rows()) {
    const bool alone_by_6 = r.text.name == "store buffering" ||
                            r.text.name == "store buffering, own puts seen" ||
                            r.text.name == "message passing, by transfer";
    EXPECT_EQ(may_show(r) && !may_show(r, {false}), alone_by_6) << r.text.name;
  }
}

}  // namespace
}  // namespace far::litmus
