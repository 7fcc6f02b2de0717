#pragma once
// What every collective does first. Debug builds check here that all members call the same
// collective, with the same operation; the others notice it where they meet (mismatch.hpp).

#include <cstdint>

#include "far/team/team_state.hpp"
#include "far/world/world.hpp"

namespace far::detail {

enum class collective : std::uint8_t {
  barrier,
  broadcast,
  reduce,
  allreduce,
  gather,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  scan,
  split
};

/// A collective's name in the public interface.
[[nodiscard]] const char* name_of(collective what) noexcept;

/// The properties of a call that all members must agree on.
struct call {
  collective what;
  std::uint64_t element_bytes = 0;
  std::uint64_t elements = 0;       ///< 0 if members may differ
  int root = -1;                    ///< -1: none
  const char* operation = nullptr;  ///< name of its type; null: none
};

/// The guard that every collective constructs first and keeps until it returns.
class collective_scope {
 public:
  /// Errors: bad_argument for a root outside the team, and when another thread is inside; in debug
  /// builds, when another member makes a different call; what a destructor of this rank could not
  /// throw (rank_state::keep).
  collective_scope(const world& world, team_state& team, const call& mine);

  /// Whether this is the only member; then there is nothing to send.
  [[nodiscard]] bool is_alone() const noexcept { return alone_; }

 private:
  team_state::use use_;
  bool alone_;
};

/// Throws bad_argument unless length == wanted; `list` describes the list, as in "the result".
void check_length(const char* what, const char* list, std::uint64_t length, std::uint64_t wanted);

}  // namespace far::detail
