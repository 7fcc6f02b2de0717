#pragma once
// How the members of a team that was made without a collective find each other's blocks: by a key
// that each computes from the list of members, and a question to the member's rank.
//
// Invariants:
//   1. A block can be found from the time when it is zeroed and ready until it is freed. It is
//   freed
//      when no member will write to it any more (retired_blocks.hpp). A member asks `awaited` only
//      if it will write to the block, or its owner awaits it in a collective. So such a question is
//      answered at last. Others, which only look (mismatch.hpp), are answered at once.
//   2. An awaited question that comes before its team is made waits for that, as a token. Both
//   sides
//      hold mutex_ when they look, so none is missed.
//   3. Members with equal lists have made as many teams of it before, so their keys are equal; keys
//      of different lists, or of an earlier or later team of the list, differ.
//
// Threads: safe.

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "far/fabric/message.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// Names a team among all that its members make: a hash of the list, and which team of that list.
struct member_key {
  std::uint64_t list = 0;
  std::uint64_t list_again = 0;  ///< another hash of the list
  std::uint64_t number = 0;      ///< from 1; 0: the key of no team

  explicit operator bool() const noexcept { return number != 0; }
  friend auto operator<=>(const member_key&, const member_key&) = default;
};

/// The blocks of one rank's teams that are found in this way, attached to its state.
class member_blocks {
 public:
  explicit member_blocks(rank_state&) {}

  /// The key of the next team of these members that this rank makes.
  [[nodiscard]] member_key next_key(std::span<const int> members);
  /// The block is ready: answers those who have asked for it.
  void publish(fabric::context& context, const member_key& key, fabric::address block);
  /// The block is about to be freed.
  void withdraw(const member_key& key);
  /// Replies with the block, now or if the question is awaited when it is published; or null.
  void answer(fabric::message& question, const member_key& key, bool awaited);

 private:
  std::mutex mutex_;                                                       // of all below
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> made_;  // by list: how many
  std::map<member_key, fabric::address> ready_;
  std::multimap<member_key, fabric::reply_token> asked_;
};

/// Asks `world_rank` for its block of a team. `awaited`: waits until it has made the team; else the
/// result is null if it has not yet, or has left it.
[[nodiscard]] fabric::address find_member_block(fabric::context& context, int world_rank,
                                                const member_key& key, bool awaited);

}  // namespace far::detail
