#include "far/sync/lock_levels.hpp"

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/sync/rank_place.hpp"
#include "far/team/gather.hpp"

namespace far {
namespace {

constexpr const char* variable = "FAR_LEVELS";

/// Where this rank is bound. Found once, because that is expensive.
struct kept_parts {
  explicit kept_parts(rank_state&) : place(sync::own_parts()) {}
  sync::rank_place place;
};

/// What each rank first reports to the others.
struct told {
  std::uint64_t stated;      ///< hash of its FAR_LEVELS
  std::uint64_t processors;  ///< that it may run on
  decltype(sync::rank_place::switches) switches;
};

void check_stated(const std::vector<told>& all) {
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].stated == all[0].stated) continue;
    throw bad_argument(
        fmt::format("{} is not the same at rank {} as at rank 0: set it for all ranks, or for none",
                    variable, rank));
  }
}

/// Whether, on any machine, ranks may run on different processors.
bool bound_apart(const std::vector<told>& all, const std::vector<sync::rank_place>& places) {
  std::unordered_map<std::int32_t, std::uint64_t> processors;  // by machine
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto [at, added] = processors.try_emplace(places[rank].machine, all[rank].processors);
    if (at->second != all[rank].processors) return true;
  }
  return false;
}

std::vector<sync::rank_place> places_of(const world& world, std::string_view stated) {
  std::vector<sync::rank_place> result(static_cast<std::size_t>(world.size()));
  for (std::size_t rank = 0; rank < result.size(); ++rank) {
    result[rank].machine = world.node_of(static_cast<int>(rank));
  }
  if (world.fabric().simulated()) return result;  // on machines other than this one

  const told mine{base::hash_bytes(stated.data(), stated.size()), sync::own_processors(),
                  sync::switches_of(base::environment_text("SLURM_TOPOLOGY_ADDR"),
                                    base::environment_text("SLURM_TOPOLOGY_ADDR_PATTERN"))};
  const std::vector<told> all = allgather(world, mine);
  check_stated(all);
  const bool apart = stated.empty() && bound_apart(all, result);
  std::vector<sync::rank_place> bound;
  if (apart) bound = allgather(world, world.state().get<kept_parts>().place);
  for (std::size_t rank = 0; rank < result.size(); ++rank) {
    result[rank].switches = all[rank].switches;
    if (apart) result[rank].parts = bound[rank].parts;
  }
  return result;
}

/// The element sizes of 4x8x16: 128 and 16. Neither the whole job nor a single rank counts.
std::vector<int> stated_sizes(std::string_view stated, int ranks) {
  std::vector<int> result;
  int size = ranks;
  for (const int elements : base::parse_levels(stated, variable, ranks)) {
    size /= elements;
    if (elements > 1 && size > 1) result.push_back(size);
  }
  return result;
}

lock_levels usual_levels(const world& world) {
  const std::string_view stated = base::environment_text(variable);
  const std::vector<sync::rank_place> places = places_of(world, stated);
  return stated.empty() ? lock_levels(places)
                        : lock_levels(world, stated_sizes(stated, world.size()));
}

}  // namespace

lock_levels::lock_levels(const world& world) : lock_levels(usual_levels(world)) {}

lock_levels::lock_levels(const world& world, const std::vector<int>& sizes)
    : levels_{{"job", std::vector<int>(static_cast<std::size_t>(world.size()), 0)}} {
  int before = 0;
  for (const int size : sizes) {
    if (size < 2 || (before != 0 && (before % size != 0 || before == size))) {
      throw bad_argument(
          fmt::format("lock_levels: elements of {} ranks{}: each size must be at least 2, and "
                      "divide the size before it",
                      size, before == 0 ? "" : fmt::format(" within elements of {}", before)));
    }
    before = size;
    auto& homes = levels_.emplace_back(one_level{fmt::format("{} ranks", size), {}}).homes;
    for (int rank = 0; rank < world.size(); ++rank) homes.push_back(rank / size * size);
  }
}

lock_levels::lock_levels(std::span<const sync::rank_place> places)
    : levels_{{"job", std::vector<int>(places.size(), 0)}} {
  using sync::rank_place;
  for (std::size_t i = 0; i < rank_place::max_switches; ++i) {
    divide("switch", [&](std::size_t rank) { return places[rank].switches[i]; });
  }
  divide("machine",
         [&](std::size_t rank) { return static_cast<std::uint64_t>(places[rank].machine); });
  for (std::size_t i = 0; i < rank_place::part_names.size(); ++i) {
    divide(rank_place::part_names[i],
           [&](std::size_t rank) { return static_cast<std::uint64_t>(places[rank].parts[i]); });
  }
}

/// Adds a level: divides each of the smallest elements so far by the number that `part` returns.
void lock_levels::divide(const std::string& name,
                         base::function_ref<std::uint64_t(std::size_t)> part) {
  const std::vector<int>& within = levels_.back().homes;
  std::size_t same = 0;
  while (same < within.size() && part(same) == part(0)) ++same;
  if (same == within.size()) return;

  std::map<std::pair<int, std::uint64_t>, int> firsts;
  auto last = firsts.end();  // the ranks of one element mostly follow each other
  std::vector<int> homes;
  homes.reserve(within.size());
  for (std::size_t rank = 0; rank < within.size(); ++rank) {
    const auto element = std::pair(within[rank], part(rank));
    if (last == firsts.end() || last->first != element) {
      last = firsts.try_emplace(element, static_cast<int>(rank)).first;
    }
    homes.push_back(last->second);
  }
  if (homes == within || firsts.size() == homes.size()) return;
  levels_.push_back({name, std::move(homes)});
}

int lock_levels::elements(int level) const {
  const std::vector<int>& homes = at(level).homes;
  int result = 0;
  for (std::size_t rank = 0; rank < homes.size(); ++rank) {
    if (homes[rank] == static_cast<int>(rank)) ++result;
  }
  return result;
}

}  // namespace far
