#include "shmem/shared_context.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <far/base/error.hpp>
#include <far/fabric/fabric.hpp>

namespace far::shmem {

shared_context::shared_context(common_context& common) noexcept
    : context(common.own->owner(), common.own->index()), common_(&common) {}

void shared_context::put(std::span<const fabric::put_part> parts, fabric::completion* done,
                         fabric::completion* source, const fabric::signal* after) {
  const std::scoped_lock lock(common_->mutex);
  common_->own->put(parts, done, source, after);
}

void shared_context::get(std::span<const fabric::get_part> parts, fabric::completion* done) {
  const std::scoped_lock lock(common_->mutex);
  common_->own->get(parts, done);
}

void shared_context::amo(const fabric::amo_request& request, fabric::completion* done) {
  const std::scoped_lock lock(common_->mutex);
  common_->own->amo(request, done);
}

void shared_context::flush(int rank, fabric::completion* done) {
  const std::scoped_lock lock(common_->mutex);
  common_->own->flush(rank, done);
}

bool shared_context::try_send(const fabric::send_request& message) {
  const std::scoped_lock lock(common_->mutex);
  return common_->own->try_send(message);
}

void shared_context::reply(const fabric::reply_token& token, fabric::payload inline_bytes,
                           std::span<const fabric::gather> data) {
  const std::scoped_lock lock(common_->mutex);
  common_->own->reply(token, inline_bytes, data);
}

bool shared_context::progress() {
  const std::scoped_lock lock(common_->mutex);
  return common_->own->progress();
}

bool shared_context::wait(base::function_ref<bool()> ready, fabric::deadline_ns deadline,
                          const fabric::wait_reason& /*reason*/) {
  for (std::uint32_t looks = 0;; ++looks) {
    {
      const std::scoped_lock lock(common_->mutex);
      if (ready()) return true;
      common_->own->progress();
      if (ready()) return true;
    }
    owner().check_job();
    if (deadline != fabric::never && owner().now() >= deadline) return false;
    rest(looks);
  }
}

void shared_context::wait(fabric::completion& done, const fabric::wait_reason& reason) {
  wait([&done] { return done.done(); }, fabric::never, reason);
}

void shared_context::pause(fabric::backoff& state) {
  owner().check_job();
  progress();
  rest(state.attempts++);
}

void shared_context::await_turn(fabric::turn& state) {
  owner().check_job();
  progress();
  rest(state.looks++);
}

void shared_context::compute(std::uint64_t duration_ns) { common_->own->compute(duration_ns); }

std::uint64_t shared_context::peek(fabric::address word) const { return common_->own->peek(word); }

// Handlers run on contexts of the fabric.
void shared_context::defer(int /*lane_index*/, fabric::task /*work*/) {
  throw error("tasks run on lanes' own contexts");
}

void shared_context::rest(std::uint32_t looks) {
  using std::chrono::microseconds;
  constexpr std::uint32_t yields = 64;
  if (looks < yields) return std::this_thread::yield();
  std::this_thread::sleep_for(
      std::min(microseconds(20 + (looks - yields) * 2), microseconds(1000)));
}

}  // namespace far::shmem
