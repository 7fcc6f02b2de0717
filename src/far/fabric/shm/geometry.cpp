// The sizes of a job's memory: as requested, or as the machine and its limits allow.

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/limits.hpp"
#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

bool wants_uplink(const job_options& options) {
  return options.mode == job_mode::ucx || base::environment_text("FAR_FABRIC") == "ucx";
}

void check(const job_options& options) {
  if (options.ranks < 1 || options.ranks > max_job_ranks) {
    throw bad_argument(
        fmt::format("a job of {} ranks: on one machine the number of ranks must be "
                    "between 1 and {}",
                    options.ranks, max_job_ranks));
  }
  if (options.lanes < 1 || options.lanes > max_lanes) {
    throw bad_argument(
        fmt::format("{} lanes per rank: must be between 1 and {}", options.lanes, max_lanes));
  }
  if (options.ranks_per_node < 0) {
    throw bad_argument(fmt::format("{} ranks per node: must be at least 1, or 0 for the default",
                                   options.ranks_per_node));
  }
}

std::int32_t contexts_of(const job_options& options) {
  const std::uint64_t contexts = base::environment_number(
      "FAR_CONTEXTS", static_cast<std::uint64_t>(std::max(options.max_contexts, 0)));
  if (contexts < 1 || contexts > max_contexts) {
    throw bad_argument(
        fmt::format("{} contexts per rank: must be between 1 and {}", contexts, max_contexts));
  }
  return static_cast<std::int32_t>(contexts);
}

/// The max size of a job's memory, and the limit that determines it.
struct room {
  std::uint64_t bytes = no_limit;
  std::string_view limit;

  /// The max bytes of each rank's heaps.
  [[nodiscard]] std::uint64_t per_rank(int ranks) const noexcept {
    if (bytes == no_limit) return no_limit;
    const std::uint64_t area = (bytes - std::min<std::uint64_t>(bytes, first_area)) /
                               static_cast<std::uint64_t>(ranks) / window_alignment *
                               window_alignment;
    return area - std::min<std::uint64_t>(area, control_bytes);
  }
};

/// The job may use 1/`of_space` of the address space that is left.
room space_of_job(std::uint64_t of_space) {
  const room files{base::file_size_limit(), "the size of files (ulimit -f)"};
  room space{base::address_space_left(), "address space (ulimit -v)"};
  if (space.bytes != no_limit) {
    space.bytes /= of_space;
    space.bytes -= std::min<std::uint64_t>(space.bytes, window_alignment);  // to find a place
  }
  return files.bytes < space.bytes ? files : space;
}

/// A kind of heap, and its bytes on each rank. 0: not requested.
struct heap {
  const char* variable;
  std::uint64_t bytes;
  std::uint64_t usual;
  std::uint64_t min;
  bool is_small;
};

/// The requested bytes, in whole pages; 0: none requested. Errors: bad_argument.
std::uint64_t asked(const char* variable, std::uint64_t option) {
  if (option == 0 && base::environment_text(variable).empty()) return 0;
  const std::uint64_t bytes = option != 0 ? option : base::environment_size(variable, 0);
  if (bytes < page || bytes > address::max_offset) {
    throw bad_argument(fmt::format("{} = {} bytes per rank: must be between {} and {}", variable,
                                   bytes, page, address::max_offset));
  }
  return round_up(std::min(bytes, address::max_offset - page), page);
}

/// Sets the sizes of the heaps that were not requested: the usual ones, or what the limits allow.
/// Errors: bad_argument.
void fit(std::array<heap, 3>& heaps, int ranks) {
  std::uint64_t wanted = 0;  // min
  std::uint64_t open = 0;    // large heaps without a requested size
  for (const heap& one : heaps) {
    wanted += one.bytes == 0 ? one.min : one.bytes;
    open += one.bytes == 0 && !one.is_small ? 1 : 0;
  }
  if (const room max = space_of_job(1); wanted > max.per_rank(ranks)) {
    throw bad_argument(
        fmt::format("heaps of {} bytes on each of {} ranks are more than the limit on {} allows, "
                    "{} bytes for all: raise it, start fewer ranks, or request smaller heaps",
                    wanted, ranks, max.limit, max.bytes));
  }
  // Half of the address space at most, because the program needs some, too.
  const std::uint64_t in_all = std::max(space_of_job(2).per_rank(ranks), wanted);
  std::uint64_t left = in_all - wanted;
  for (heap& one : heaps) {
    if (one.bytes != 0) continue;
    const std::uint64_t share = left / (one.is_small ? 8 : open--) / page * page;
    one.bytes = std::max(one.min, std::min(one.usual, one.min + share));
    if (in_all != no_limit) left -= one.bytes - one.min;
  }
}

}  // namespace

std::size_t area_bytes_of(const geometry& shape) noexcept {
  return round_up(control_bytes + shape.symmetric_bytes + shape.local_bytes + shape.nic_bytes,
                  window_alignment);
}

std::size_t bytes_of(const geometry& shape) noexcept {
  return first_area + static_cast<std::size_t>(shape.ranks) * area_bytes_of(shape) +
         round_up(static_cast<std::size_t>(shape.job_ranks) * sizeof(roster_entry), page);
}

geometry geometry_of(const job_options& options) {
  check(options);
  geometry shape;
  shape.ranks = options.ranks;
  shape.lanes = options.lanes;
  shape.contexts = contexts_of(options);
  shape.service = options.service ? 1 : 0;
  shape.static_data = options.static_data ? 1 : 0;
  if (wants_uplink(options)) {
    const auto per_node = base::environment_number(
        "FAR_RANKS_PER_NODE", static_cast<std::uint64_t>(options.ranks_per_node));
    shape.ranks_per_node = per_node == 0
                               ? options.ranks
                               : static_cast<std::int32_t>(std::min<std::uint64_t>(
                                     per_node, static_cast<std::uint64_t>(options.ranks)));
  }
  // Each heap may grow to the rank's share of the memory; pages cost nothing until used.
  const std::uint64_t share =
      std::clamp(base::usable_memory() / static_cast<std::uint64_t>(options.ranks) / page * page,
                 mib, static_cast<std::uint64_t>(address::max_offset - page) / page * page);
  std::array<heap, 3> heaps{
      heap{"FAR_NIC_HEAP", 0, 16 * mib, 64 * kib, true},
      heap{"FAR_SYMMETRIC_HEAP", options.symmetric_bytes, share, mib, false},
      heap{"FAR_LOCAL_HEAP", options.local_bytes, share, mib, false},
  };
  for (heap& one : heaps) one.bytes = asked(one.variable, one.bytes);
  fit(heaps, options.ranks);
  shape.nic_bytes = heaps[0].bytes;
  shape.symmetric_bytes = heaps[1].bytes;
  shape.local_bytes = heaps[2].bytes;
  return shape;
}

}  // namespace far::fabric::shm
