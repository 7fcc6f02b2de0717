#include "far/homes/registry.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/base/same_type.hpp"
#include "far/team/agreement.hpp"

namespace far::homes {

object_id registry::add(const std::type_info& type, std::shared_ptr<void> part) {
  const std::scoped_lock lock(mutex_);
  entries_.push_back({next_, &type, std::move(part)});
  return next_++;
}

void registry::remove(object_id id) {
  std::shared_ptr<void> last;  // declared first, so destroyed after the lock is released
  const std::scoped_lock lock(mutex_);
  const auto found = place_of(id);
  if (found == entries_.end() || found->id != id) return;
  last = std::move(found->part);
  entries_.erase(found);
}

std::shared_ptr<void> registry::find(object_id id, const std::type_info& type) {
  if (auto part = find_if(id, type)) return part;
  throw fabric_error(
      fmt::format("a call arrived for object {}, which rank {} does not have: was the object "
                  "destroyed before the call's future was ready?",
                  id, rank_));
}

std::shared_ptr<void> registry::find_if(object_id id, const std::type_info& type) {
  const std::scoped_lock lock(mutex_);
  const auto found = place_of(id);
  if (found == entries_.end() || found->id != id) return nullptr;
  return base::same_type(*found->type, type) ? found->part : nullptr;
}

std::vector<registry::entry>::iterator registry::place_of(object_id id) {
  return std::ranges::lower_bound(entries_, id, {}, &entry::id);
}

void agree_on_object(const world& world, object_id id, std::string_view type) {
  if (!detail::all_agree(world,
                         base::hash_combine(base::hash_bytes(type.data(), type.size()), id))) {
    throw bad_argument(fmt::format(
        "rank {} makes distributed object {}, but other ranks make one of another type or "
        "number: all ranks must make distributed objects in the same order",
        world.rank(), id));
  }
}

}  // namespace far::homes
