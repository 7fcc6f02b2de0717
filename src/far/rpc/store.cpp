#include "far/rpc/store.hpp"

#include <cstdio>
#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"
#include "far/memory/allocate.hpp"
#include "far/rpc/serialize.hpp"

namespace far::detail {
namespace {

/// Frees a result that was kept here and has been fetched.
struct release_handler {
  static void run(fabric::message& message) {
    auto* state = static_cast<rank_state*>(message.owner());
    if (state == nullptr) return;  // the rank is ending, and its memory disappears
    auto& room = state->get<rpc_store>();
    try {
      const auto place = wire::from_bytes<fabric::address>(message.bytes());
      if (!room.drop(place)) wire::throw_malformed("it releases an address that holds no result");
    } catch (...) {
      room.note_failure(std::current_exception());
    }
  }
};

fabric::send_request release_message(const fabric::context& context, const fabric::address& place) {
  fabric::send_request message;
  message.rank = place.rank();
  message.handler = fabric::handler_of<release_handler>::index();
  message.kind =
      context.is_lane() ? fabric::message_class::forward : fabric::message_class::request;
  message.head = std::as_bytes(std::span(&place, 1));
  return message;
}

}  // namespace

rpc_store::~rpc_store() {
  if (failure_ == nullptr) return;
  try {
    std::rethrow_exception(failure_);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "far: rank %d: a one-way call failed: %s\n", state_->fabric().rank(),
                 failure.what());
  } catch (...) {
    std::fprintf(stderr, "far: rank %d: a one-way call failed\n", state_->fabric().rank());
  }
}

kept_bytes rpc_store::keep(std::uint64_t bytes) {
  const fabric::address place = allocate_local<std::byte>(*state_, bytes).address();
  const std::scoped_lock lock(mutex_);
  kept_.insert(place.bits());
  return {place, bytes};
}

std::byte* rpc_store::memory_of(const kept_bytes& kept) const noexcept {
  return state_->fabric().local(kept.place);
}

bool rpc_store::drop(fabric::address place) {
  {
    const std::scoped_lock lock(mutex_);
    if (kept_.erase(place.bits()) == 0) return false;
  }
  deallocate_local(*state_, ptr<std::byte>(place));
  return true;
}

void rpc_store::release(fabric::context& context, fabric::address place) {
  std::vector<fabric::address> places = take_postponed();
  places.push_back(place);
  while (!places.empty() && context.try_send(release_message(context, places.back()))) {
    places.pop_back();
  }
  if (places.empty()) return;
  const std::scoped_lock lock(mutex_);
  postponed_.insert(postponed_.end(), places.begin(), places.end());
}

void rpc_store::send_postponed(fabric::context& context) {
  for (const fabric::address place : take_postponed()) {
    context.send(release_message(context, place));
  }
}

std::vector<fabric::address> rpc_store::take_postponed() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(postponed_, {});
}

void rpc_store::hold(std::shared_ptr<void> object) {
  const std::scoped_lock lock(mutex_);
  const void* const key = object.get();
  held_.emplace(key, std::move(object));
}

std::shared_ptr<void> rpc_store::release_held(const void* object) {
  const std::scoped_lock lock(mutex_);
  const auto node = held_.extract(object);
  return node.empty() ? nullptr : std::move(node.mapped());
}

void rpc_store::note_failure(std::exception_ptr failure) {
  const std::scoped_lock lock(mutex_);
  if (failure_ == nullptr) failure_ = std::move(failure);
}

std::exception_ptr rpc_store::take_failure() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(failure_, nullptr);
}

}  // namespace far::detail
