#include "far/team/gather.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "far/team/broadcast_tree.hpp"
#include "far/team/exchange.hpp"
#include "far/team/link.hpp"
#include "far/team/rendezvous.hpp"

namespace far::detail {
namespace {

/// Gathers up a binomial tree. With ranks relative to the root, a member finally holds the lists of
/// [rank, rank + lowest set bit of rank), in this order.
void gather_in_tree(fabric::context& context, team_state& team, std::span<const std::byte> mine,
                    std::span<std::byte> all, int root) {
  link_set links(context, team);
  const auto size = static_cast<std::size_t>(team.size());
  const auto rank = static_cast<std::size_t>((team.rank() - root + team.size()) % team.size());
  const int low = rank == 0 ? team.layout().levels() : std::countr_zero(rank);
  const auto held_by = [&](std::size_t member, int level) {
    return std::min(std::size_t{1} << level, size - member) * mine.size();
  };

  // If the root is rank 0, it gathers directly into the result.
  const bool in_place = rank == 0 && root == 0;
  std::vector<std::byte> room(in_place ? 0 : held_by(rank, low));
  const std::span<std::byte> held = in_place ? all : std::span(room);
  std::memcpy(held.data(), mine.data(), mine.size());
  for (int level = 0; level < low; ++level) {
    const std::size_t child = rank + (std::size_t{1} << level);
    if (child >= size) break;
    links.receive(link_at(level, direction::up), held.data() + (child - rank) * mine.size(),
                  held_by(child, level));
  }
  if (rank != 0) {
    fabric::completion source;
    links.send(link_at(low, direction::up), held.data(), held.size(), source);
    links.finish(source);
  } else if (!in_place) {
    const std::size_t first = (size - static_cast<std::size_t>(root)) * mine.size();
    std::rotate_copy(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(first), held.end(),
                     all.begin());
  }
}

void allgather_by_rendezvous(fabric::context& context, team_state& team,
                             std::span<const std::byte> mine, std::span<std::byte> all) {
  const auto combine = [](std::span<std::byte>) {};
  const auto share_of = [](std::span<std::byte> brought, int) -> std::span<const std::byte> {
    return brought;
  };
  const rendezvous_load load{mine, all, combine, share_of};
  rendezvous(context, team, "allgather", &load);
}

/// Gathers pairwise; `place_of` returns the part of `all` for a member's list.
void allgather_pairwise(fabric::context& context, team_state& team, std::span<const std::byte> mine,
                        std::span<std::byte> all,
                        base::function_ref<std::span<std::byte>(int)> place_of) {
  if (!mine.empty()) std::memcpy(place_of(team.rank()).data(), mine.data(), mine.size());
  const auto outgoing = [&](int) { return mine; };
  if (!all.empty()) exchange(context, team, {outgoing, place_of});
}

}  // namespace

void allgather_small(fabric::context& context, team_state& team, std::span<const std::byte> mine,
                     std::span<std::byte> all) {
  if (fits_rendezvous(team, mine.size(), all.size())) {
    allgather_by_rendezvous(context, team, mine, all);
  } else {
    gather_in_tree(context, team, mine, all, 0);
    broadcast_in_tree(context, team, all, 0);
  }
}

void gather_bytes(const world& world, team_state& team, std::span<const std::byte> mine,
                  std::span<std::byte> all, std::size_t element_bytes, int root) {
  const collective_scope scope(
      world, team, {collective::gather, element_bytes, mine.size() / element_bytes, root});
  if (mine.empty()) return;
  if (scope.is_alone()) {
    std::memcpy(all.data(), mine.data(), mine.size());
    return;
  }
  gather_in_tree(world.context(), team, mine, all, root);
}

void allgather_bytes(const world& world, team_state& team, std::span<const std::byte> mine,
                     std::span<std::byte> all, std::size_t element_bytes) {
  const collective_scope scope(world, team,
                               {collective::allgather, element_bytes, mine.size() / element_bytes});
  if (mine.empty()) return;
  if (scope.is_alone()) {
    std::memcpy(all.data(), mine.data(), mine.size());
    return;
  }
  constexpr std::size_t longest_in_tree = 65536;
  if (all.size() <= longest_in_tree) return allgather_small(world.context(), team, mine, all);
  const auto place_of = [&](int member) {
    return all.subspan(static_cast<std::size_t>(member) * mine.size(), mine.size());
  };
  allgather_pairwise(world.context(), team, mine, all, place_of);
}

varying_allgather::varying_allgather(const world& world, team_state& team, std::size_t bytes,
                                     std::size_t element_bytes)
    : world_(&world),
      team_(&team),
      scope_(world, team, {collective::allgatherv, element_bytes}),
      bytes_(static_cast<std::size_t>(team.size()), bytes) {
  if (!scope_.is_alone()) {
    const std::uint64_t mine = bytes;
    allgather_small(world.context(), team, std::as_bytes(std::span(&mine, 1)),
                    std::as_writable_bytes(std::span(bytes_)));
  }
  total_ = std::accumulate(bytes_.begin(), bytes_.end(), std::uint64_t{0});
}

void varying_allgather::run(std::span<const std::byte> mine, std::span<std::byte> all) {
  if (scope_.is_alone()) {
    if (!mine.empty()) std::memcpy(all.data(), mine.data(), mine.size());
    return;
  }
  std::vector<std::uint64_t> begin(bytes_.size());
  std::exclusive_scan(bytes_.begin(), bytes_.end(), begin.begin(), std::uint64_t{0});
  const auto place_of = [&](int member) {
    const auto m = static_cast<std::size_t>(member);
    return all.subspan(begin[m], bytes_[m]);
  };
  allgather_pairwise(world_->context(), *team_, mine, all, place_of);
}

}  // namespace far::detail
