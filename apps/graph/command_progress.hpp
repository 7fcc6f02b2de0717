#pragma once

#include <functional>

#include "apps/common/progress.hpp"
#include "far/world/world.hpp"

namespace far::apps {

/// `update` if this rank draws the bar; else an empty function, so that nothing is computed for it.
template <class... Args>
[[nodiscard]] std::function<void(Args...)> if_drawn(const world& world, const progress_bar& bar,
                                                    std::function<void(Args...)> update) {
  if (world.rank() == 0 && bar.visible()) return update;
  return {};
}

}  // namespace far::apps
