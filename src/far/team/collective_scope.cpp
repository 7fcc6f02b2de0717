#include "far/team/collective_scope.hpp"

#include <exception>

#include "far/base/error.hpp"
#include "far/team/barrier.hpp"

namespace far {

void collective_scope::leave(const world& view) const noexcept {
  if (is_unwinding() || view.state().ended()) return;
  try {
    barrier(view);
  } catch (const rank_failed&) {
    // The program's next call reports it.
  } catch (...) {
    view.state().keep(std::current_exception());
  }
}

void collective_scope::leave(const world& view, base::function_ref<void()> finish) const noexcept {
  if (is_unwinding() || view.state().ended()) return;
  try {
    barrier(view);
    finish();
    barrier(view);
  } catch (const rank_failed&) {
    // The same.
  } catch (...) {
    view.state().keep(std::current_exception());
  }
}

}  // namespace far
