#pragma once
// Which memory of this rank the network interface may access: all of the segments, from which the
// allocator takes, and regions of the program's own memory that earlier transfers have met.
//
// Interfaces want to be told of memory before they access it, and that costs more than a copy of a
// few pages. So memory of the program is registered when the first transfer without copies meets
// it, in whole blocks of 64 KB, and stays registered. Here this is a table, the counters and, in a
// simulation, the time; on real networks UCX registers, by a cache of its own that knows of memory
// that is unmapped.
//
// Source: J. Nieplocha et al., host-assisted zero-copy remote memory access, 2003, section 4.

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "far/sections/plan.hpp"
#include "far/world/world.hpp"

namespace far {

/// The local memory that transfers of sections and lists over a network have met. Transfers by
/// loads and stores are not counted.
struct registration_counts {
  std::uint64_t allocated = 0;    ///< transfers from or to memory of far::allocate
  std::uint64_t known = 0;        ///< of the program's memory, all of it registered before
  std::uint64_t registering = 0;  ///< of the program's memory, some of which was registered for it
  std::uint64_t copied = 0;       ///< of either, by way of a buffer
  std::uint64_t regions = 0;      ///< of the program's memory that are registered now
  std::uint64_t bytes = 0;        ///< in these regions
};

/// This rank's counters. Threads: any.
/// Checked by: sections_registration_test.transfers_are_counted_by_their_memory
[[nodiscard]] registration_counts registrations(const world& world);

namespace sections {

class registered_memory {
 public:
  explicit registered_memory(rank_state& state);
  [[nodiscard]] static registered_memory& of(const world& world) {
    return world.state().get<registered_memory>();
  }

  /// What registering the rest of the plan's local memory would take, in ns; 0 outside of
  /// simulations.
  [[nodiscard]] double missing_ns(const plan& what) const;
  /// A transfer without copies starts: registers what is missing, and counts.
  void meet(const world& world, const plan& what);
  void meet_by_copy();
  [[nodiscard]] registration_counts counts() const;

 private:
  struct range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
  };
  struct need {
    std::vector<range> missing;
    bool is_allocated = true;  ///< all of it
  };
  struct region : range {
    bool is_segment = false;
  };

  [[nodiscard]] region region_of(std::uintptr_t place) const;
  [[nodiscard]] need need_of(const plan& what) const;
  [[nodiscard]] std::uint64_t cost_ps(const need& of) const noexcept;
  void add(range added);

  const fabric::fabric* fabric_;
  std::uint64_t region_ps_;
  std::uint64_t kilobyte_ps_;
  mutable std::mutex lock_;
  std::map<std::uintptr_t, std::uintptr_t> regions_;  ///< begin and end, apart from each other
  registration_counts counts_;
};

}  // namespace sections
}  // namespace far
