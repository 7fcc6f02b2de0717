#include "far/fabric/context.hpp"

#include <algorithm>
#include <utility>

#include "far/base/check.hpp"
#include "far/fabric/fabric.hpp"

namespace far::fabric {

void context::wait(completion& done, const wait_reason& reason) {
  if (done.done()) return;
  wait([&done] { return done.done(); }, never, reason);
}

void context::flush(int rank) {
  completion done;
  flush(rank, &done);
  wait(done, {"flush", rank, {}});
}

void context::send(const send_request& message) {
  if (try_send(message)) return;
  bool sent = false;  // once is enough, however often it is asked
  wait([&] { return sent || (sent = try_send(message)); }, never,
       {"room for a message", message.rank, {}});
}

void* message::owner() const noexcept { return lane_->owner().owner; }

namespace {

/// The right to reply is used up: a handler replies at most once, and only to a request.
reply_token use_up(reply_token& token) {
  FAR_CHECK(token.expects_reply(), "a handler replies at most once, and only to a request");
  return std::exchange(token, reply_token{});
}

}  // namespace

void message::reply(payload inline_bytes, std::span<const gather> data) {
  lane_->reply(use_up(token_), inline_bytes, data);
}

reply_token message::take_token() {
  reply_token token = use_up(token_);
  if (token.landing_count > 0) {
    auto* copy = new landing[token.landing_count];
    std::copy_n(token.landings, token.landing_count, copy);
    token.landings = copy;
    token.owns_landings = true;
  }
  return token;
}

void message::defer(task work) { lane_->defer(lane_index_, std::move(work)); }

}  // namespace far::fabric
