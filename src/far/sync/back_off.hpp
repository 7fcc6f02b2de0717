#pragma once
// How a thread waits between tries for a lock that cannot notify it.

#include <cstdint>

#include "far/base/random.hpp"
#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far {

/// How long a thread waits between two tries for a spin_lock or an mpi_rw_lock.
enum class back_off : std::uint8_t {
  none,  ///< no wait: it makes progress once and retries, as published
  best   ///< random times that grow up to four round trips per rank of the job
};

namespace sync {

/// What a thread keeps between one wait for a lock and the next.
struct retry_memory {
  base::random random{0};
  std::uint64_t round_trip_ns = fabric::never;  ///< of the fastest try so far
  std::uint64_t longest_ns = 0;                 ///< bound of the last pause
};

/// The tries of one wait.
///
/// With back_off::best a pause takes a random time up to a bound. The bound doubles with each
/// failed try, and a wait starts with half of the bound at which the last wait ended. The bound is
/// at least the time of the thread's fastest try, which is a round trip, and at most four round
/// trips per rank. A lock changes hands in about four round trips (a look, the exchange, the
/// release), so even if all ranks wait, about one of them looks each time the lock may be free. So
/// tries do not queue up at the word, and the lock is not free for long. The time is random so that
/// ranks that failed together do not retry together.
class retries {
 public:
  /// `word`: the lock's word.
  retries(const world& view, ptr<std::uint64_t> word, back_off how, retry_memory& memory,
          fabric::deadline_ns deadline) noexcept;

  /// Call after a failed try. Makes progress, and returns when the next try is due, or false when
  /// the deadline has passed.
  /// Errors: rank_failed.
  [[nodiscard]] bool wait();

 private:
  void pause(std::uint64_t longest_ns);

  const world& view_;
  ptr<std::uint64_t> word_;
  back_off how_;
  retry_memory& memory_;
  fabric::deadline_ns deadline_;
  std::uint64_t tried_ns_ = fabric::never;  // start of the try that is being timed
};

}  // namespace sync
}  // namespace far
