#include "armci/groups.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "armci/runtime.hpp"
#include "far/base/error.hpp"

namespace far::armci {
namespace {

const ARMCI_Group no_group{MPI_COMM_NULL, MPI_COMM_NULL, nullptr, nullptr, -1, 0};
constexpr int creation_tag = 9;

/// The group in whose ranks groups are described; nothing: all ranks.
std::optional<ARMCI_Group>& default_group() {
  static std::optional<ARMCI_Group> group;
  return group;
}

/// The group of a communicator, freed at the end.
class mpi_group {
 public:
  explicit mpi_group(MPI_Comm comm) { MPI_Comm_group(comm, &group_); }
  mpi_group(const mpi_group& of, int size, const int* ranks) {
    MPI_Group_incl(of.group_, size, ranks, &group_);
  }
  ~mpi_group() { MPI_Group_free(&group_); }
  mpi_group(const mpi_group&) = delete;
  mpi_group& operator=(const mpi_group&) = delete;

  [[nodiscard]] MPI_Group get() const noexcept { return group_; }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

/// Of one rank; -1 if it is not in `to`.
int translated(const mpi_group& from, int rank, const mpi_group& to) {
  int result = MPI_UNDEFINED;
  MPI_Group_translate_ranks(from.get(), 1, &rank, to.get(), &result);
  return result == MPI_UNDEFINED ? -1 : result;
}

void check_list(int size, const int* ranks, int parent_size) {
  if (size < 0) throw bad_argument(fmt::format("{} ranks: the number is negative", size));
  std::vector<int> sorted(ranks, ranks + size);
  std::ranges::sort(sorted);
  for (const int rank : sorted) {
    if (rank < 0 || rank >= parent_size) {
      throw bad_argument(fmt::format(
          "there is no rank {} in the parent group: its ranks are 0 to {}", rank, parent_size - 1));
    }
  }
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) throw bad_argument(fmt::format("rank {} is listed twice", *twice));
}

ARMCI_Group create(int size, const int* ranks, const ARMCI_Group& parent) {
  const MPI_Comm parent_comm = comm_of(&parent);
  check_list(size, ranks, parent.size);
  if (std::find(ranks, ranks + size, parent.rank) == ranks + size) return no_group;
  const mpi_group members(mpi_group(parent_comm), size, ranks);
  MPI_Comm comm = MPI_COMM_NULL;
  // Only the members take part, so it does not matter whether others have called too.
  const out_of_turn meanwhile;
  MPI_Comm_create_group(parent_comm, members.get(), creation_tag, &comm);
  return group_of(comm);
}

/// What the program's pointer points to. Errors: bad_argument for null.
template <class Group>
Group& given(Group* group) {
  if (group == nullptr) throw bad_argument("the pointer to the group is null");
  return *group;
}

ARMCI_Group current_default() { return default_group().value_or(world_group()); }

}  // namespace

ARMCI_Group group_of(MPI_Comm comm) {
  ARMCI_Group result = no_group;
  if (comm == MPI_COMM_NULL) return result;
  result.comm = comm;
  MPI_Comm_rank(comm, &result.rank);
  MPI_Comm_size(comm, &result.size);
  return result;
}

ARMCI_Group world_group() { return group_of(runtime::get().comm()); }

int rank_in(MPI_Comm comm, int world_rank) {
  if (comm == runtime::get().comm()) return world_rank;
  const int result = translated(mpi_group(runtime::get().comm()), world_rank, mpi_group(comm));
  if (result < 0) throw bad_argument(fmt::format("rank {} is not in the group", world_rank));
  return result;
}

MPI_Comm comm_of(const ARMCI_Group* group) {
  const MPI_Comm comm = given(group).comm;
  if (comm == MPI_COMM_NULL) throw bad_argument("this rank is not in the group");
  return comm;
}

}  // namespace far::armci

using namespace far::armci;

extern "C" {

void ARMCI_Group_create(int grp_size, int* pid_list, ARMCI_Group* group_out) {
  guarded("ARMCI_Group_create",
          [&] { given(group_out) = create(grp_size, pid_list, current_default()); });
}

void ARMCI_Group_create_child(int grp_size, int* pid_list, ARMCI_Group* group_out,
                              ARMCI_Group* group_parent) {
  guarded("ARMCI_Group_create_child",
          [&] { given(group_out) = create(grp_size, pid_list, given(group_parent)); });
}

void ARMCI_Group_free(ARMCI_Group* group) {
  guarded("ARMCI_Group_free", [&] {
    const bool is_default = default_group() && default_group()->comm == given(group).comm;
    if (is_default) default_group().reset();
    if (given(group).comm != MPI_COMM_NULL && group->comm != runtime::get().comm()) {
      const out_of_turn meanwhile;
      MPI_Comm_free(&group->comm);
    }
    *group = no_group;
  });
}

int ARMCI_Group_rank(ARMCI_Group* group, int* rank) {
  return guarded("ARMCI_Group_rank", [&] {
    *rank = given(group).rank;
    return *rank < 0 ? 1 : 0;
  });
}

void ARMCI_Group_size(ARMCI_Group* group, int* size) {
  guarded("ARMCI_Group_size", [&] { *size = given(group).size; });
}

void ARMCI_Group_set_default(ARMCI_Group* group) {
  guarded("ARMCI_Group_set_default", [&] { default_group() = given(group); });
}

void ARMCI_Group_get_default(ARMCI_Group* group_out) {
  guarded("ARMCI_Group_get_default", [&] { given(group_out) = current_default(); });
}

void ARMCI_Group_get_world(ARMCI_Group* group_out) {
  guarded("ARMCI_Group_get_world", [&] { given(group_out) = world_group(); });
}

int ARMCI_Absolute_id(ARMCI_Group* group, int group_rank) {
  return guarded("ARMCI_Absolute_id", [&] {
    const MPI_Comm comm = comm_of(group);
    if (group_rank < 0 || group_rank >= group->size) {
      throw far::bad_argument(fmt::format("there is no rank {} in the group: its ranks are 0 to {}",
                                          group_rank, group->size - 1));
    }
    if (comm == runtime::get().comm()) return group_rank;
    return translated(mpi_group(comm), group_rank, mpi_group(runtime::get().comm()));
  });
}

}  // extern "C"
