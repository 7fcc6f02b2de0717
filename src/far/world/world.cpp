#include "far/world/world.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far {

rank_state::~rank_state() {
  fabric_->owner = nullptr;  // first, so that the fabric no longer uses what is destroyed now
  while (!attachments_.empty()) attachments_.pop_back();
}

void world::threads(int n, const std::function<void(world&)>& program) const {
  // One context is the caller's, and the service thread may hold another.
  const int free_contexts = fabric().max_contexts() - 2;
  if (n < 1 || n > free_contexts) {
    throw bad_argument(fmt::format(
        "world.threads({}): the number of threads must be between 1 and {} here; start the job "
        "with more contexts per rank (option max_contexts, or FAR_CONTEXTS)",
        n, free_contexts));
  }
  // Opened here, because only the thread that runs the rank may open contexts.
  std::vector<std::unique_ptr<fabric::context>> contexts;
  for (int i = 0; i < n; ++i) contexts.push_back(fabric().open_context());
  fabric().run_threads(*context_, n, [&](int i) {
    world view(*state_, *contexts[static_cast<std::size_t>(i)], i);
    program(view);
  });
}

}  // namespace far
