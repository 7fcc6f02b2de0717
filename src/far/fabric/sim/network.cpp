#include "far/fabric/sim/network.hpp"

#include <algorithm>
#include <utility>

namespace far::fabric::sim {
namespace {

/// The time of `bytes` on a wire.
picoseconds on_wire(const link_costs& link, std::uint64_t bytes) {
  return link.kilobyte * bytes / 1024;
}

}  // namespace

network::network(const profile& machine, int ranks) : machine_(machine) {
  for (int rank = 0; rank < ranks; ++rank) {
    const int node = rank / machine.ranks_per_node;
    places_.push_back({node, node / machine.nodes_per_group});
  }
  nodes_.resize(static_cast<std::size_t>(places_.back().node) + 1);
}

picoseconds network::arrival(int from, int to, std::uint64_t bytes, picoseconds now) {
  const distance apart = between(from, to);
  const link_costs& link = machine_.link(apart);
  const picoseconds wire = on_wire(link, bytes);
  if (apart <= distance::node) return now + link.latency + wire;
  picoseconds& free = interface_of(from).out;
  const picoseconds begin = std::max(now, free);
  free = begin + std::max(machine_.gap, wire);
  return begin + link.latency + wire;
}

picoseconds network::taken_in(int from, int to, std::uint64_t bytes, picoseconds now) {
  const distance apart = between(from, to);
  if (apart <= distance::node) return now;
  // The last byte has arrived, so the interface has already been busy for the time that the bytes
  // take.
  const picoseconds busy = std::max(machine_.gap, on_wire(machine_.link(apart), bytes));
  picoseconds& free = interface_of(to).in;
  const picoseconds begin = std::max(now > busy ? now - busy : 0, free);
  free = begin + busy;
  return std::max(now, free);
}

picoseconds network::get_turn(int from, int rank, picoseconds now) {
  if (machine_.get_gap == 0 || between(from, rank) <= distance::node) return now;
  picoseconds& free = interface_of(rank).get;
  const picoseconds begin = std::max(now, free);
  free = begin + machine_.get_gap;
  return begin;
}

picoseconds network::amo_turn(int from, address word, picoseconds now) {
  if (between(from, word.rank()) <= distance::node) return now;
  picoseconds& at_interface = interface_of(word.rank()).amo;
  picoseconds begin = std::max(now, at_interface);
  at_interface = begin + machine_.amo_gap;
  if (machine_.same_word_gap == 0) return begin;
  picoseconds& free = words_.free_at(word.bits(), now);
  begin = std::max(begin, free);
  free = begin + machine_.same_word_gap;
  return begin;
}

picoseconds network::line_transfer(int from, address word, bool writes, picoseconds now) {
  constexpr std::uint64_t line_bytes = 64;
  if (machine_.line_transfer == 0) return 0;
  const std::uint64_t number = word.bits() / line_bytes;
  if (machine_.line_gap == 0) {
    const auto found = last_.try_emplace(number, from).first;
    const int last = std::exchange(found->second, from);
    return last == from ? 0 : machine_.line_transfer;
  }
  line& wanted = lines_[number];
  const bool has = std::ranges::find(wanted.at, from) != wanted.at.end();
  const bool alone = wanted.at.empty() || (has && wanted.at.size() == 1);
  if (writes) {
    wanted.at.assign(1, from);
  } else if (!has) {
    wanted.at.push_back(from);
  }
  if (alone || (has && !writes)) return 0;
  const picoseconds begin = std::max(now, wanted.free);
  wanted.free = begin + (writes ? machine_.line_transfer : machine_.line_gap);
  return begin - now + machine_.line_transfer;
}

}  // namespace far::fabric::sim
