#include "apps/common/shared_plan.hpp"

#include "apps/common/input_error.hpp"

namespace far::apps {

file_part part_of(const world& world) {
  return {static_cast<std::size_t>(world.rank()), static_cast<std::size_t>(world.size())};
}

std::vector<input_plan> plan_together(const world& world, const std::vector<std::string>& paths,
                                      bool read_twice) {
  std::vector<input_plan> plans(paths.size());
  if (world.rank() == 0) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      plans[i] = plan_input(paths[i]);
      if (read_twice && plans[i].kind == input_kind::stream) {
        throw input_error(paths[i],
                          "can be read only once, as a pipe, and not again to verify the result; "
                          "leave --verify out, or give a copy of it");
      }
    }
  }
  broadcast(world, plans, 0);
  return plans;
}

}  // namespace far::apps
