#pragma once
// How a thread waits between its tries for a lock that cannot tell it when it is free.

#include <cstdint>

#include "far/base/random.hpp"
#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far {

/// How long a thread waits between two tries for a spin_lock or an mpi_rw_lock.
enum class back_off : std::uint8_t {
  none,  ///< for a look at what has arrived: the next try follows at once, as published
  best   ///< for random times that grow up to four round trips for each rank of the job
};

namespace sync {

/// What a thread keeps from one wait for a lock to the next.
struct retry_memory {
  base::random random{0};
  std::uint64_t round_trip_ns = fabric::never;  ///< of the quickest try so far
  std::uint64_t longest_ns = 0;                 ///< that its last pause could have taken
};

/// The tries of one wait.
///
/// With back_off::best a pause takes a random time up to a bound. The bound doubles with each try
/// that fails, and a wait starts with half of what the last one ended with. It starts from the time
/// of the thread's quickest try, which is a round trip, and ends at four of them for each rank: a
/// lock changes hands by about as many (a look, the exchange, the release), so that, were all ranks
/// to wait, one would look each time that it may be free. Then neither does the word stand in a
/// queue of tries nor the lock free for long. Random, so that ranks that have failed together do
/// not come back together.
class retries {
 public:
  /// `word`: what is tried for.
  retries(const world& view, ptr<std::uint64_t> word, back_off how, retry_memory& memory,
          fabric::deadline_ns deadline) noexcept;

  /// After a try that has failed: makes progress, and returns when the next one is due. False: the
  /// deadline has passed.
  /// Errors: rank_failed.
  [[nodiscard]] bool wait();

 private:
  void pause(std::uint64_t longest_ns);

  const world& view_;
  ptr<std::uint64_t> word_;
  back_off how_;
  retry_memory& memory_;
  fabric::deadline_ns deadline_;
  std::uint64_t tried_ns_ = fabric::never;  // when the try began that is to be timed
};

}  // namespace sync
}  // namespace far
