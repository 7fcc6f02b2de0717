// Teams.

#include "far_shmem/teams.h"

#include <algorithm>

#include <far/base/error.hpp>
#include <far/rma/rma.hpp>
#include <fmt/format.h>

#include "shmem/collective.hpp"
#include "shmem/function.hpp"
#include "shmem/runtime.hpp"
#include "shmem/team.hpp"

int far_shmem_team::member_of(int world_pe) const noexcept {
  if (pes.empty()) return world_pe < size ? world_pe : -1;
  const auto found = std::ranges::find(pes, world_pe);
  return found == pes.end() ? -1 : static_cast<int>(found - pes.begin());
}

namespace far::shmem {

far_shmem_team& team_of(shmem_team_t handle) {
  runtime& self = runtime::get();
  if (handle == SHMEM_TEAM_WORLD) return self.team_world;
  if (handle == SHMEM_TEAM_SHARED) return self.team_shared;
  if (handle == SHMEM_TEAM_INVALID) {
    throw bad_argument("the team is SHMEM_TEAM_INVALID: is this PE a member of it?");
  }
  const std::scoped_lock lock(self.mutex);
  if (!self.teams.contains(handle)) {
    throw bad_argument("the team is none that a split has made, or it was destroyed");
  }
  return *handle;
}

int checked_world_pe(const far_shmem_team& team, int member) {
  if (member < 0 || member >= team.size) {
    throw bad_argument(
        fmt::format("there is no PE {} in the team: its PEs are 0 to {}", member, team.size - 1));
  }
  return team.world_pe(member);
}

void describe(far_shmem_team& team, int pes) {
  team.rank = team.members.rank();
  team.size = team.members.size();
  team.pes.clear();
  bool is_world = team.size == pes;
  for (int i = 0; i < team.size; ++i) {
    team.pes.push_back(team.members.world_rank(i));
    is_world &= team.pes.back() == i;
  }
  if (is_world) team.pes.clear();
}

shmem_team_t adopt(far::team made) {
  if (!made) return SHMEM_TEAM_INVALID;
  auto record = std::make_unique<far_shmem_team>();
  record->members = std::move(made);
  runtime& self = runtime::get();
  describe(*record, self.pes());
  const std::scoped_lock lock(self.mutex);
  shmem_team_t const handle = record.get();
  self.teams.emplace(handle, std::move(record));
  return handle;
}

namespace {

/// Collective over the parent: members with the same color, from 0, form teams, ordered by key.
shmem_team_t split(far_shmem_team& parent, int color, int key, const shmem_team_config_t* config,
                   long mask) {
  far::team made;
  collectively(
      parent, [&](const world& world, const far::team& of) { made = of.split(world, color, key); });
  shmem_team_t const handle = adopt(std::move(made));
  if (handle != SHMEM_TEAM_INVALID && config != nullptr && (mask & SHMEM_TEAM_NUM_CONTEXTS) != 0) {
    handle->config = *config;
  }
  return handle;
}

bool fits(const far_shmem_team& parent, int start, int stride, int size) {
  if (size < 1 || start < 0 || start >= parent.size || (stride == 0 && size > 1)) return false;
  const std::int64_t last = start + static_cast<std::int64_t>(stride) * (size - 1);
  return last >= 0 && last < parent.size;
}

/// Where a PE of the parent is in the new team; -1: it is not.
int place_in(int pe, int start, int stride, int size) {
  if (stride == 0) return pe == start ? 0 : -1;
  const int distance = pe - start;
  if (distance % stride != 0) return -1;
  const int place = distance / stride;
  return place >= 0 && place < size ? place : -1;
}

}  // namespace
}  // namespace far::shmem

using namespace far::shmem;

FAR_SHMEM_FUNCTION(int, team_my_pe, (shmem_team_t team)) {
  return guarded("shmem_team_my_pe",
                 [&] { return team == SHMEM_TEAM_INVALID ? -1 : team_of(team).rank; });
}

FAR_SHMEM_FUNCTION(int, team_n_pes, (shmem_team_t team)) {
  return guarded("shmem_team_n_pes",
                 [&] { return team == SHMEM_TEAM_INVALID ? -1 : team_of(team).size; });
}

FAR_SHMEM_FUNCTION(int, team_translate_pe,
                   (shmem_team_t src_team, int src_pe, shmem_team_t dest_team)) {
  return guarded("shmem_team_translate_pe", [&] {
    if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
    const far_shmem_team& from = team_of(src_team);
    if (src_pe < 0 || src_pe >= from.size) return -1;
    return team_of(dest_team).member_of(from.world_pe(src_pe));
  });
}

FAR_SHMEM_FUNCTION(int, team_get_config,
                   (shmem_team_t team, long config_mask, shmem_team_config_t* config)) {
  return guarded("shmem_team_get_config", [&] {
    if (team == SHMEM_TEAM_INVALID) return -1;
    const far_shmem_team& of = team_of(team);
    if (config_mask == 0) return 0;
    if (config == nullptr || (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) != 0) return -1;
    *config = of.config;
    return 0;
  });
}

FAR_SHMEM_FUNCTION(int, team_split_strided,
                   (shmem_team_t parent_team, int start, int stride, int size,
                    const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team)) {
  return guarded("shmem_team_split_strided", [&] {
    *new_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID) return -1;
    far_shmem_team& parent = team_of(parent_team);
    if (!fits(parent, start, stride, size)) return -1;
    const int place = place_in(parent.rank, start, stride, size);
    *new_team = split(parent, place < 0 ? far::team::no_color : 0, place, config, config_mask);
    return 0;
  });
}

FAR_SHMEM_FUNCTION(int, team_split_2d,
                   (shmem_team_t parent_team, int xrange, const shmem_team_config_t* xaxis_config,
                    long xaxis_mask, shmem_team_t* xaxis_team,
                    const shmem_team_config_t* yaxis_config, long yaxis_mask,
                    shmem_team_t* yaxis_team)) {
  return guarded("shmem_team_split_2d", [&] {
    *xaxis_team = SHMEM_TEAM_INVALID;
    *yaxis_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID) return -1;
    far_shmem_team& parent = team_of(parent_team);
    if (xrange < 1) return -1;
    const int width = std::min(xrange, parent.size);
    const int x = parent.rank % width;
    const int y = parent.rank / width;
    *xaxis_team = split(parent, y, x, xaxis_config, xaxis_mask);
    *yaxis_team = split(parent, x, y, yaxis_config, yaxis_mask);
    return 0;
  });
}

FAR_SHMEM_FUNCTION(void, team_destroy, (shmem_team_t team)) {
  guarded("shmem_team_destroy", [&] {
    if (team == SHMEM_TEAM_INVALID) return;
    if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) {
      throw far::bad_argument("a predefined team cannot be destroyed");
    }
    far_shmem_team& ending = team_of(team);
    destroy_contexts(&ending);
    sync(ending);  // nobody is in one of its collectives
    runtime& self = runtime::get();
    const std::scoped_lock lock(self.mutex);
    self.teams.erase(team);
  });
}
