#include "bindings/kv/watch_log.hpp"

#include <chrono>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace far::kv {

event_log::event_log(int rank, int ranks, std::size_t max_bytes)
    : rank_(rank), max_bytes_(max_bytes), wishes_(static_cast<std::size_t>(ranks)) {}

void event_log::set_wanted(int rank, std::uint64_t number, event_kinds kinds) {
  const std::scoped_lock lock(mutex_);
  wish& of_rank = wishes_[static_cast<std::size_t>(rank)];
  if (number < of_rank.number) return;
  of_rank = {number, kinds};
  event_kinds all = 0;
  for (const wish& each : wishes_) all |= each.kinds;
  wanted_.store(all, std::memory_order_relaxed);
}

event_kinds event_log::wanted_at(int rank) const {
  const std::scoped_lock lock(mutex_);
  return wishes_[static_cast<std::size_t>(rank)].kinds;
}

void event_log::set_wake(std::function<void()> wake) {
  const std::scoped_lock lock(mutex_);
  wake_ = std::move(wake);
}

void event_log::add(event_kinds kind, std::string_view pairs) noexcept try {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  const std::scoped_lock lock(mutex_);
  if (!wake_ || bytes_ + pairs.size() > max_bytes_) {
    ++dropped_;
    return;
  }
  // Numbers of the ranks alternate, so that each is that of one line.
  const std::uint64_t number = lines_++ * wishes_.size() + static_cast<std::uint64_t>(rank_) + 1;
  constexpr std::int64_t second = 1'000'000;
  events_.push_back(
      {kind, fmt::format("ts={}.{:06} gid={} {}\n", us / second, us % second, number, pairs)});
  bytes_ += events_.back().line.size();
  ++written_;
  if (!std::exchange(is_awake_, true)) wake_();
} catch (const std::bad_alloc&) {
  ++dropped_;
}

std::vector<logged_event> event_log::take() {
  const std::scoped_lock lock(mutex_);
  if (events_.empty()) is_awake_ = false;
  bytes_ = 0;
  return std::exchange(events_, {});
}

}  // namespace far::kv
