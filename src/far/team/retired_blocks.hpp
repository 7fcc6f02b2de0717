#pragma once
// Blocks of teams that are destroyed on this rank but to which other members may still write: a
// late member adds to a word there when it has taken data that this rank sent.

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "far/fabric/context.hpp"
#include "far/team/member_blocks.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// The retired blocks of one rank, attached to its state. Thread-safe.
class retired_blocks {
 public:
  explicit retired_blocks(rank_state& state) : state_(&state) {}

  /// A word, and its value once no write to its block is in flight.
  using final_word = std::pair<fabric::address, std::uint64_t>;

  /// `key`: by which members may still ask for the block, if it is not empty.
  void retire(fabric::address block, std::vector<final_word> words, const member_key& key);
  /// Frees the blocks to which no member writes any more; returns how many are left.
  std::size_t sweep(fabric::context& context);

 private:
  struct retired {
    fabric::address block;
    std::vector<final_word> words;
    member_key key;
  };

  rank_state* state_;
  std::mutex mutex_;  // of blocks_
  std::vector<retired> blocks_;
};

}  // namespace far::detail
