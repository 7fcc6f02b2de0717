#include "far/team/broadcast.hpp"

#include <algorithm>
#include <bit>

#include "far/team/broadcast_tree.hpp"
#include "far/team/matching.hpp"

namespace far::detail {
namespace {

/// A member's place in a tree or chain.
struct stand {
  int from = -1;        // link to receive from; -1: the root
  std::vector<int> to;  // links to send to, farthest first
};

/// `rank` is relative to the root. A member's parent is its rank without its lowest set bit.
stand in_tree(int rank, int size, int levels) {
  stand result;
  const int low = rank == 0 ? levels : std::countr_zero(static_cast<unsigned>(rank));
  if (rank != 0) result.from = link_at(low, direction::down);
  for (int level = low - 1; level >= 0; --level) {
    if (rank + (1 << level) < size) result.to.push_back(link_at(level, direction::down));
  }
  return result;
}

stand in_chain(int rank, int size) {
  stand result;
  if (rank != 0) result.from = link_at(0, direction::down);
  if (rank + 1 < size) result.to.push_back(link_at(0, direction::down));
  return result;
}

}  // namespace

void broadcast_in_tree(fabric::context& context, team_state& team, std::span<std::byte> bytes,
                       int root) {
  link_set links(context, team);
  const int size = team.size();
  const int rank = (team.rank() - root + size) % size;
  const int levels = team.layout().levels();
  const std::size_t chunk = links.chunk();
  const std::size_t chunks = (bytes.size() + chunk - 1) / chunk;
  // The root of a tree sends every chunk `levels` times. The root of a chain sends it once, but the
  // chain is `size` steps long.
  const bool is_long =
      chunks * static_cast<std::size_t>(levels - 1) > static_cast<std::size_t>(size);
  const stand mine = is_long ? in_chain(rank, size) : in_tree(rank, size, levels);

  fabric::completion source;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    const std::span<std::byte> piece = bytes.subspan(at, std::min(chunk, bytes.size() - at));
    if (mine.from >= 0) links.receive(mine.from, piece.data(), piece.size());
    for (const int link : mine.to) links.send_chunk(link, piece.data(), piece.size(), source);
  }
  links.finish(source);
}

void broadcast_bytes(const world& world, team_state& team, std::span<std::byte> bytes,
                     std::size_t element_bytes, int root) {
  const collective_scope scope(
      world, team, {collective::broadcast, element_bytes, bytes.size() / element_bytes, root});
  if (scope.is_alone() || bytes.empty()) return;
  broadcast_in_tree(world.context(), team, bytes, root);
}

}  // namespace far::detail
