#include "test/litmus/interleavings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_set>

#include "far/base/check.hpp"
#include "test/litmus/hash_of_bytes.hpp"

namespace far::litmus {
namespace {

constexpr std::size_t max_steps_of_thread = 8;
constexpr std::size_t max_late = 3;

/// A pinned write that has not reached memory.
struct late_write {
  std::uint8_t cell = none;
  std::uint8_t value = 0;
  friend bool operator==(const late_write&, const late_write&) = default;
};
using queue = std::array<late_write, max_late>;

struct state {
  std::array<std::uint8_t, max_cells> memory{};
  std::array<std::uint8_t, max_registers> registers{};
  std::array<std::uint8_t, max_threads> done{};  // a bit per step
  std::array<queue, max_threads> late{};
  friend bool operator==(const state&, const state&) = default;
};

class explorer {
 public:
  explicit explorer(const program& p) : program_(&p) {
    FAR_CHECK(p.cells() <= max_cells && p.threads.size() <= max_threads &&
                  p.registers <= static_cast<int>(max_registers),
              "a litmus program is too large");
    for (const thread& t : p.threads) {
      FAR_CHECK(t.steps.size() <= max_steps_of_thread, "a litmus program is too long");
      for (const step& s : t.steps) {
        if (s.by == way::relaxed) weak_[s.place] = true;
      }
    }
  }

  std::vector<outcome> run() {
    found(state{});
    while (!todo_.empty()) {
      const state s = todo_.back();
      todo_.pop_back();
      bool ended = true;
      for (std::size_t t = 0; t < program_->threads.size(); ++t) {
        for (std::size_t i = 0; i < steps_of(t).size(); ++i) {
          if ((s.done[t] >> i & 1) != 0) continue;
          ended = false;
          if (is_next(s, t, i)) take(s, t, i);
        }
        if (s.late[t][0].cell != none) {
          ended = false;
          arrive(s, t);
        }
      }
      if (ended) outcomes_.insert({s.registers, s.memory});
    }
    return {outcomes_.begin(), outcomes_.end()};
  }

 private:
  [[nodiscard]] const std::vector<step>& steps_of(std::size_t thread) const {
    return program_->threads[thread].steps;
  }
  void found(const state& s) {
    if (seen_.insert(s).second) todo_.push_back(s);
  }

  /// Whether the step may come now: everything before it that it must follow has been done.
  [[nodiscard]] bool is_next(const state& s, std::size_t thread, std::size_t number) const {
    const auto& steps = steps_of(thread);
    for (std::size_t i = 0; i < number; ++i) {
      if ((s.done[thread] >> i & 1) == 0 && are_ordered(steps[i], steps[number])) return false;
    }
    return true;
  }
  [[nodiscard]] bool are_ordered(const step& first, const step& second) const {
    if (first.place == second.place) return true;
    const bool first_is_strong = !weak_[first.place];
    const bool second_is_strong = !weak_[second.place];
    if (first_is_strong && second_is_strong) return true;
    const bool acquires = first_is_strong && first.what != verb::set && first.by != way::pinned;
    const bool publishes = second_is_strong && second.what != verb::get && second.by != way::pinned;
    return acquires || publishes;
  }

  void take(const state& s, std::size_t thread, std::size_t number) {
    const step& one = steps_of(thread)[number];
    const auto cell = static_cast<std::uint8_t>(program_->first_cell(one.place));
    state after = s;
    after.done[thread] |= static_cast<std::uint8_t>(1u << number);
    queue& late = after.late[thread];
    switch (one.what) {
      case verb::get: {
        std::uint8_t& to = after.registers[one.reg];
        to = s.memory[cell];
        for (const late_write& own : late) {
          if (own.cell == cell) to = own.value;
        }
        break;
      }
      case verb::set:
        if (one.by == way::pinned) {
          auto* const free = std::ranges::find(late, none, &late_write::cell);
          FAR_CHECK(free != late.end(), "a litmus thread writes too much by pins");
          *free = {cell, one.value};
        } else {
          if (late[0].cell != none) return;  // arrive() comes first
          after.memory[cell] = one.value;
        }
        break;
      case verb::apply:
        if (late[0].cell != none) return;
        after.memory[cell] = static_cast<std::uint8_t>(s.memory[cell] + one.value);
        break;
      default:
        FAR_CHECK(false, "a step that is not of a cached array");
    }
    found(after);
  }

  void arrive(const state& s, std::size_t thread) {
    state after = s;
    queue& late = after.late[thread];
    after.memory[late[0].cell] = late[0].value;
    std::ranges::copy(late.begin() + 1, late.end(), late.begin());
    late.back() = {};
    found(after);
  }

  const program* program_;
  std::array<bool, max_cells> weak_{};  // places that a relaxed step accesses
  std::unordered_set<state, hash_of_bytes<state>> seen_;
  std::vector<state> todo_;
  std::set<outcome> outcomes_;
};

}  // namespace

std::vector<outcome> interleavings(const program& p) { return explorer(p).run(); }

}  // namespace far::litmus
