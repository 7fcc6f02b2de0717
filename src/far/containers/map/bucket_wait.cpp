#include "far/containers/map/bucket_wait.hpp"

#include "far/memory/ptr.hpp"
#include "far/memory/reserved.hpp"
#include "far/sync/line.hpp"

namespace far::containers {
namespace {

sync::line line_of(const world& view, int home) {
  return {view, ptr<std::uint64_t>(memory::reserved_word(home, 40))};
}

}  // namespace

line_place::line_place(const world& view, int home) : view_(&view), home_(home) {
  line_of(view, home).enter();
}

void line_place::leave() const { line_of(*view_, home_).leave(); }

}  // namespace far::containers
