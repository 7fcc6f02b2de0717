// Checks the rows about cached arrays in the table of docs/memory_model.md: the axioms, as
// interleavings.cpp has them, say what the table says.

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "test/litmus/document.hpp"
#include "test/litmus/interleavings.hpp"
#include "test/litmus/shapes.hpp"

namespace far::litmus {
namespace {

struct cached_row {
  program text;
  std::function<bool(const outcome&)> shows;
};

step on(verb what, std::uint8_t place, std::uint8_t value, way by) {
  step result;
  result.what = what;
  result.place = place;
  result.value = value;
  result.by = by;
  return result;
}
step cached_get(std::uint8_t place, way by = way::sequential) {
  return on(verb::get, place, 0, by);
}
step set(std::uint8_t place, std::uint8_t value, way by = way::sequential) {
  return on(verb::set, place, value, by);
}
step apply(std::uint8_t place, std::uint8_t value, way by = way::sequential) {
  return on(verb::apply, place, value, by);
}

/// A row whose outcome is that the registers have these values.
cached_row with_registers(const char* name, const std::vector<std::vector<step>>& threads,
                          const std::vector<std::uint8_t>& values) {
  cached_row result;
  result.text.name = name;
  result.text.places = {{"x", 0, 1}, {"y", 0, 1}};
  for (std::size_t t = 0; t < threads.size(); ++t) {
    result.text.threads.push_back({static_cast<int>(t), false, {}});
    for (const step& one : threads[t]) result.text.add(t, one);
  }
  result.shows = [values](const outcome& o) {
    return std::ranges::equal(values, std::span(o.registers).first(values.size()));
  };
  return result;
}
cached_row with_x_1(const char* name, const std::vector<std::vector<step>>& threads) {
  cached_row result = with_registers(name, threads, {});
  result.shows = [](const outcome& o) { return o.memory[x] == 1; };
  return result;
}

std::vector<cached_row> cached_rows() {
  constexpr way pinned = way::pinned;
  constexpr way relaxed = way::relaxed;
  return {
      with_registers("store buffering", {{set(x, 1), cached_get(y)}, {set(y, 1), cached_get(x)}},
                     {0, 0}),
      with_registers("store buffering by apply",
                     {{apply(x, 1), cached_get(y)}, {apply(y, 1), cached_get(x)}}, {0, 0}),
      with_registers("independent reads",
                     {{set(x, 1)},
                      {set(y, 1)},
                      {cached_get(x), cached_get(y)},
                      {cached_get(y), cached_get(x)}},
                     {1, 0, 1, 0}),
      with_x_1("lost update", {{apply(x, 1)}, {apply(x, 1)}}),
      with_x_1("apply against put", {{apply(x, 1)}, {set(x, 5)}}),
      with_registers(
          "pins", {{set(x, 1, pinned), cached_get(y)}, {set(y, 1, pinned), cached_get(x)}}, {0, 0}),
      with_registers("a pin, then a put",
                     {{set(x, 1, pinned), set(y, 1)}, {cached_get(y), cached_get(x, pinned)}},
                     {1, 0}),
      with_registers("a put, then a pin",
                     {{set(x, 1), cached_get(y, pinned)}, {set(y, 1), cached_get(x, pinned)}},
                     {0, 0}),
      with_registers("relaxed",
                     {{set(x, 1, relaxed), set(y, 1, relaxed)},
                      {cached_get(y, relaxed), cached_get(x, relaxed)}},
                     {1, 0}),
      with_registers("relaxed coherence",
                     {{set(x, 1, relaxed), set(x, 2, relaxed)},
                      {cached_get(x, relaxed), cached_get(x, relaxed)}},
                     {2, 1}),
      with_x_1("relaxed updates", {{apply(x, 1, relaxed)}, {apply(x, 1, relaxed)}}),
      with_registers("relaxed, published",
                     {{set(x, 1, relaxed), set(y, 1)}, {cached_get(y), cached_get(x, relaxed)}},
                     {1, 0}),
      with_registers("both views",
                     {{set(x, 1, relaxed), cached_get(y)}, {set(y, 1), cached_get(x)}}, {0, 0}),
  };
}

TEST(litmus_cached_table, axioms_agree_with_every_row) {
  const std::map<std::string, std::string> table = rows_of_document("array");
  for (const cached_row& r : cached_rows()) {
    const auto said = table.find(r.text.name);
    ASSERT_NE(said, table.end()) << "docs/memory_model.md has no row array: " << r.text.name;
    const bool may_show = std::ranges::any_of(interleavings(r.text), r.shows);
    EXPECT_EQ(may_show ? "allowed" : "forbidden", said->second) << text(r.text);
  }
  EXPECT_EQ(table.size(), cached_rows().size()) << "a row of docs/memory_model.md is not tested";
}

}  // namespace
}  // namespace far::litmus
