#include "far/team/collective_scope.hpp"

#include <exception>

#include "far/base/error.hpp"
#include "far/team/barrier.hpp"

namespace far {

void collective_scope::leave(const world& world) const noexcept {
  if (is_unwinding() || world.state().ended()) return;
  try {
    barrier(world);
  } catch (const rank_failed&) {
    // The program's next call reports it.
  } catch (...) {
    world.state().keep(std::current_exception());
  }
}

void collective_scope::leave(const world& world, base::function_ref<void()> finish) const noexcept {
  if (is_unwinding() || world.state().ended()) return;
  try {
    barrier(world);
    finish();
    barrier(world);
  } catch (const rank_failed&) {
    // The same.
  } catch (...) {
    world.state().keep(std::current_exception());
  }
}

}  // namespace far
