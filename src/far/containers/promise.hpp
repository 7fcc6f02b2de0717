#pragma once
// What all ranks promise of a container for a phase, and how a broken promise is told.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "far/base/check.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// What all ranks do with it, and nothing else. Changes of a queue are pushes, looks are pops.
enum class promised : std::uint8_t { anything, only_changes, only_looks };
inline constexpr std::size_t promises = 3;

/// Collective: returns when all ranks are here, and what they did before is done. In debug builds
/// throws bad_argument, on every rank, where some begin another phase. `type`: "hash_map".
void begin_phase(const world& view, promised what, const char* type);

/// The phase that this rank, and so all, are in with one container.
class phase_record {
 public:
  void set(promised what) noexcept { now_.store(what, std::memory_order_relaxed); }
  /// For debug builds: aborts when this is not used through a view that goes with the promise.
  void check(promised asks, int rank, const char* type) const noexcept {
    const promised now = now_.load(std::memory_order_relaxed);
    if (now != promised::anything && now != asks) tell_broken(now, asks, rank, type);
  }

 private:
  [[noreturn]] static void tell_broken(promised now, promised asks, int rank,
                                       const char* type) noexcept;

  std::atomic<promised> now_ = promised::anything;
};

/// What one view promises: put down in the record for as long as that of a phase lives, and held
/// against it at every use in debug builds.
template <promised P>
class kept_promise {
 public:
  kept_promise(phase_record& record, int rank) noexcept : record_(&record), rank_(rank) {
    if constexpr (P != promised::anything) record.set(P);
  }
  ~kept_promise()
    requires(P == promised::anything)
  = default;
  ~kept_promise() { record_->set(promised::anything); }

  void check(const char* type) const noexcept {
    if constexpr (base::debug_checks) record_->check(P, rank_, type);
  }

 private:
  phase_record* record_;
  int rank_;
};

}  // namespace far::containers
