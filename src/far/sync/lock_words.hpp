#pragma once
// The part that locks of a few words share: where the words are, and the state of each thread.

#include <cstdint>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/sync/back_off.hpp"
#include "far/sync/lock_use.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// One thread's state in a lock whose waiters poll.
struct retrying_use : lock_use {
  retry_memory memory;
};

/// The words of a lock, the same number on each rank.
class lock_words {
 public:
  /// Collective. `lock`: the name of its class, for messages. `home`: the same on all ranks.
  /// Errors: bad_argument for an invalid home, and if ranks make different objects; out_of_memory;
  ///   rank_failed.
  lock_words(const world& view, const char* lock, int home, std::uint64_t words);
  /// Collective, unless an exception is in flight.
  ~lock_words();
  lock_words(const lock_words&) = delete;
  lock_words& operator=(const lock_words&) = delete;

  [[nodiscard]] ptr<std::uint64_t> words_at(int rank) const noexcept { return own_.on(rank); }
  /// That of the view's thread.
  [[nodiscard]] retrying_use& use_of(const world& view) {
    return uses_.at(static_cast<std::size_t>(view.context().index()));
  }
  /// In debug builds, ends the program if this rank has the lock and no exception is in flight.
  void check_unused() const;

 private:
  world view_;
  const char* lock_;
  ptr<std::uint64_t> own_;          // symmetric
  std::vector<retrying_use> uses_;  // by context
  collective_scope scope_;
};

}  // namespace far::sync
