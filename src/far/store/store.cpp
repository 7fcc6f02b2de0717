#include "far/store/store.hpp"

#include <utility>

#include <fmt/format.h>

#include "far/memory/allocate.hpp"

namespace far {

store::store(const world& world, std::shared_ptr<stores::store_part> part)
    : store_view(world, *part), world_(world), part_(std::move(part)) {
  const store_options& options = part_->options;
  homes::open_part(world, part_,
                   fmt::format("store of {} bytes, items of up to {}{}", options.memory_bytes,
                               options.max_item_bytes, options.evicts ? "" : ", without eviction"));
}

store::~store() {
  if (world_.state().ended()) return;  // the store has outlived its job
  homes::close_part(world_, *part_, scope_,
                    [this](bool /*in_use*/) { deallocate(world_, part_->memory); });
}

}  // namespace far
