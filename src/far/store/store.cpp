#include "far/store/store.hpp"

#include <typeinfo>
#include <utility>

#include "far/memory/allocate.hpp"

namespace far {

store::store(const world& world, std::shared_ptr<stores::store_part> part)
    : store_view(world, *part), world_(world), part_(std::move(part)) {
  homes::open_part(world, part_, typeid(stores::store_part).name());
}

store::~store() {
  if (world_.state().ended()) return;  // the store has outlived its job
  homes::close_part(world_, *part_, scope_,
                    [this](bool /*in_use*/) { deallocate(world_, part_->memory); });
}

}  // namespace far
