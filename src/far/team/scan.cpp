// In step k each member sends the combination of its own list and those of the 2^k - 1 members
// before it to the member 2^k after it. Source: W. D. Hillis, G. L. Steele, Data parallel
// algorithms, 1986.

#include "far/team/scan.hpp"

#include <cstring>

#include "far/team/link.hpp"
#include "far/team/matching.hpp"

namespace far::detail {
namespace {

void run_scan(fabric::context& context, team_state& team, std::span<std::byte> list,
              const combiner& fold, bool inclusive) {
  link_set links(context, team);
  const std::size_t elements = list.size() / fold.element_bytes;
  const std::size_t padded = (list.size() / sizeof(cache_line) + 1) * sizeof(cache_line);
  std::byte* const got = team.scratch(2 * padded);
  std::byte* const mine = got + padded;  // includes the member's own, also in exclusive scans
  std::memcpy(mine, list.data(), list.size());
  bool any = false;  // exclusive: whether `list` holds the combination of lower ranks
  for (int level = 0; level < team.layout().levels(); ++level) {
    const bool sends = team.rank() + (1 << level) < team.size();
    const bool gets = team.rank() >= (1 << level);
    const int link = link_at(level, direction::down);
    fabric::completion source;
    links.swap(link, mine, sends ? list.size() : 0, link, got, gets ? list.size() : 0, source);
    links.finish(source);
    if (!gets) continue;
    fold(mine, got, mine, elements);
    if (inclusive) continue;
    if (any) {
      fold(list.data(), got, list.data(), elements);
    } else {
      std::memcpy(list.data(), got, list.size());
    }
    any = true;
  }
  if (inclusive) std::memcpy(list.data(), mine, list.size());
}

}  // namespace

bool scan_bytes(const world& world, team_state& team, std::span<std::byte> list,
                const combiner& fold, bool inclusive) {
  const collective_scope scope(
      world, team,
      {collective::scan, fold.element_bytes, list.size() / fold.element_bytes, -1, fold.name});
  if (!scope.is_alone() && !list.empty()) {
    run_scan(world.context(), team, list, fold, inclusive);
  }
  return team.rank() != 0;
}

}  // namespace far::detail
