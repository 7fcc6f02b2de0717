#pragma once
// One member's state of a team: the members, the addresses of their blocks, and the counts of each
// protocol.
//
// Threads: one at a time; a second thread in a collective of the same team is an error. Handlers
// only read block(), which never changes.
// Invariants: every member calls the same collectives in the same order, so all members agree on
// every count kept here without communication.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "far/base/unwinding.hpp"
#include "far/fabric/context.hpp"
#include "far/team/block.hpp"
#include "far/team/call_trail.hpp"
#include "far/team/member_blocks.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// The members that share this member's machine. Their leader is the one with the lowest rank.
struct team_node {
  std::vector<int> members;  ///< ranks in the team, ascending
  int index = 0;             ///< this member's index in `members`
  std::vector<int> leaders;  ///< of all nodes, ascending
  int leader_index = 0;      ///< this node's index in `leaders`

  [[nodiscard]] int leader() const noexcept { return members.front(); }
  [[nodiscard]] bool is_leader() const noexcept { return index == 0; }
  [[nodiscard]] bool is_whole_team() const noexcept { return leaders.size() == 1; }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(members.size()); }
};

/// The addresses of the blocks that this member knows. It is sparse, because a member of a large
/// team communicates with few others.
class known_blocks {
 public:
  explicit known_blocks(int members)
      : parts_(static_cast<std::size_t>(members + together - 1) / together) {}

  /// Null if unknown.
  [[nodiscard]] fabric::address of(int member) const noexcept {
    const std::unique_ptr<part>& in = parts_[static_cast<std::size_t>(member / together)];
    return in == nullptr ? fabric::address() : (*in)[static_cast<std::size_t>(member % together)];
  }
  void set(int member, fabric::address block) {
    std::unique_ptr<part>& in = parts_[static_cast<std::size_t>(member / together)];
    if (in == nullptr) in = std::make_unique<part>();
    (*in)[static_cast<std::size_t>(member % together)] = block;
  }

 private:
  static constexpr int together = 64;
  using part = std::array<fabric::address, together>;
  std::vector<std::unique_ptr<part>> parts_;
};

class team_state {
 public:
  /// How members learn the addresses of each other's blocks: by asking, when they need one
  /// (world, members), or when the team is made (split).
  enum class kind : std::uint8_t { world, split, members };

  /// `members`: the members' ranks in the job, empty for the world; `rank`: this member's number.
  /// Allocates the block. Errors: out_of_memory.
  team_state(rank_state& state, kind what, std::vector<int> members, int rank);
  /// Never waits: the block is freed later, when no member can write to it any more
  /// (retired_blocks.hpp).
  ~team_state();
  team_state(const team_state&) = delete;
  team_state& operator=(const team_state&) = delete;

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] kind what() const noexcept { return kind_; }
  [[nodiscard]] int world_rank(int member) const noexcept {
    return kind_ == kind::world ? member : members_[static_cast<std::size_t>(member)];
  }
  /// -1 if that rank of the job is not a member. Cost: O(size).
  [[nodiscard]] int member_of(int world_rank) const noexcept;
  [[nodiscard]] const team_node& node() const noexcept { return node_; }
  [[nodiscard]] const block_layout& layout() const noexcept { return layout_; }

  /// This member's block; null in a team of one.
  [[nodiscard]] fabric::address block() const noexcept { return block_; }
  /// A member's block. Where members ask, the first use of each member's queries that rank.
  [[nodiscard]] fabric::address block_of(fabric::context& context, int member);
  /// The same without waiting for a member that has not made the team: null, also if it has left.
  [[nodiscard]] fabric::address block_if_made(fabric::context& context, int member);
  [[nodiscard]] bool knows_block_of(int member) const noexcept {
    return static_cast<bool>(blocks_.of(member));
  }
  void set_block_of(int member, fabric::address block) { blocks_.set(member, block); }

  /// Of a team made by its members: lets them find this member's block.
  void publish(fabric::context& context, const member_key& key);

  /// The words of this member's block to which other members may still add, with the values that
  /// they will have once no add is in flight.
  [[nodiscard]] std::vector<std::pair<fabric::address, std::uint64_t>> final_words() const;

  // The protocols' counts. Each belongs to the file of its name.

  call_trail trail;
  std::uint64_t rendezvous_count = 0;
  std::uint64_t rendezvous_sum = 0;  // of what this member has added to the counter
  struct ring_counts {
    std::uint64_t chunks = 0;
    std::uint64_t units = 0;  // of the receiver's ring, with those that were skipped
    std::uint64_t told = 0;   // of these, how many the receiver has told the sender it has taken
  };
  struct link_counts {
    ring_counts sent;
    ring_counts received;
  };
  std::vector<link_counts> links;
  std::uint64_t exchanges = 0;
  std::vector<std::uint64_t> grants_used;  // [member], empty before the first exchange; with codes
  bool knows_all_blocks = false;
  std::uint64_t matched_calls = 0;

  /// Notes the next call of this member.
  void note_call(unsigned collective, int root, std::uint64_t element_bytes,
                 std::uint64_t elements) noexcept {
    trail.add(notes_, collective, root, element_bytes, elements);
  }

  /// Scratch memory of at least `bytes`, aligned for any element. Valid until the next call.
  [[nodiscard]] std::byte* scratch(std::size_t bytes);

  /// Guard in every collective. After an exception leaves the collective, the team is unusable.
  class use {
   public:
    /// Errors: bad_argument when another thread, or the caller itself, is inside.
    use(team_state& team, const char* what);
    ~use();
    use(const use&) = delete;
    use& operator=(const use&) = delete;

   private:
    team_state* team_;
    base::unwind_watch watch_;
  };

 private:
  void find_node(const fabric::fabric& fabric);

  std::optional<rank_holder> outlived_;  // of a split, whose handles may outlive the job
  rank_state* state_;
  kind kind_;
  std::vector<int> members_;
  int size_;
  int rank_;
  team_node node_;
  block_layout layout_;
  fabric::address block_;
  member_key key_;              // of a team made by its members
  std::byte* notes_ = nullptr;  // in the block
  known_blocks blocks_;
  std::vector<cache_line> scratch_;
  std::atomic<bool> in_use_{false};
  bool broken_ = false;
};

/// Requests the address of the world team's block from `world_rank`.
[[nodiscard]] fabric::address find_world_block(fabric::context& context, int world_rank);

/// The world team of this rank.
[[nodiscard]] team_state& world_team_state(rank_state& state);

}  // namespace far::detail
