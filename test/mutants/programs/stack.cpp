// A stack of nodes, linked by number. Its head carries a tag that differs in all its states.
// Source: R. K. Treiber, Systems programming: coping with parallelism, 1986.

#include "far/memory/allocate.hpp"
#include "far/rma/atomic_ref.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::uint64_t nodes = 4;

/// Node numbers start at 1; 0 is none. A head is {tag : 32, node : 32}.
class stack {
 public:
  stack(const world& w, ptr<std::uint64_t> words) : w_(w), words_(words) {}

  void push(std::uint64_t node) const {
    std::uint64_t old = head().load();
    do {
      next(node).store(top(old));
    } while (!head().compare_exchange(old, after(old, node)));
  }
  [[nodiscard]] std::uint64_t pop() const {
    std::uint64_t old = head().load();
    for (;;) {
      if (top(old) == 0) return 0;
      const std::uint64_t below = next(top(old)).load();
      if (head().compare_exchange(old, after(old, below))) return top(old);
    }
  }

 private:
  [[nodiscard]] static std::uint64_t top(std::uint64_t head) { return head & 0xffffffff; }
  [[nodiscard]] static std::uint64_t after(std::uint64_t head, std::uint64_t node) {
    return ((head >> 32) + 1) << 32 | node;
  }
  [[nodiscard]] atomic_ref<std::uint64_t> head() const { return {w_, words_}; }
  [[nodiscard]] atomic_ref<std::uint64_t> next(std::uint64_t node) const {
    return {w_, words_ + static_cast<std::int64_t>(node)};
  }

  world w_;
  ptr<std::uint64_t> words_;
};

void stack_of_nodes(world& w) {
  constexpr int times = 6;
  const auto words = allocate<std::uint64_t>(w, 1 + nodes).on(0);
  const auto held = allocate<std::uint64_t>(w, 1 + nodes).on(0);
  w.fabric().quiesce(w.context());
  const stack all(w, words);
  if (w.rank() == 0) {
    for (std::uint64_t node = nodes; node > 0; --node) all.push(node);
  }
  w.fabric().quiesce(w.context());
  for (int i = 0; i < times; ++i) {
    const std::uint64_t node = all.pop();
    check(node != 0, "a node was lost");
    const atomic_ref<std::uint64_t> mine(w, held + static_cast<std::int64_t>(node));
    check(mine.exchange(1) == 0, "two ranks hold one node");
    mine.store(0);
    all.push(node);
  }
}

const program the_stack("stack", {.ranks = 4}, stack_of_nodes);

}  // namespace
}  // namespace far::mutants
