#include "far/sync/rank_place.hpp"

#include <sched.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include <hwloc.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"

namespace far::sync {
namespace {

constexpr std::array<hwloc_obj_type_t, rank_place::part_names.size()> part_types{
    HWLOC_OBJ_PACKAGE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_CORE};

struct topology_deleter {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using topology_ptr = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, topology_deleter>;

struct set_deleter {
  void operator()(hwloc_bitmap_t set) const { hwloc_bitmap_free(set); }
};
using set_ptr = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, set_deleter>;

/// Null if it cannot be read.
topology_ptr load_topology() {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) return nullptr;
  topology_ptr topology(made);
  // Include what this process may not use: ranks of one machine must number its parts alike.
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  return hwloc_topology_load(made) == 0 ? std::move(topology) : nullptr;
}

/// Ranks on a core without hyperthreads take turns on it, so a hand-over within the core is not
/// cheap.
bool runs_one_at_a_time(hwloc_obj_t part) {
  return part->type == HWLOC_OBJ_CORE && hwloc_bitmap_weight(part->cpuset) == 1;
}

rank_place place_of(hwloc_topology_t topology, hwloc_const_bitmap_t processors) {
  rank_place result;
  for (std::size_t part = 0; part < part_types.size(); ++part) {
    hwloc_obj_t next = nullptr;
    while ((next = hwloc_get_next_obj_by_type(topology, part_types[part], next)) != nullptr) {
      if (hwloc_bitmap_isincluded(processors, next->cpuset) == 0) continue;
      if (runs_one_at_a_time(next)) break;
      result.parts[part] = static_cast<std::int32_t>(next->logical_index);
      break;
    }
  }
  return result;
}

}  // namespace

rank_place own_parts() {
  const topology_ptr topology = load_topology();
  const set_ptr processors(hwloc_bitmap_alloc());
  if (topology == nullptr || processors == nullptr ||
      hwloc_get_cpubind(topology.get(), processors.get(), HWLOC_CPUBIND_THREAD) != 0) {
    return {};  // locks work without it
  }
  return place_of(topology.get(), processors.get());
}

std::uint64_t own_processors() {
  constexpr std::size_t max_words = 4096;
  for (std::size_t words = 16; words <= max_words; words *= 2) {  // too few words are an error
    std::vector<unsigned long> set(words);                        // NOLINT: the kernel's words
    const std::size_t bytes = words * sizeof(set[0]);
    if (sched_getaffinity(0, bytes, reinterpret_cast<cpu_set_t*>(set.data())) == 0) {
      while (!set.empty() && set.back() == 0) set.pop_back();
      return base::hash_bytes(set.data(), set.size() * sizeof(set[0]));
    }
  }
  return 0;
}

std::vector<rank_place> places_of_this_machine() {
  const topology_ptr topology = load_topology();
  if (topology == nullptr) throw error("hwloc cannot read the machine's topology");
  std::vector<rank_place> result;
  hwloc_obj_t next = nullptr;
  while ((next = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_PU, next)) != nullptr) {
    result.push_back(place_of(topology.get(), next->cpuset));
  }
  return result;
}

std::array<std::uint64_t, rank_place::max_switches> switches_of(std::string_view address,
                                                                std::string_view pattern) {
  constexpr std::string_view machine = ".node";
  std::array<std::uint64_t, rank_place::max_switches> result{};
  if (!pattern.ends_with(machine)) return result;
  const auto count = static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '.'));
  // A switch is identified by its name and those above it. The name after the last switch may have
  // dots.
  std::size_t end = 0;
  for (std::size_t i = 0; i < count; ++i, ++end) {
    end = address.find('.', end);
    if (end == std::string_view::npos) return {};
    const std::size_t skipped = count - std::min(count, result.size());
    if (i >= skipped) result[i - skipped] = base::hash_bytes(address.data(), end) | 1;
  }
  return result;
}

}  // namespace far::sync
