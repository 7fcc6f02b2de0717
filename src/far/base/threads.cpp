#include "far/base/threads.hpp"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::base {

std::thread start_thread(const std::string& what, std::function<void()> body) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& refusal) {
    throw fabric_error(
        fmt::format("cannot start {}: {}; raise the limit on threads (ulimit -u, pids.max of the "
                    "control group) "
                    "or on address space (ulimit -v), or use fewer",
                    what, refusal.code().message()));
  }
}

thread_group::thread_group(int n, const std::string& what, const std::function<void(int)>& body) {
  threads_.reserve(static_cast<std::size_t>(n));
  try {
    for (int i = 0; i < n; ++i) {
      threads_.push_back(start_thread(fmt::format("{} {} of {}", what, i, n), [this, body, i] {
        gate_.wait(state::waits, std::memory_order_acquire);
        if (gate_.load(std::memory_order_acquire) == state::runs) body(i);
      }));
    }
  } catch (...) {
    open(state::ends);
    join();
    throw;
  }
  open(state::runs);
}

void thread_group::open(state next) noexcept {
  gate_.store(next, std::memory_order_release);
  gate_.notify_all();
}

void thread_group::join() {
  for (std::thread& one : threads_) {
    if (one.joinable()) one.join();
  }
}

}  // namespace far::base
