// Cached arrays whose chunks travel between ranks that keep copies and ranks that do not.
//
// Ranks are fibers of one thread, so they share `ghosts`, which knows what each read may return:
// at least what had ended when the read began, at most what had begun when it ended.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "far/array/cached_array.hpp"
#include "far/base/random.hpp"
#include "far/team/team.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

using number = std::uint64_t;
using words = cached_array<number>;

/// A value that never decreases: what has been begun, and what has ended.
struct ghost {
  number begun = 0;
  number ended = 0;

  template <class Op, class Access>
  void change(Op op, number operand, Access access) {
    begun = op(begun, operand);
    access();
    ended = op(ended, operand);
  }
  template <class Access>
  number read(Access access) const {
    const number least = ended;
    const number got = access();
    check(got >= least, "an element is older than a change that has ended");
    check(got <= begun, "an element has changes that nobody has made");
    return got;
  }
};

constexpr number max_elements = 8;
constexpr number pinned_chunks = 4;
std::array<ghost, max_elements> ghosts;  // of elements, or of whole chunks
base::random choices(0);  // the order in which ranks draw from it depends on the simulator's seed

/// Whether all ranks keep copies, or only rank 2.
enum class copies : std::uint8_t { at_all, at_one };

/// Each chunk's home is rank 0 or 1; a cache has two lines.
cached_array_options options_of(const world& w, number elements, number chunk, copies where) {
  if (w.rank() == 0) {
    ghosts = {};
    choices = base::random(0);
  }
  const bool past = where == copies::at_one && w.rank() != 2;
  return {.chunk = chunk,
          .begins = {0, elements / 2, elements},
          .cache_bytes = 1,
          .force_protocol = true,
          .how = past ? caching::never : caching::always};
}

void check_all(const world& w, const words& a) {
  barrier(w);
  for (number i = 0; i < max_elements; ++i) {
    check(ghosts[i].read([&] { return a.get(i); }) == ghosts[i].ended, "a change is lost");
  }
}

number pinned_read(const world& w, const words& a, number i) {
  const auto pin = a.pin_read(i);
  const number before = pin[i];
  w.compute(10);
  check(pin[i] == before, "a pinned element has changed");
  return before;
}

/// Each element is written by one rank; each chunk by two.
void registers(world& w, copies where) {
  const words a(w, max_elements, options_of(w, max_elements, 2, where));
  const auto self = static_cast<number>(w.rank());
  const auto ranks = static_cast<number>(w.size());
  const auto get = [&](number i) {
    return choices.below(4) != 0 ? a.get(i) : pinned_read(w, a, i);
  };
  for (int round = 0; round < 24; ++round) {
    const number i = choices.below(max_elements);
    ghost& g = ghosts[i];
    if (i % ranks == self) {
      const number next = g.begun + 1;
      g.change(maximum(), next, [&] { a.put(i, next); });
    } else {
      g.read([&] { return get(i); });
    }
  }
  check_all(w, a);
}

/// The elements of two chunks have different operators.
void operands(world& w, copies where) {
  const words a(w, max_elements, options_of(w, max_elements, 2, where));
  w.threads(2, [&](world& mine) {
    const auto view = a.on(mine);
    for (int round = 0; round < 20; ++round) {
      const number i = choices.below(8) < 5 ? choices.below(2) : choices.below(max_elements);
      ghost& g = ghosts[i];
      if (choices.below(5) == 0) {
        g.read([&] { return view.get(i); });
      } else if (i % 4 != 3) {
        g.change(std::plus<>(), 1, [&] { view.apply(i, number{1}, std::plus<>()); });
      } else {
        const number next = g.begun + choices.below(2);
        g.change(maximum(), next, [&] { view.apply(i, next, maximum()); });
      }
    }
  });
  check_all(w, a);
}

/// The elements of a chunk, which are all equal.
number value_of(const read_pin<number>& pin) {
  const auto all = pin.elements();
  check(std::ranges::adjacent_find(all, std::not_equal_to<>()) == all.end(),
        "a chunk is not as one change left it");
  return all[0];
}

/// Others go on, and this rank may need a line for a later chunk. (An earlier one might be pinned
/// by a rank that waits for this one.)
void pause(const world& w, const words& a, number pinned) {
  w.compute(10);
  const number next = pinned + 1 + choices.below(3);
  if (next < pinned_chunks) ghosts[next].read([&] { return a.get(next * a.chunk_size()); });
}

/// Chunks under pins: each change adds one to all elements.
void chunks(world& w, number size, copies where) {
  const words a(w, pinned_chunks * size, options_of(w, pinned_chunks * size, size, where));
  const auto read = [&](number c) {
    const auto pin = a.pin_read(c * size);
    const number before = value_of(pin);
    pause(w, a, c);
    check(value_of(pin) == before, "a pinned chunk has changed");
    return before;
  };
  const auto write = [&](number c) {
    const auto pin = a.pin_write(c * size);
    for (number i = c * size; i < (c + 1) * size; ++i) {
      ++pin[i];
      if (i % size == 0) pause(w, a, c);
    }
  };
  const auto operate = [&](number c) {
    const auto pin = a.pin_operate<std::plus<>>(c * size);
    for (number i = c * size; i < (c + 1) * size; ++i) {
      pin.apply(i, 1);
      if (i % size == 0) pause(w, a, c);
    }
  };
  for (int round = 0; round < 12; ++round) {
    const number c = choices.below(pinned_chunks);
    ghost& g = ghosts[c];
    switch (choices.below(5)) {
      case 0:
        g.change(std::plus<>(), 1, [&] { write(c); });
        break;
      case 1:
      case 2:
        g.change(std::plus<>(), 1, [&] { operate(c); });
        break;
      case 3:
        g.read([&] { return read(c); });
        break;
      default:
        g.read([&] { return a.get(c * size + choices.below(size)); });
    }
  }
  barrier(w);
  for (number c = 0; c < pinned_chunks; ++c) {
    check(ghosts[c].read([&] { return read(c); }) == ghosts[c].ended, "a change is lost");
  }
}

void cached_registers(world& w) { registers(w, copies::at_all); }
void direct_registers(world& w) { registers(w, copies::at_one); }
void cached_operands(world& w) { operands(w, copies::at_all); }
void direct_operands(world& w) { operands(w, copies::at_one); }
void cached_pins(world& w) { chunks(w, 2, copies::at_all); }
void direct_pins(world& w) { chunks(w, 2, copies::at_one); }
void large_chunks(world& w) { chunks(w, 160, copies::at_all); }

const program the_cached_registers("cached_registers", {.ranks = 3}, cached_registers);
const program the_direct_registers("direct_registers", {.ranks = 3}, direct_registers);
const program the_cached_operands("cached_operands", {.ranks = 3}, cached_operands);
const program the_direct_operands("direct_operands", {.ranks = 3}, direct_operands);
const program the_cached_pins("cached_pins", {.ranks = 3}, cached_pins);
const program the_direct_pins("direct_pins", {.ranks = 3}, direct_pins);
const program the_large_chunks("large_chunks", {.ranks = 3}, large_chunks);

}  // namespace
}  // namespace far::mutants
