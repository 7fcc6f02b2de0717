#include "far/homes/part.hpp"

#include <exception>

#include "far/memory/allocate.hpp"

namespace far::homes {

part::part(const world& world)
    : rank(world.rank()), changes(allocate_local<std::uint64_t>(world)) {}

void part::wake_waiting(fabric::context& context) const {
  fabric::amo_request count;
  count.word = changes.address();
  count.op = fabric::amo_op::add;
  count.wake = true;
  count.operand = 1;
  context.amo(count, nullptr);
}

void close_part(const world& world, part& of, const collective_scope& scope,
                base::function_ref<void(bool)> free) noexcept {
  try {
    scope.leave(world);
    const bool in_use = scope.is_unwinding();
    if (!in_use) world.fabric().quiesce(world.context());
    world.fabric().stop_service();
    world.state().get<registry>().remove(of.id);
    free(in_use);
    if (!in_use) deallocate_local(world, of.changes);
  } catch (const std::exception&) {
    // The job has failed; its memory ends with it.
  }
}

}  // namespace far::homes
