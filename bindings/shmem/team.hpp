#pragma once
// Teams, as the interface has them: handles are pointers to these, or small numbers for those that
// are there from the start.

#include <cstdint>
#include <vector>

#include <far/team/members.hpp>

#include "far_shmem/constants.h"

struct far_shmem_team {
  far::team members;
  std::vector<int> pes;  ///< the members' numbers in the job; empty: all of them, in order
  int rank = 0;
  int size = 0;
  shmem_team_config_t config{0};

  /// The number in the job of a member. Not checked.
  [[nodiscard]] int world_pe(int member) const noexcept {
    return pes.empty() ? member : pes[static_cast<std::size_t>(member)];
  }
  /// The number here of a PE of the job; -1: it is no member.
  [[nodiscard]] int member_of(int world_pe) const noexcept;
};

namespace far::shmem {

/// The team of a handle. Errors: bad_argument for SHMEM_TEAM_INVALID and for what is no team.
[[nodiscard]] far_shmem_team& team_of(shmem_team_t handle);

/// Fills in what the record says of its members. `pes`: of the job.
void describe(far_shmem_team& team, int pes);

/// Keeps the record of a team whose members have made it.
[[nodiscard]] shmem_team_t adopt(far::team made);

/// The team of PEs start, start + 2^log_stride, ..., `size` of them; its members make it at its
/// first use. Errors: bad_argument for an active set that does not fit into the job, or that this
/// PE is not in.
[[nodiscard]] far_shmem_team& active_set(int start, int log_stride, int size);

/// The number in the job of PE `member` of the team of a context. Errors: bad_argument.
[[nodiscard]] int checked_world_pe(const far_shmem_team& team, int member);

}  // namespace far::shmem
