#pragma once
// What all ranks promise to do with a container during a phase, and how violations are reported.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "far/base/check.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// What all ranks may do with a container. For a queue, writing means push and reading means pop.
enum class phase_kind : std::uint8_t { mixed, writing, reading };
inline constexpr std::size_t phase_kinds = 3;

/// Collective: returns when all ranks have called it and their earlier operations are done.
/// `type`: for messages, e.g. "hash_map".
/// Errors: in debug builds bad_argument, on every rank, if some ranks begin another phase.
void begin_phase(const world& world, phase_kind what, const char* type);

/// The phase that this rank, and so every rank, is in with one container.
class phase_record {
 public:
  void set(phase_kind what) noexcept { now_.store(what, std::memory_order_relaxed); }
  /// For debug builds: aborts if `asks`, the kind of the view in use, contradicts the phase.
  void check(phase_kind asks, int rank, const char* type) const noexcept {
    const phase_kind now = now_.load(std::memory_order_relaxed);
    if (now != phase_kind::mixed && now != asks) report_broken(now, asks, rank, type);
  }

 private:
  [[noreturn]] static void report_broken(phase_kind now, phase_kind asks, int rank,
                                         const char* type) noexcept;

  std::atomic<phase_kind> now_ = phase_kind::mixed;
};

/// The phase of one view. The view of a phase sets the record during its lifetime. In debug builds,
/// every use of any view is checked against the record.
template <phase_kind P>
class phase_guard {
 public:
  phase_guard(phase_record& record, int rank) noexcept : record_(&record), rank_(rank) {
    if constexpr (P != phase_kind::mixed) record.set(P);
  }
  ~phase_guard()
    requires(P == phase_kind::mixed)
  = default;
  ~phase_guard() { record_->set(phase_kind::mixed); }

  void check(const char* type) const noexcept {
    if constexpr (base::debug_checks) record_->check(P, rank_, type);
  }

 private:
  phase_record* record_;
  int rank_;
};

}  // namespace far::containers
