#include "far/sync/back_off.hpp"

#include <algorithm>

#include "far/fabric/context.hpp"

namespace far::sync {

retries::retries(const world& view, ptr<std::uint64_t> word, back_off how, retry_memory& memory,
                 fabric::deadline_ns deadline) noexcept
    : view_(view), word_(word), how_(how), memory_(memory), deadline_(deadline) {
  memory_.longest_ns /= 2;
}

bool retries::wait() {
  constexpr std::uint64_t trips_per_rank = 4;
  if (deadline_ != fabric::never && view_.now() >= deadline_) return false;
  if (how_ == back_off::none) {
    fabric::backoff first;  // only lets others run
    view_.context().pause(first);
    return true;
  }
  if (tried_ns_ != fabric::never) {
    constexpr std::uint64_t shortest_ns = 50;
    const std::uint64_t took_ns = std::max(shortest_ns, view_.now() - tried_ns_);
    memory_.round_trip_ns = std::min(memory_.round_trip_ns, took_ns);
    const std::uint64_t max_ns =
        memory_.round_trip_ns * trips_per_rank * static_cast<unsigned>(view_.size());
    memory_.longest_ns = std::clamp(2 * memory_.longest_ns, memory_.round_trip_ns, max_ns);
    pause(memory_.longest_ns);
  }
  tried_ns_ = view_.now();
  return true;
}

void retries::pause(std::uint64_t longest_ns) {
  fabric::context& context = view_.context();
  const std::uint64_t end_ns =
      std::min(deadline_, view_.now() + 1 + memory_.random.below(longest_ns));
  if (view_.fabric().coherent()) {  // in shared memory a wait would first spin for longer
    fabric::backoff patience;
    do context.pause(patience);
    while (view_.now() < end_ns);
  } else {
    context.wait([] { return false; }, end_ns, {"lock", word_.rank(), word_.address()});
  }
}

}  // namespace far::sync
