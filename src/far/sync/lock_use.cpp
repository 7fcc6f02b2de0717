#include "far/sync/lock_use.hpp"

#include <fmt/format.h>

namespace far::sync {

void lock_use::refuse_entry(const char* lock, int rank) const {
  throw bad_argument(
      fmt::format("{}: rank {} locks it while it {} it, and would wait for itself: unlock it first",
                  lock, rank, holds ? "holds" : "shares"));
}

void lock_use::refuse_leave(const char* lock, int rank) {
  throw bad_argument(fmt::format("{}: rank {} unlocks it but does not hold it", lock, rank));
}

void lock_use::refuse_view(const char* lock, int rank) {
  throw bad_argument(
      fmt::format("{}: rank {} unlocks it by another view than it locked it by: use the same view",
                  lock, rank));
}

}  // namespace far::sync
