// The rank with the smallest or largest value, and what it says of it.

#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "armci.h"
#include "armci/mpi_ranks.hpp"
#include "armci/runtime.hpp"
#include "far/base/error.hpp"

using namespace far::armci;

namespace {

/// Whether the value at `a` comes before that at `b`.
template <class T>
bool precedes(const std::byte* a, const std::byte* b, bool is_max) {
  T left;
  T right;
  std::memcpy(&left, a, sizeof(T));
  std::memcpy(&right, b, sizeof(T));
  return is_max ? left > right : left < right;
}

bool precedes(const std::byte* a, const std::byte* b, bool is_max, int type) {
  switch (type) {
    case ARMCI_INT:
      return precedes<int>(a, b, is_max);
    case ARMCI_LONG:
      return precedes<long>(a, b, is_max);
    case ARMCI_LONG_LONG:
      return precedes<long long>(a, b, is_max);
    case ARMCI_FLOAT:
      return precedes<float>(a, b, is_max);
    case ARMCI_DOUBLE:
      return precedes<double>(a, b, is_max);
    default:
      throw far::bad_argument(fmt::format("there is no type {}: it is one of armci_type_e", type));
  }
}

bool is_max(std::string_view op) {
  if (op.starts_with("max")) return true;
  if (op.starts_with("min")) return false;
  throw far::bad_argument(fmt::format("there is no selection '{}': use min or max", op));
}

void select(int scope, void* x, int bytes, const char* op, int type, int contribute) {
  const bool max = is_max(op);
  if (bytes < 0) throw far::bad_argument(fmt::format("armci_msg_sel: {} bytes", bytes));
  if (scope == SCOPE_NODE) return;  // the only candidate
  const mpi_ranks ranks = mpi_ranks::now();
  const auto length = static_cast<std::size_t>(bytes);
  // A byte for `contribute` in front. The packets are small: a value and the subscripts of its
  // place.
  std::vector<std::byte> own(length + 1);
  own[0] = std::byte{contribute != 0};
  std::memcpy(own.data() + 1, x, length);
  std::vector<std::byte> all(own.size() * static_cast<std::size_t>(ranks.count));
  const out_of_turn meanwhile;
  MPI_Allgather(own.data(), bytes + 1, MPI_BYTE, all.data(), bytes + 1, MPI_BYTE, ranks.comm);
  const std::byte* best = nullptr;
  for (auto at = all.data(); at != all.data() + all.size(); at += own.size()) {
    if (*at == std::byte{0}) continue;
    // Of equal values the last: a program prints the same place as with ARMCI-MPI.
    if (best == nullptr || !precedes(best, at + 1, max, type)) best = at + 1;
  }
  if (best != nullptr) std::memcpy(x, best, length);
}

}  // namespace

extern "C" {

void armci_msg_sel(void* x, int n, char* op, int type, int contribute) {
  armci_msg_sel_scope(SCOPE_ALL, x, n, op, type, contribute);
}

void armci_msg_sel_scope(int scope, void* x, int n, char* op, int type, int contribute) {
  guarded("armci_msg_sel_scope", [&] { select(scope, x, n, op, type, contribute); });
}

}  // extern "C"
