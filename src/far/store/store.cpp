#include "far/store/store.hpp"

#include <memory>
#include <mutex>
#include <typeinfo>
#include <vector>

#include "far/memory/allocate.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/call.hpp"
#include "far/store/part_lock.hpp"
#include "far/store/part_log.hpp"

namespace far {
namespace {

using stores::store_part;

std::shared_ptr<store_part> part_of_rank(rank_state& state, homes::object_id id) {
  return state.get<homes::registry>().find<store_part>(id);
}

/// Calls work(part_log) under the lock of this rank's part. Returns false if the part is in use.
template <class Work>
bool try_work(const fabric::fabric& rank, const store_part& of, Work work) {
  const stores::part_memory& part = *of.mapped_part(of.rank);
  const stores::part_lock lock(rank, part.state().lock);
  if (!lock.try_lock()) return false;
  const std::lock_guard guard(lock, std::adopt_lock);
  work(stores::part_log(part, stores::second_of(rank)));
  return true;
}

store_counts serve_counts(rank_state& state, homes::object_id id) {
  const auto of = part_of_rank(state, id);
  return stores::counts_of(*of->mapped_part(of->rank));
}

bool serve_erase_all(rank_state& state, homes::object_id id) {
  return try_work(state.fabric(), *part_of_rank(state, id),
                  [](const stores::part_log& log) { log.clear(); });
}

future<void> erase_all_of(const world& world, homes::object_id id, int rank) {
  return rpc<serve_erase_all>(world, rank, id).then([view = world, id, rank](bool is_done) {
    return is_done ? ready_future(view) : erase_all_of(view, id, rank);
  });
}

}  // namespace

store::store(const world& world, std::shared_ptr<store_part> part)
    : store_view(world, *part), world_(world), part_(std::move(part)) {
  homes::open_part(world, part_, typeid(store_part).name());
}

store::~store() {
  if (world_.state().ended()) return;  // the store has outlived its job
  homes::close_part(world_, *part_, scope_,
                    [this](bool /*in_use*/) { deallocate(world_, part_->memory); });
}

future<store_counts> store_view::counts_async(int rank) const {
  return rpc<serve_counts>(world_, rank, part_->id);
}

future<void> store_view::erase_all_async() const {
  std::vector<future<void>> all;
  for (int rank = 0; rank < world_.size(); ++rank) {
    all.push_back(erase_all_of(world_, part_->id, rank));
  }
  return when_all(world_, std::move(all));
}

std::uint64_t store_view::sweep() const {
  std::uint64_t removed = 0;
  (void)try_work(world_.fabric(), *part_,
                 [&](const stores::part_log& log) { removed = log.sweep(); });
  return removed;
}

}  // namespace far
