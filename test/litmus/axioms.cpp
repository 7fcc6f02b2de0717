#include "test/litmus/axioms.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <unordered_set>

#include "test/litmus/hash_of_bytes.hpp"
#include "test/litmus/rules.hpp"

namespace far::litmus {
namespace {

class explorer : private rules {
 public:
  using rules::rules;
  std::vector<outcome> run();

 private:
  void found(const state& s) {
    if (seen_.insert(s).second) todo_.push_back(s);
  }
  void expand(const state& s);
  void step_of(const state& s, std::size_t thread);
  void start_update(const state& s, std::size_t thread, std::size_t op);
  void flush_of(const state& s, std::size_t thread, const operation& op);
  void rendezvous(const state& s);
  void read_cells(const state& s, std::size_t op, bool blocking);
  void drain(const state& s, std::size_t thread);
  void take_place(const state& s, std::size_t op);
  void write_early(const state& s, std::size_t op, std::uint8_t bit);
  [[nodiscard]] bool has_ended(const state& s) const;

  std::unordered_set<state, hash_of_bytes<state>> seen_;
  std::vector<state> todo_;
  std::set<outcome> outcomes_;
};

std::vector<outcome> explorer::run() {
  found(start());
  while (!todo_.empty()) {
    const state s = todo_.back();
    todo_.pop_back();
    expand(s);
  }
  return {outcomes_.begin(), outcomes_.end()};
}

bool explorer::has_ended(const state& s) const {
  if (s.in_flight != 0) return false;
  for (std::size_t t = 0; t < program_->threads.size(); ++t) {
    if (s.next[t] != idle && s.next[t] != end_of(t)) return false;
    if (!is_empty(s.queues[t])) return false;
  }
  return true;
}

void explorer::expand(const state& s) {
  if (has_ended(s)) {
    outcomes_.insert({s.registers, s.memory});
    return;
  }
  for (std::size_t t = 0; t < program_->threads.size(); ++t) {
    if (s.next[t] != idle && s.next[t] != end_of(t)) step_of(s, t);
    drain(s, t);
  }
  for (std::size_t op = 0; op < operations_.size(); ++op) {
    if ((s.in_flight >> op & 1) != 0) take_place(s, op);
  }
  rendezvous(s);
}

/// Starts the next operation of a thread, and ends it if it blocks and need not wait.
void explorer::step_of(const state& s, std::size_t thread) {
  const std::size_t number = s.next[thread];
  const operation& op = operations_[number];
  // Without axiom 6, a blocking call returns when nothing is in flight any more.
  if (!how_.late_changes && !is_empty(s.queues[thread])) return;
  state after = s;
  ++after.next[thread];
  switch (op.what.what) {
    case verb::barrier:
    case verb::quiesce:
      return;  // all together: rendezvous()
    case verb::flush:
      return flush_of(s, thread, op);
    case verb::complete:
      for (std::size_t i = begin_[thread]; i < number; ++i) {
        if ((s.in_flight >> i & 1) != 0) return;
      }
      return found(after);
    case verb::wait_signal:
      after.registers[op.what.reg] = seen_by(s, thread, op.first);
      if (after.registers[op.what.reg] != 0) found(after);
      return;
    default:
      break;
  }
  const bool overtakes = op.what.what == verb::send && how_.mistake == defect::handler_before_puts;
  if (op.what.async || overtakes) {
    after.in_flight |= 1u << number;
    found(after);
  } else if (is_update(op.what.what)) {
    start_update(s, thread, number);
  } else if (reads(op.what.what)) {
    read_cells(s, number, true);
  } else {  // axiom 10: a message, too, comes after what was complete before it
    enqueue(after, thread, number);
    found(after);
  }
}

/// Axiom 4: an update reads, and reserves its word against the whole domain until it has written;
/// plain puts may fall in between. Axiom 6: the write may be late. If the update reads its thread's
/// own late change, the word is reserved when that change takes place: commit().
void explorer::start_update(const state& s, std::size_t thread, std::size_t number) {
  const operation& op = operations_[number];
  state after = s;
  if (newest_own(s, thread, op.first) == none) {
    if (s.reserved[op.first] != none) return;
    if (how_.mistake != defect::updates_lose) {
      after.reserved[op.first] = static_cast<std::uint8_t>(number);
    }
  }
  after.registers[op.what.reg] = seen_by(s, thread, op.first);
  after.left[number] &= static_cast<std::uint8_t>(~read_bit);
  if (s.next[thread] == number) ++after.next[thread];
  after.in_flight &= ~(1u << number);
  enqueue(after, thread, number);
  found(after);
}

/// Axiom 7.
void explorer::flush_of(const state& s, std::size_t thread, const operation& op) {
  const auto concerns = [&](std::size_t i) {
    return op.what.rank == every_rank || operations_[i].home == op.what.rank;
  };
  if (how_.mistake != defect::flush_does_nothing) {
    for (const std::uint8_t i : s.queues[thread]) {
      if (i != none && concerns(i)) return;
    }
    for (std::size_t i = begin_[thread]; i < s.next[thread]; ++i) {
      if ((s.in_flight >> i & 1) != 0 && concerns(i)) return;
    }
  }
  state after = s;
  ++after.next[thread];
  found(after);
}

/// Axioms 15 and 16: all threads except handlers meet in a barrier, or in a quiesce.
void explorer::rendezvous(const state& s) {
  state after = s;
  verb what = verb::put;
  for (std::size_t t = 0; t < program_->threads.size(); ++t) {
    if (program_->threads[t].handler) continue;
    if (s.next[t] == end_of(t)) return;
    const verb mine = operations_[s.next[t]].what.what;
    if (mine != verb::barrier && mine != verb::quiesce) return;
    what = mine;
    if (!is_empty(s.queues[t])) return;
    for (std::size_t i = begin_[t]; i < s.next[t]; ++i) {
      if (what == verb::barrier && (s.in_flight >> i & 1) != 0) return;
    }
    ++after.next[t];
  }
  for (std::size_t t = 0; what == verb::quiesce && t < program_->threads.size(); ++t) {
    if (!program_->threads[t].handler || s.next[t] == idle) continue;
    if (s.next[t] != end_of(t) || !is_empty(s.queues[t])) return;
    for (std::size_t i = begin_[t]; i < end_of(t); ++i) {
      if ((s.in_flight >> i & 1) != 0) return;
    }
  }
  found(after);
}

/// A get reads one of the cells that it has not read yet. Axiom 2: the cells of a transfer in any
/// order. Axiom 11: a transfer may find changes that are still in flight to memory, before the
/// changes that they must follow.
void explorer::read_cells(const state& s, std::size_t number, bool blocking) {
  const operation& op = operations_[number];
  for (std::size_t c = 0; c < op.what.cells; ++c) {
    if ((s.left[number] >> c & 1) == 0) continue;
    const std::size_t cell = op.first + c;
    state after = s;
    after.left[number] &= static_cast<std::uint8_t>(~(1u << c));
    if (after.left[number] == 0) {
      if (blocking) ++after.next[op.thread];
      after.in_flight &= ~(1u << number);
    }
    std::uint8_t& to = after.registers[op.what.reg + c];
    to = seen_by(s, op.thread, cell, number);
    found(after);
    if (op.what.cells == 1 && op.what.what != verb::plain) continue;
    const auto find = [&](std::size_t other) {
      if (operations_[other].thread == op.thread || !changes(s, other, cell)) return;
      if ((s.left[other] & read_bit) != 0) return;
      to = value_of(s, other, cell);
      found(after);
    };
    for (std::size_t other = 0; other < operations_.size(); ++other) {
      if ((s.in_flight >> other & 1) != 0) find(other);
    }
    for (const queue& q : s.queues) {
      for (const std::uint8_t other : q) {
        if (other != none) find(other);
      }
    }
  }
}

/// Axiom 5: the first change of a thread's queue takes place, in whole or in part.
void explorer::drain(const state& s, std::size_t thread) {
  const queue& q = s.queues[thread];
  const std::size_t depth = how_.mistake == defect::puts_out_of_order ? q.size() : 1;
  for (std::size_t i = 0; i < depth && q[i] != none; ++i) {
    for (const std::uint8_t bit : ready_bits(s, q[i])) {
      write_early(s, q[i], bit);
      state after = s;
      if (!commit(after, q[i], bit)) continue;
      if (after.left[q[i]] == 0) {
        queue& rest = after.queues[thread];
        std::copy(rest.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.end(),
                  rest.begin() + static_cast<std::ptrdiff_t>(i));
        rest.back() = none;
      }
      found(after);
    }
  }
}

/// Axiom 8: a part of a non-blocking operation may take place at any moment.
void explorer::take_place(const state& s, std::size_t number) {
  const operation& op = operations_[number];
  if (!writes(op.what.what) && op.what.what != verb::send) return read_cells(s, number, false);
  const bool unread = (s.left[number] & read_bit) != 0;
  if (how_.late_changes && op.what.what != verb::send) {
    // Or it is queued like a blocking operation: on coherent memory it is one (axiom 6).
    if (is_update(op.what.what)) {
      if (unread) start_update(s, op.thread, number);
    } else {
      state after = s;
      after.in_flight &= ~(1u << number);
      enqueue(after, op.thread, number);
      found(after);
    }
  }
  state after = s;
  if (unread) {
    // It sees the changes that were complete before it.
    if (newest_own(s, op.thread, op.first, number) != none) return;
    if (s.reserved[op.first] != none) return;
    after.registers[op.what.reg] = s.memory[op.first];
    after.left[number] &= static_cast<std::uint8_t>(~read_bit);
    if (how_.mistake != defect::updates_lose) {
      after.reserved[op.first] = static_cast<std::uint8_t>(number);
    }
    return found(after);
  }
  for (const std::uint8_t bit : ready_bits(s, number)) {
    write_early(s, number, bit);
    state committed = s;
    if (!commit(committed, number, bit)) continue;
    if (committed.left[number] == 0) committed.in_flight &= ~(1u << number);
    found(committed);
  }
}

/// Axiom 2: others see a cell of a transfer, which will be written again.
void explorer::write_early(const state& s, std::size_t number, std::uint8_t bit) {
  if (!may_come_again(number, bit)) return;
  state after = s;
  const std::size_t cell = cell_of(number, bit);
  after.memory[cell] = value_of(s, number, cell);
  found(after);
}

}  // namespace

std::vector<outcome> allowed(const program& p, const machine& how) {
  return explorer(p, how).run();
}

}  // namespace far::litmus
