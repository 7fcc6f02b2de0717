#pragma once
// Runs litmus programs on the elements of a far::cached_array.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "far/far.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

/// Mistakes of a library, built in to check that they are found.
enum class cached_slip : std::uint8_t {
  nothing,
  late_write,     ///< a write takes place after the thread's next access, of another element
  early_read,     ///< a read takes place before the thread's last access, of another element
  stale_copy,     ///< a get returns what the thread has read at the start of the program
  update_by_two,  ///< apply is made of a get and a set
  lost_operand,   ///< an apply is forgotten, rarely
};

struct cached_execution {
  std::size_t copies = 1;      ///< runs of each program
  cached_array_options array;  ///< `begins` is chosen here; `cache_bytes` counts lines
  caching of_odd_ranks = caching::automatic;
  std::uint64_t seed = 1;
  cached_slip mistake = cached_slip::nothing;
};

/// Collective. Runs each program, each of its threads as a thread of its rank, on elements that are
/// zero, and calls report(index of the program, outcome) on rank 0 for each copy. Elements of one
/// program and one home are neighbours: they share chunks of more than one element. The programs
/// may use fewer ranks than the job has; their steps are get, set and apply, by the sequentially
/// consistent view and by pins.
void execute_cached(world& world, std::span<const program* const> programs,
                    const cached_execution& how,
                    const std::function<void(std::size_t, const outcome&)>& report);

}  // namespace far::litmus
