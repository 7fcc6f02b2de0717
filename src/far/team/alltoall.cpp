#include "far/team/alltoall.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/team/exchange.hpp"
#include "far/team/rendezvous.hpp"

namespace far::detail {
namespace {

void alltoall_by_rendezvous(fabric::context& context, team_state& team,
                            std::span<const std::byte> from, std::span<std::byte> to) {
  const auto n = static_cast<std::size_t>(team.size());
  const std::size_t piece = from.size() / n;
  std::vector<std::byte> turned(from.size() * n);
  const auto combine = [&](std::span<std::byte> all) {
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t t = 0; t < n; ++t) {
        std::memcpy(&turned[(t * n + s) * piece], &all[(s * n + t) * piece], piece);
      }
    }
  };
  const auto share_of = [&](std::span<std::byte>, int member) -> std::span<const std::byte> {
    return std::span(turned).subspan(static_cast<std::size_t>(member) * from.size(), from.size());
  };
  const rendezvous_load load{from, to, combine, share_of};
  rendezvous(context, team, "alltoall", &load);
}

/// Inside another collective; at least one byte per piece.
void alltoall_equal(fabric::context& context, team_state& team, std::span<const std::byte> from,
                    std::span<std::byte> to) {
  if (fits_rendezvous(team, from.size(), to.size())) {
    return alltoall_by_rendezvous(context, team, from, to);
  }
  const std::size_t piece = from.size() / static_cast<std::size_t>(team.size());
  const auto at = [&](int member) { return static_cast<std::size_t>(member) * piece; };
  const auto outgoing = [&](int member) { return from.subspan(at(member), piece); };
  const auto incoming = [&](int member) { return to.subspan(at(member), piece); };
  std::memcpy(incoming(team.rank()).data(), outgoing(team.rank()).data(), piece);
  exchange(context, team, {outgoing, incoming});
}

std::vector<std::size_t> begins_of(std::span<const std::size_t> counts) {
  std::vector<std::size_t> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), std::size_t{0});
  return begins;
}

}  // namespace

void alltoall_bytes(const world& world, team_state& team, std::span<const std::byte> from,
                    std::span<std::byte> to, std::size_t element_bytes) {
  const collective_scope scope(world, team,
                               {collective::alltoall, element_bytes, from.size() / element_bytes});
  if (from.empty()) return;
  if (scope.is_alone()) {
    std::memcpy(to.data(), from.data(), from.size());
    return;
  }
  alltoall_equal(world.context(), team, from, to);
}

varying_alltoall::varying_alltoall(const world& world, team_state& team, std::size_t element_bytes)
    : world_(&world),
      team_(&team),
      element_bytes_(element_bytes),
      scope_(world, team, {collective::alltoallv, element_bytes}) {}

std::vector<std::size_t> varying_alltoall::request_counts(std::span<const std::size_t> to_each) {
  check_length("alltoallv", "the list of counts to send", to_each.size(),
               static_cast<std::uint64_t>(team_->size()));
  std::vector<std::size_t> result(to_each.begin(), to_each.end());
  if (!scope_.is_alone()) {
    alltoall_equal(world_->context(), *team_, std::as_bytes(to_each),
                   std::as_writable_bytes(std::span(result)));
  }
  return result;
}

void varying_alltoall::check_counts(std::span<const std::size_t> to_each,
                                    std::span<const std::size_t> from_each) {
  const std::vector<std::size_t> sent = request_counts(to_each);
  for (int member = 0; member < team_->size(); ++member) {
    const auto m = static_cast<std::size_t>(member);
    if (sent[m] == from_each[m]) continue;
    throw bad_argument(fmt::format(
        "alltoallv: rank {} sends {} elements to rank {}, which expects {}",
        team_->world_rank(member), sent[m], team_->world_rank(team_->rank()), from_each[m]));
  }
}

void varying_alltoall::run(std::span<const std::byte> from, std::span<const std::size_t> to_each,
                           std::span<std::byte> to, std::span<const std::size_t> from_each) {
  const auto n = static_cast<std::uint64_t>(team_->size());
  const auto sum = [](std::span<const std::size_t> counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  };
  check_length("alltoallv", "the list of counts to send", to_each.size(), n);
  check_length("alltoallv", "the list of counts to get", from_each.size(), n);
  check_length("alltoallv", "the list to send", from.size() / element_bytes_, sum(to_each));
  check_length("alltoallv", "the result", to.size() / element_bytes_, sum(from_each));
  if constexpr (base::debug_checks) check_counts(to_each, from_each);

  const std::vector<std::size_t> from_begins = begins_of(to_each);
  const std::vector<std::size_t> to_begins = begins_of(from_each);
  const auto outgoing = [&](int member) {
    const auto m = static_cast<std::size_t>(member);
    return from.subspan(from_begins[m] * element_bytes_, to_each[m] * element_bytes_);
  };
  const auto incoming = [&](int member) {
    const auto m = static_cast<std::size_t>(member);
    return to.subspan(to_begins[m] * element_bytes_, from_each[m] * element_bytes_);
  };
  const auto mine = outgoing(team_->rank());
  if (!mine.empty()) std::memcpy(incoming(team_->rank()).data(), mine.data(), mine.size());
  if (!scope_.is_alone()) exchange(world_->context(), *team_, {outgoing, incoming});
}

}  // namespace far::detail
