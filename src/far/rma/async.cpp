#include "far/rma/async.hpp"

#include <algorithm>

namespace far::rma {
namespace {

fabric::address place_of(const put_part& part) { return part.to; }
fabric::address place_of(const get_part& part) { return part.from; }

/// Whether plain instructions reach all parts, so that the transfer needs no future state.
template <class Part>
bool all_direct(const world& view, std::span<const Part> parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    return fabric::reached(view.words(), place_of(part)) != nullptr;
  });
}

}  // namespace

future<void> start_put(const world& view, std::span<const put_part> parts, const signal* after) {
  if (after != nullptr) check_signal(parts, *after);
  if (after == nullptr && all_direct(view, parts)) {
    put(view, parts);
    return ready_future(view);
  }
  fabric::context& context = view.context();
  const int rank = parts.empty() ? -1 : parts.front().to.rank();
  return launch<void>(detail::make_state<transfer>(context, "put", rank),
                      [&](transfer& op) { context.put(parts, &op, nullptr, after); });
}

future<void> start_get(const world& view, std::span<const get_part> parts) {
  if (all_direct(view, parts)) {
    get(view, parts);
    return ready_future(view);
  }
  fabric::context& context = view.context();
  const int rank = parts.front().from.rank();
  return launch<void>(detail::make_state<transfer>(context, "get", rank),
                      [&](transfer& op) { context.get(parts, &op); });
}

}  // namespace far::rma
