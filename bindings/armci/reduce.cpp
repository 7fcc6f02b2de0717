// Reductions over ranks, by MPI.

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "armci.h"
#include "armci/groups.hpp"
#include "armci/mpi_ranks.hpp"
#include "armci/runtime.hpp"
#include "far/base/error.hpp"

using namespace far::armci;

namespace {

MPI_Datatype type_of(int type) {
  switch (type) {
    case ARMCI_INT:
      return MPI_INT;
    case ARMCI_LONG:
      return MPI_LONG;
    case ARMCI_LONG_LONG:
      return MPI_LONG_LONG;
    case ARMCI_FLOAT:
      return MPI_FLOAT;
    case ARMCI_DOUBLE:
      return MPI_DOUBLE;
    default:
      throw far::bad_argument(fmt::format("there is no type {}: it is one of armci_type_e", type));
  }
}

/// The operations of MPI, and whether the absolute values are compared.
struct reduction {
  MPI_Op op;
  bool is_absolute;
};

reduction reduction_of(std::string_view op) {
  if (op.starts_with("+")) return {MPI_SUM, false};
  if (op.starts_with("*")) return {MPI_PROD, false};
  if (op.starts_with("max")) return {MPI_MAX, false};
  if (op.starts_with("min")) return {MPI_MIN, false};
  if (op.starts_with("absmax")) return {MPI_MAX, true};
  if (op.starts_with("absmin")) return {MPI_MIN, true};
  if (op.starts_with("&&")) return {MPI_LAND, false};
  if (op.starts_with("||")) return {MPI_LOR, false};
  if (op.starts_with("&")) return {MPI_BAND, false};
  if (op.starts_with("|") || op.starts_with("or")) return {MPI_BOR, false};
  throw far::bad_argument(fmt::format(
      "there is no operation '{}': use +, *, max, min, absmax, absmin, &&, ||, & or |", op));
}

template <class T>
void make_absolute(void* x, int n) {
  T* const values = static_cast<T*>(x);
  std::transform(values, values + n, values, [](T value) { return value < 0 ? -value : value; });
}

void make_absolute(void* x, int n, int type) {
  switch (type) {
    case ARMCI_INT:
      return make_absolute<int>(x, n);
    case ARMCI_LONG:
      return make_absolute<long>(x, n);
    case ARMCI_LONG_LONG:
      return make_absolute<long long>(x, n);
    case ARMCI_FLOAT:
      return make_absolute<float>(x, n);
    default:
      return make_absolute<double>(x, n);
  }
}

void reduce(int scope, void* x, int n, const char* op, int type, MPI_Comm comm) {
  const reduction how = reduction_of(op);
  const MPI_Datatype of = type_of(type);
  if (how.is_absolute) make_absolute(x, n, type);
  const out_of_turn meanwhile;
  if (scope != SCOPE_NODE) MPI_Allreduce(MPI_IN_PLACE, x, n, of, how.op, comm);
}

void reduce_at_all(const char* call, int scope, void* x, int n, const char* op, int type) {
  guarded(call, [&] { reduce(scope, x, n, op, type, mpi_ranks::now().comm); });
}

void reduce_in(const char* call, void* x, int n, const char* op, int type,
               const ARMCI_Group* group) {
  guarded(call, [&] { reduce(SCOPE_ALL, x, n, op, type, comm_of(group)); });
}

}  // namespace

extern "C" {

void armci_msg_gop_scope(int scope, void* x, int n, char* op, int type) {
  reduce_at_all("armci_msg_gop_scope", scope, x, n, op, type);
}
void armci_msg_igop(int* x, int n, char* op) {
  reduce_at_all("armci_msg_igop", SCOPE_ALL, x, n, op, ARMCI_INT);
}
void armci_msg_lgop(long* x, int n, char* op) {
  reduce_at_all("armci_msg_lgop", SCOPE_ALL, x, n, op, ARMCI_LONG);
}
void armci_msg_llgop(long long* x, int n, char* op) {
  reduce_at_all("armci_msg_llgop", SCOPE_ALL, x, n, op, ARMCI_LONG_LONG);
}
void armci_msg_fgop(float* x, int n, char* op) {
  reduce_at_all("armci_msg_fgop", SCOPE_ALL, x, n, op, ARMCI_FLOAT);
}
void armci_msg_dgop(double* x, int n, char* op) {
  reduce_at_all("armci_msg_dgop", SCOPE_ALL, x, n, op, ARMCI_DOUBLE);
}

void armci_msg_group_gop_scope(int scope, void* x, int n, char* op, int type, ARMCI_Group* group) {
  guarded("armci_msg_group_gop_scope", [&] { reduce(scope, x, n, op, type, comm_of(group)); });
}
void armci_msg_group_igop(int* x, int n, char* op, ARMCI_Group* group) {
  reduce_in("armci_msg_group_igop", x, n, op, ARMCI_INT, group);
}
void armci_msg_group_lgop(long* x, int n, char* op, ARMCI_Group* group) {
  reduce_in("armci_msg_group_lgop", x, n, op, ARMCI_LONG, group);
}
void armci_msg_group_llgop(long long* x, int n, char* op, ARMCI_Group* group) {
  reduce_in("armci_msg_group_llgop", x, n, op, ARMCI_LONG_LONG, group);
}
void armci_msg_group_fgop(float* x, int n, char* op, ARMCI_Group* group) {
  reduce_in("armci_msg_group_fgop", x, n, op, ARMCI_FLOAT, group);
}
void armci_msg_group_dgop(double* x, int n, char* op, ARMCI_Group* group) {
  reduce_in("armci_msg_group_dgop", x, n, op, ARMCI_DOUBLE, group);
}

void armci_msg_reduce(void* x, int n, char* op, int type) {
  armci_msg_reduce_scope(SCOPE_ALL, x, n, op, type);
}

void armci_msg_reduce_scope(int scope, void* x, int n, char* op, int type) {
  guarded("armci_msg_reduce_scope", [&] {
    const MPI_Datatype of = type_of(type);
    int size = 0;
    MPI_Type_size(of, &size);
    const auto bytes = static_cast<std::size_t>(n) * static_cast<std::size_t>(size);
    std::vector<double> own((bytes + sizeof(double) - 1) / sizeof(double));
    std::memcpy(own.data(), x, bytes);
    const reduction how = reduction_of(op);
    if (how.is_absolute) make_absolute(own.data(), n, type);
    const MPI_Comm comm = scope == SCOPE_NODE ? MPI_COMM_SELF : mpi_ranks::now().comm;
    const out_of_turn meanwhile;
    MPI_Reduce(own.data(), x, n, of, how.op, 0, comm);
  });
}

}  // extern "C"
