#include "far/homes/registry.hpp"

#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/base/same_type.hpp"
#include "far/team/agreement.hpp"

namespace far::homes {

object_id registry::add(entry what) {
  const std::scoped_lock lock(mutex_);
  entries_.push_back(std::move(what));
  return static_cast<object_id>(entries_.size() - 1);
}

void registry::remove(object_id id) {
  std::shared_ptr<void> last;  // declared first, so destroyed after the lock is released
  const std::scoped_lock lock(mutex_);
  last = std::exchange(entries_.at(id), entry{}).part;
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
  if (id >= entries_.size() || entries_[id].type == nullptr) return nullptr;
  return base::same_type(*entries_[id].type, type) ? entries_[id].part : nullptr;
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
