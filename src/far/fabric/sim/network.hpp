#pragma once
// How long things take between ranks: interfaces that take one message after the other, wires,
// atomics that queue at their word. Calls come in the order of virtual time, each at the moment it
// is about, so that queues form as they would.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "far/fabric/address.hpp"
#include "far/fabric/sim/profile.hpp"

namespace far::fabric::sim {

class network {
 public:
  network(const profile& machine, int ranks);

  [[nodiscard]] const profile& machine() const noexcept { return machine_; }

  /// `bytes` leave `from` at `now`, or when its interface is free: when the last one is there.
  picoseconds arrival(int from, int to, std::uint64_t bytes, picoseconds now);
  /// They are there: when the interface of `to` has taken them in.
  picoseconds taken_in(int from, int to, std::uint64_t bytes, picoseconds now);
  /// An atomic is there: when its turn at the node and at the word comes.
  picoseconds amo_turn(int from, address word, picoseconds now);

 private:
  [[nodiscard]] std::size_t node(int rank) const noexcept {
    return static_cast<std::size_t>(rank / machine_.ranks_per_node);
  }
  void forget_before(picoseconds now);

  /// When each part of a node is free again.
  struct interface {
    picoseconds out = 0;
    picoseconds in = 0;
    picoseconds amo = 0;
  };

  profile machine_;
  std::vector<interface> nodes_;
  std::unordered_map<std::uint64_t, picoseconds> words_;  // free again; never iterated for order
  std::size_t most_words_ = 4096;                         // before those in the past are dropped
};

}  // namespace far::fabric::sim
