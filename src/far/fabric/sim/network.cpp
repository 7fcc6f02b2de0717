#include "far/fabric/sim/network.hpp"

#include <algorithm>

namespace far::fabric::sim {
namespace {

/// The time of `bytes` on a wire.
picoseconds on_wire(const link_costs& link, std::uint64_t bytes) {
  return link.kilobyte * bytes / 1024;
}

}  // namespace

network::network(const profile& machine, int ranks)
    : machine_(machine), nodes_(node(ranks - 1) + 1) {}

picoseconds network::arrival(int from, int to, std::uint64_t bytes, picoseconds now) {
  const distance apart = machine_.between(from, to);
  const link_costs& link = machine_.link(apart);
  const picoseconds wire = on_wire(link, bytes);
  if (apart <= distance::node) return now + link.latency + wire;
  picoseconds& free = nodes_[node(from)].out;
  const picoseconds begin = std::max(now, free);
  free = begin + std::max(machine_.gap, wire);
  return begin + link.latency + wire;
}

picoseconds network::taken_in(int from, int to, std::uint64_t bytes, picoseconds now) {
  const distance apart = machine_.between(from, to);
  if (apart <= distance::node) return now;
  // The last byte has arrived; the interface was busy with these for as long as they took.
  const picoseconds busy = std::max(machine_.gap, on_wire(machine_.link(apart), bytes));
  picoseconds& free = nodes_[node(to)].in;
  const picoseconds begin = std::max(now > busy ? now - busy : 0, free);
  free = begin + busy;
  return std::max(now, free);
}

picoseconds network::amo_turn(int from, address word, picoseconds now) {
  picoseconds begin = now;
  if (machine_.between(from, word.rank()) > distance::node) {
    picoseconds& free = nodes_[node(word.rank())].amo;
    begin = std::max(begin, free);
    free = begin + machine_.amo_gap;
  }
  if (machine_.same_word_gap == 0) return begin;
  if (words_.size() > most_words_) forget_before(now);
  picoseconds& free = words_[word.bits()];
  begin = std::max(begin, free);
  free = begin + machine_.same_word_gap;
  return begin;
}

void network::forget_before(picoseconds now) {
  std::erase_if(words_, [now](const auto& entry) { return entry.second <= now; });
  most_words_ = std::max<std::size_t>(4096, 2 * words_.size());
}

}  // namespace far::fabric::sim
