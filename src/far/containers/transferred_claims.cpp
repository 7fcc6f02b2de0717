#include "far/containers/transferred_claims.hpp"

namespace far::containers {

void transferred_claims::add(std::uint64_t cursor, std::uint64_t begin, std::uint64_t end) {
  const std::scoped_lock lock(mutex_);
  of_[cursor].emplace(begin, end);
}

std::uint64_t transferred_claims::end_from(std::uint64_t cursor, std::uint64_t from) {
  const std::scoped_lock lock(mutex_);
  const auto found = of_.find(cursor);
  if (found == of_.end()) return from;
  const auto& claims = found->second;
  for (auto next = claims.find(from); next != claims.end() && next->first == from; ++next) {
    from = next->second;
  }
  return from;
}

void transferred_claims::forget_before(std::uint64_t cursor, std::uint64_t seen) {
  const std::scoped_lock lock(mutex_);
  const auto found = of_.find(cursor);
  if (found == of_.end()) return;
  auto& claims = found->second;
  claims.erase(claims.begin(), claims.lower_bound(seen));
  if (claims.empty()) of_.erase(found);
}

}  // namespace far::containers
