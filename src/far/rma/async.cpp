#include "far/rma/async.hpp"

#include <algorithm>

namespace far::rma {
namespace {

fabric::address place_of(const put_part& part) { return part.to; }
fabric::address place_of(const get_part& part) { return part.from; }

/// Whether plain instructions reach all parts, so that the transfer needs no future state.
template <class Part>
bool all_direct(const world& world, std::span<const Part> parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    return fabric::reached(world.words(), place_of(part)) != nullptr;
  });
}

}  // namespace

future<void> start_put(const world& world, std::span<const put_part> parts, const signal* after) {
  if (after != nullptr) check_signal(parts, *after);
  if (after == nullptr && all_direct(world, parts)) {
    put(world, parts);
    return ready_future(world);
  }
  fabric::context& context = world.context();
  const int rank = parts.empty() ? -1 : parts.front().to.rank();
  return launch<void>(detail::make_state<transfer>(context, "put", rank),
                      [&](transfer& op) { context.put(parts, &op, nullptr, after); });
}

future<void> start_get(const world& world, std::span<const get_part> parts) {
  if (all_direct(world, parts)) {
    get(world, parts);
    return ready_future(world);
  }
  fabric::context& context = world.context();
  const int rank = parts.front().from.rank();
  return launch<void>(detail::make_state<transfer>(context, "get", rank),
                      [&](transfer& op) { context.get(parts, &op); });
}

}  // namespace far::rma
