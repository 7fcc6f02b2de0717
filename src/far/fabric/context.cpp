#include "far/fabric/context.hpp"

#include <algorithm>
#include <utility>

#include "far/base/error.hpp"
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
  bool sent = false;  // sends once, however often wait calls the condition
  wait([&] { return sent || (sent = try_send(message)); }, never,
       {"space for a message", message.rank, {}});
}

void* message::owner() const noexcept { return lane_->owner().owner; }

namespace {

void check_may_reply(const reply_token& token) {
  if (token.expects_reply()) return;
  throw bad_argument("a handler replies at most once, and only to a request that wants a reply");
}

}  // namespace

void message::reply(payload inline_bytes, std::span<const gather> data) {
  check_may_reply(token_);
  lane_->reply(token_, inline_bytes, data);
  token_.rank = -1;
}

reply_token message::take_token() {
  check_may_reply(token_);
  reply_token token = std::exchange(token_, reply_token{});
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
