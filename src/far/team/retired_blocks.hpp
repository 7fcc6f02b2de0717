#pragma once
// Blocks of teams that are gone on this rank, while others may still write to them: a member that
// is late tells by them that it has taken what this one sent.

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "far/fabric/context.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// What a rank attaches to its state. Thread-safe.
class retired_blocks {
 public:
  explicit retired_blocks(rank_state& state) : state_(&state) {}

  /// A word and the value that it has when nothing more is under way to its block.
  using final_word = std::pair<fabric::address, std::uint64_t>;

  void retire(fabric::address block, std::vector<final_word> words);
  /// Frees what nobody writes to any more. How many are left?
  std::size_t sweep(fabric::context& context);

 private:
  struct retired {
    fabric::address block;
    std::vector<final_word> words;
  };

  rank_state* state_;
  std::mutex mutex_;  // of blocks_
  std::vector<retired> blocks_;
};

}  // namespace far::detail
