#include "test/litmus/rules.hpp"

#include <algorithm>

#include "far/base/check.hpp"

namespace far::litmus {

rules::rules(const program& p, const machine& how) : program_(&p), how_(how) {
  FAR_CHECK(p.cells() <= max_cells && p.threads.size() <= max_threads &&
                p.registers <= static_cast<int>(max_registers),
            "a litmus program is too large");
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    begin_[t] = operations_.size();
    for (const step& s : p.threads[t].steps) {
      operation op{s, t};
      if (s.place != none) {
        op.home = p.places[s.place].home;
        op.first = p.first_cell(s.place);
        op.all = static_cast<std::uint8_t>((1u << s.cells) - 1);
      }
      if (s.what == verb::send) op.all = 1;
      if (s.signal != none) {
        op.signal = p.first_cell(s.signal);
        op.all |= signal_bit;
      }
      if (is_update(s.what) && s.async) op.all |= read_bit;
      const bool word = s.cells == 1 && (s.what == verb::put || s.what == verb::store);
      if (how.mistake == defect::words_tear && word) op.all |= half_bit;
      operations_.push_back(op);
    }
  }
  FAR_CHECK(operations_.size() <= max_steps, "a litmus program is too long");
}

void rules::enqueue(state& s, std::size_t thread, std::size_t op) {
  queue& q = s.queues[thread];
  auto* const place = std::find(q.begin(), q.end(), none);
  FAR_CHECK(place != q.end(), "a litmus thread changes too much");
  *place = static_cast<std::uint8_t>(op);
}

bool rules::changes(const state& s, std::size_t op, std::size_t cell) const {
  const operation& o = operations_[op];
  if (!writes(o.what.what)) return false;
  if ((s.left[op] & signal_bit) != 0 && o.signal == cell) return true;
  return cell >= o.first && cell < o.first + o.what.cells &&
         (s.left[op] >> (cell - o.first) & 1) != 0;
}

std::uint8_t rules::value_of(const state& s, std::size_t op, std::size_t cell) const {
  const operation& o = operations_[op];
  if ((o.all & signal_bit) != 0 && o.signal == cell) return 1;
  if (o.what.what != verb::fetch_add) return o.what.value;
  return static_cast<std::uint8_t>(s.registers[o.what.reg] + o.what.value);
}

std::uint8_t rules::newest_own(const state& s, std::size_t thread, std::size_t cell,
                               std::size_t before) const {
  std::uint8_t result = none;
  for (const std::uint8_t op : s.queues[thread]) {
    if (op != none && op < before && changes(s, op, cell)) result = op;
  }
  return result;
}

std::uint8_t rules::seen_by(const state& s, std::size_t thread, std::size_t cell,
                            std::size_t before) const {
  const std::uint8_t own = newest_own(s, thread, cell, before);
  if (own == none || how_.mistake == defect::own_puts_unseen) return s.memory[cell];
  return value_of(s, own, cell);
}

std::vector<std::uint8_t> rules::ready_bits(const state& s, std::size_t op) const {
  const std::uint8_t left = s.left[op];
  if ((left & half_bit) != 0) return {half_bit};
  std::vector<std::uint8_t> result;
  for (std::uint8_t bit = 1; bit < half_bit; bit = static_cast<std::uint8_t>(bit << 1)) {
    if ((left & bit) != 0) result.push_back(bit);
  }
  const bool early = how_.mistake == defect::signal_before_payload;
  if ((left & signal_bit) != 0 && ((left & cell_bits) == 0 || early)) result.push_back(signal_bit);
  return result;
}

std::size_t rules::cell_of(std::size_t number, std::uint8_t bit) const {
  const operation& op = operations_[number];
  for (std::size_t c = 0; c < op.what.cells; ++c) {
    if (bit == 1u << c) return op.first + c;
  }
  return op.signal;
}

bool rules::commit(state& s, std::size_t number, std::uint8_t bit) const {
  const operation& op = operations_[number];
  s.left[number] &= static_cast<std::uint8_t>(~bit);
  if (op.what.what == verb::send) {
    s.next[op.what.handler] = static_cast<std::uint8_t>(begin_[op.what.handler]);
    return true;
  }
  if (bit == half_bit) {
    s.memory[op.first] = torn;
    return true;
  }
  const std::size_t cell = cell_of(number, bit);
  const bool atomic = in_domain(op.what.what) || bit == signal_bit;
  if (s.reserved[cell] == number) s.reserved[cell] = none;
  if (atomic && s.reserved[cell] != none) return false;
  s.memory[cell] = value_of(s, number, cell);
  if (how_.mistake == defect::updates_lose) return true;
  // An own late update may have read this change: from here on its word is reserved.
  const queue& q = s.queues[op.thread];
  const auto* later = std::find(q.begin(), q.end(), number);
  const auto touches = [&](std::uint8_t other) { return other != none && changes(s, other, cell); };
  if (later != q.end()) later = std::find_if(later + 1, q.end(), touches);
  if (later == q.end() || !is_update(operations_[*later].what.what)) return true;
  if (s.reserved[cell] != none) return false;
  s.reserved[cell] = *later;
  return true;
}

state rules::start() const {
  state s;
  s.reserved.fill(none);
  s.next.fill(idle);
  for (queue& q : s.queues) q.fill(none);
  for (std::size_t t = 0; t < program_->threads.size(); ++t) {
    if (!program_->threads[t].handler) s.next[t] = static_cast<std::uint8_t>(begin_[t]);
  }
  for (std::size_t i = 0; i < operations_.size(); ++i) s.left[i] = operations_[i].all;
  return s;
}

}  // namespace far::litmus
