#pragma once
// How long messages take between ranks: interfaces that handle one message after the other, wires,
// and atomics that queue at their word. Calls must be made in the order of virtual time, each at
// the time that it is about, so that the queues form correctly.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "far/fabric/address.hpp"
#include "far/fabric/sim/busy_words.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::fabric::sim {

class network {
 public:
  network(const profile& machine, int ranks);

  [[nodiscard]] const profile& machine() const noexcept { return machine_; }
  /// The same as profile::between, without a division.
  [[nodiscard]] distance between(int from, int to) const noexcept {
    const place& a = place_of(from);
    const place& b = place_of(to);
    if (a.node == b.node) return from == to ? distance::self : distance::node;
    return a.group == b.group ? distance::group : distance::machine;
  }

  /// When the last of `bytes` bytes arrives, if they leave `from` at `now`, or once its interface
  /// is free.
  picoseconds arrival(int from, int to, std::uint64_t bytes, picoseconds now);
  /// When the interface of `to` has received these bytes, which have arrived at `now`.
  picoseconds taken_in(int from, int to, std::uint64_t bytes, picoseconds now);
  /// When a get that arrives at the node of `rank` at `now` may take place: after others there.
  picoseconds get_turn(int from, int rank, picoseconds now);
  /// When an atomic that arrives at `now` may take place: after others at the node and at the word.
  picoseconds amo_turn(int from, address word, picoseconds now);
  /// What it costs `from`, at `now`, to fetch the cache line of a word of its node. Records the
  /// access.
  picoseconds line_transfer(int from, address word, bool writes, picoseconds now);

 private:
  struct place {
    int node;
    int group;
  };
  /// When each part of a node's interface becomes free.
  struct interface {
    picoseconds out = 0;
    picoseconds in = 0;
    picoseconds amo = 0;
    picoseconds get = 0;
  };

  /// A cache line of a node.
  struct line {
    std::vector<int> at;   // the ranks that have it
    picoseconds free = 0;  // when the next rank may fetch it
  };

  [[nodiscard]] const place& place_of(int rank) const noexcept {
    return places_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] interface& interface_of(int rank) noexcept {
    return nodes_[static_cast<std::size_t>(place_of(rank).node)];
  }

  profile machine_;
  std::vector<place> places_;  // by rank
  std::vector<interface> nodes_;
  busy_words words_;
  std::unordered_map<std::uint64_t, int> last_;    // the rank that touched each line last
  std::unordered_map<std::uint64_t, line> lines_;  // instead, if they queue up
};

}  // namespace far::fabric::sim
