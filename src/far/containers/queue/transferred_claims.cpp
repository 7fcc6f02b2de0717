#include "far/containers/queue/transferred_claims.hpp"

namespace far::containers {

void transferred_claims::add(std::uint64_t cursor, std::uint64_t begin, std::uint64_t end) {
  const std::scoped_lock lock(mutex_);
  of_[cursor].emplace(begin, end);
}

std::uint64_t transferred_claims::end_from(std::uint64_t cursor, std::uint64_t seen) {
  const std::scoped_lock lock(mutex_);
  const auto found = of_.find(cursor);
  if (found == of_.end()) return seen;
  auto& claims = found->second;
  claims.erase(claims.begin(), claims.lower_bound(seen));
  std::uint64_t end = seen;
  for (auto next = claims.begin(); next != claims.end() && next->first == end; ++next) {
    end = next->second;
  }
  if (claims.empty()) of_.erase(found);
  return end;
}

void transferred_claims::forget(std::uint64_t cursor) {
  const std::scoped_lock lock(mutex_);
  of_.erase(cursor);
}

void forget_claims(const world& world, const ring& where) {
  auto& claims = world.state().get<transferred_claims>();
  claims.forget(where.ready(world).place().bits());
  claims.forget(where.freed(world).place().bits());
}

}  // namespace far::containers
