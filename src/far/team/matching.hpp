#pragma once
// Do all members call the same collective? Debug builds check.

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

/// A collective's name as its users know it.
[[nodiscard]] const char* name_of(collective what) noexcept;

/// What all members must agree on.
struct call {
  collective what;
  std::uint64_t element_bytes = 0;
  std::uint64_t elements = 0;       ///< 0 where members may differ
  int root = -1;                    ///< -1: there is none
  const char* operation = nullptr;  ///< name of its type; null: there is none
};

/// What each collective begins with, and lasts as long.
class collective_scope {
 public:
  /// Errors: bad_argument for a root outside the team, and when another thread is inside; in debug
  /// builds, when another member calls something else.
  collective_scope(const world& view, team_state& team, const call& mine);

  /// True if this member is alone: then nothing is to be sent.
  [[nodiscard]] bool is_alone() const noexcept { return alone_; }

 private:
  team_state::use use_;
  bool alone_;
};

/// Refuses a list of another length than wanted; `list` says which, "the result".
void check_length(const char* what, const char* list, std::uint64_t length, std::uint64_t wanted);

}  // namespace far::detail
