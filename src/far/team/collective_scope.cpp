#include "far/team/collective_scope.hpp"

#include <exception>

#include "far/team/barrier.hpp"

namespace far {

void collective_scope::leave(const world& view) const noexcept {
  if (is_unwinding()) return;
  try {
    barrier(view);
  } catch (const std::exception&) {
    // The job has failed; the program's next call reports it.
  }
}

void collective_scope::leave(const world& view, base::function_ref<void()> finish) const noexcept {
  if (is_unwinding()) return;
  try {
    barrier(view);
    finish();
    barrier(view);
  } catch (const std::exception&) {
    // The same.
  }
}

}  // namespace far
