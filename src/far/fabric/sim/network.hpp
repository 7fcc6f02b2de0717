#pragma once
// How long things take between ranks: interfaces that take one message after the other, wires,
// atomics that queue at their word. Calls come in the order of virtual time, each at the moment it
// is about, so that queues form as they would.

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
  /// profile::between of this machine, without a division.
  [[nodiscard]] distance between(int from, int to) const noexcept {
    const place& a = place_of(from);
    const place& b = place_of(to);
    if (a.node == b.node) return from == to ? distance::self : distance::node;
    return a.group == b.group ? distance::group : distance::machine;
  }

  /// `bytes` leave `from` at `now`, or when its interface is free: when the last one is there.
  picoseconds arrival(int from, int to, std::uint64_t bytes, picoseconds now);
  /// They are there: when the interface of `to` has taken them in.
  picoseconds taken_in(int from, int to, std::uint64_t bytes, picoseconds now);
  /// An atomic is there: when its turn at the node and at the word comes.
  picoseconds amo_turn(int from, address word, picoseconds now);
  /// A rank touches a word of its node: what the cache line's coming costs it.
  picoseconds line_transfer(int from, address word);

 private:
  struct place {
    int node;
    int group;
  };
  /// When each part of a node is free again.
  struct interface {
    picoseconds out = 0;
    picoseconds in = 0;
    picoseconds amo = 0;
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
  std::unordered_map<std::uint64_t, int> lines_;  // who touched it last
};

}  // namespace far::fabric::sim
