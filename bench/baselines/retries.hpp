#pragma once
// What locks whose waiters poll share: their words, and how a rank waits between tries.

#include <algorithm>
#include <cstdint>

#include "far/base/random.hpp"
#include "far/far.hpp"
#include "far/team/collective_scope.hpp"

namespace far::bench {

/// Words of a lock on each rank.
class polled_words {
 public:
  /// Collective.
  polled_words(const world& world, std::uint64_t words)
      : world_(world), own_(allocate<std::uint64_t>(world, words)) {
    barrier(world);
  }
  /// Collective, unless an exception is in flight.
  ~polled_words() {
    if (!scope_.is_unwinding()) far::flush(world_);  // unlocks that did not wait for their effect
    scope_.leave(world_);
    deallocate(world_, own_);
  }
  polled_words(const polled_words&) = delete;
  polled_words& operator=(const polled_words&) = delete;

  [[nodiscard]] ptr<std::uint64_t> at(int rank) const noexcept { return own_.on(rank); }

 private:
  world world_;
  ptr<std::uint64_t> own_;  // symmetric
  collective_scope scope_;
};

/// How long a rank waits between two tries.
enum class back_off : std::uint8_t {
  none,  ///< no wait: it makes progress once and retries, as published
  best   ///< random times that grow up to four round trips per rank of the job
};

/// The tries of a rank for one lock.
///
/// With back_off::best a pause takes a random time up to a bound. The bound doubles with each
/// failed try, and a wait starts with half of the bound at which the last wait ended. The bound is
/// at least the time of the rank's fastest try, which is a round trip, and at most four round
/// trips per rank. A lock changes hands in about four round trips (a look, the exchange, the
/// release), so even if all ranks wait, about one of them looks each time the lock may be free. So
/// tries do not queue up at the word, and the lock is not free for long. The time is random so that
/// ranks that failed together do not retry together.
class retries {
 public:
  retries(const world& world, back_off how)
      : world_(world), how_(how), random_(base::mix(static_cast<unsigned>(world.rank()))) {}

  [[nodiscard]] back_off how() const noexcept { return how_; }
  /// Call after the first failed try of a wait.
  void begin() noexcept {
    longest_ns_ /= 2;
    tried_ns_ = fabric::never;
  }
  /// Call after a failed try. Makes progress, and returns when the next try is due.
  /// Errors: rank_failed.
  void wait(ptr<std::uint64_t> word) {
    if (how_ == back_off::none) {
      fabric::backoff first;  // only lets others run
      world_.context().pause(first);
      return;
    }
    if (tried_ns_ != fabric::never) {
      constexpr std::uint64_t trips_per_rank = 4;
      constexpr std::uint64_t shortest_ns = 50;
      round_trip_ns_ = std::min(round_trip_ns_, std::max(shortest_ns, world_.now() - tried_ns_));
      const auto ranks = static_cast<unsigned>(world_.size());
      longest_ns_ =
          std::clamp(2 * longest_ns_, round_trip_ns_, round_trip_ns_ * trips_per_rank * ranks);
      pause(word);
    }
    tried_ns_ = world_.now();
  }

 private:
  void pause(ptr<std::uint64_t> word) {
    fabric::context& context = world_.context();
    const std::uint64_t end_ns = world_.now() + 1 + random_.below(longest_ns_);
    if (world_.fabric().coherent()) {  // in shared memory a wait would first spin for longer
      fabric::backoff patience;
      do context.pause(patience);
      while (world_.now() < end_ns);
    } else {
      context.wait([] { return false; }, end_ns, {"lock", word.rank(), word.address()});
    }
  }

  world world_;
  back_off how_;
  base::random random_;
  std::uint64_t round_trip_ns_ = fabric::never;  // of the fastest try so far
  std::uint64_t longest_ns_ = 0;                 // bound of the last pause
  std::uint64_t tried_ns_ = fabric::never;       // start of the try that is being timed
};

}  // namespace far::bench
