#include "far/sync/line.hpp"

#include "far/memory/allocate.hpp"

namespace far::sync {
namespace {

/// This rank's nodes for all lines: one for each context, because a thread stands in one line at a
/// time. Their memory goes away with the job.
class line_nodes {
 public:
  explicit line_nodes(rank_state& state)
      : nodes_(allocate_local<queue_node>(
            state, static_cast<std::uint64_t>(state.fabric().max_contexts()))) {}

  [[nodiscard]] ptr<queue_node> of(const world& world) const {
    return nodes_ + world.context().index();
  }

 private:
  ptr<queue_node> nodes_;
};

}  // namespace

line::line(const world& world, ptr<std::uint64_t> tail)
    : queue_(world, tail, world.state().get<line_nodes>().of(world)) {}

}  // namespace far::sync
