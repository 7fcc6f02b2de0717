// Sending and replying. A message is an event. A reply is an event for each piece of data that
// lands, and one more that delivers it.

#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/sim/lane.hpp"
#include "far/fabric/sim/rank_context.hpp"

namespace far::fabric::sim {
namespace {

/// Messages of one class that a context may have in flight to one rank. There are few where orders
/// are explored, so that senders meet back-pressure.
constexpr int credits_explored = 4;
constexpr int credits_timed = 64;

/// A reply in flight: its data, and the number of pieces that have yet to land.
struct answer {
  std::uint32_t serial = 0;
  int from = 0;
  int to = 0;
  std::vector<std::byte> inline_bytes;
  std::vector<std::byte> data;
  std::size_t pieces_left = 0;
  std::vector<step_number> steps = {};  // at which pieces landed
};

void deliver(const std::shared_ptr<answer>& reply, simulation& job) {
  const auto entry = job.requests.find(reply->serial);
  if (entry == job.requests.end()) {  // its context was closed meanwhile
    job.orphans.erase(reply->serial);
  } else {
    const open_request& asked = entry->second;
    const bool lands_only = !reply->data.empty() && reply->inline_bytes.empty();
    asked.issuer->arrived(*asked.reply, std::move(reply->inline_bytes), lands_only);
    job.requests.erase(entry);
  }
  job.end_traffic();
}

void deliver_later(const std::shared_ptr<answer>& reply, simulation& job) {
  job.announce({event_label::kind::reply, 0, reply->to}, reply->steps);
  job.schedule().post([reply, &job] { deliver(reply, job); });
}

/// Posts the pieces of the data, landing after landing. By a clock, all pieces land at the same
/// time.
void scatter(const std::shared_ptr<answer>& reply, std::span<const landing> landings,
             simulation& job) {
  struct piece {
    address to;
    std::size_t from;
    std::size_t bytes;
  };
  std::vector<piece> pieces;
  std::size_t used = 0;
  for (const landing& place : landings) {
    const std::size_t bytes = std::min<std::size_t>(place.bytes, reply->data.size() - used);
    tear(job.schedule(), place.to, bytes, [&](std::uint64_t at, std::uint64_t length) {
      pieces.push_back({place.to + static_cast<std::int64_t>(at), used + at, length});
    });
    used += bytes;
  }
  reply->pieces_left = pieces.size();
  for (const piece& p : pieces) {
    std::byte* const to = job.rank(p.to.rank()).local(p.to);
    job.announce({event_label::kind::reply_data, reply->from, reply->to, p.to, p.bytes});
    job.schedule().post([reply, &job, to, from = p.from, bytes = p.bytes] {
      std::memcpy(to, reply->data.data() + from, bytes);
      job.note_step(reply->steps);
      if (--reply->pieces_left == 0) deliver_later(reply, job);
    });
  }
  if (pieces.empty()) deliver_later(reply, job);
}

}  // namespace

void rank_context::check_message(const send_request& message) const {
  const std::size_t max = home().max_payload();
  const std::size_t bytes = message.head.size() + message.body.size();
  if (message.rank < 0 || message.rank >= home().size() || message.lane < 0 ||
      message.lane >= home().lanes()) {
    throw bad_argument(
        fmt::format("message to lane {} of rank {}: the job has {} ranks of {} lanes", message.lane,
                    message.rank, home().size(), home().lanes()));
  }
  if (bytes > max || message.reply_bytes > max || message.landings.size() > max_landings) {
    throw bad_argument(
        fmt::format("message of {} bytes, reply of {}, {} landings: at most {}, {} and {}", bytes,
                    message.reply_bytes, message.landings.size(), max, max, max_landings));
  }
  if (handler_at(message.handler) == nullptr) {
    throw bad_argument(fmt::format("message to handler {}, which does not exist", message.handler));
  }
  if (message.reply == nullptr && (message.reply_bytes > 0 || !message.landings.empty())) {
    throw bad_argument("a message with room for a reply needs a request to complete");
  }
  for (const landing& place : message.landings) {
    if (place.to.rank() != home().rank()) {
      throw bad_argument("a landing must lie in the requester's own segments");
    }
    home().check_bounds(place.to, place.bytes);
  }
}

bool rank_context::take_credit(int rank, message_class kind) {
  int& used = credits_used_[{rank, kind}];
  const int all = job().costs() == nullptr ? credits_explored : credits_timed;
  // The first messages are sent however late credits return.
  if (job().exploring() != nullptr && ++sent_[{rank, kind}] > all) {
    touch_own(touch::part::credits);
  }
  lacks_credit_ = used == all;
  if (lacks_credit_) return false;
  ++used;
  return true;
}

void rank_context::credit_back(int rank, message_class kind) {
  --credits_used_[{rank, kind}];
  // A context that waits for something else must not be woken.
  if (!std::exchange(lacks_credit_, false)) return;
  job().touches(touch::part::mind, touch::mode::adds, home().rank());
  notify();
}

/// Builds the message, and registers its request.
envelope rank_context::pack(const send_request& message) {
  envelope result;
  result.source = home().rank();
  result.source_context = index();
  result.source_serial = serial_;
  result.handler = message.handler;
  result.kind = message.kind;
  result.payload.assign(message.head.begin(), message.head.end());
  result.payload.insert(result.payload.end(), message.body.begin(), message.body.end());
  job().begin_traffic(home().in_quiesce());  // until the handler has run
  if (message.reply == nullptr) return result;

  job().begin_traffic();  // until the reply has arrived
  message.reply->begin();
  if (!message.landings.empty()) home().charge_descriptors(message.landings.size());
  const std::uint32_t serial = job().next_serial();
  open_request& entry = job().requests[serial];
  entry.issuer = this;
  entry.reply = message.reply;
  entry.landings.assign(message.landings.begin(), message.landings.end());
  entry.reply_bytes = message.reply_bytes;
  entry.target = message.rank;
  result.token.rank = home().rank();
  result.token.context = static_cast<std::uint16_t>(index());
  result.token.serial = serial;
  result.token.reply_bytes = message.reply_bytes;
  result.token.landing_count = static_cast<std::uint32_t>(entry.landings.size());
  result.token.landings = entry.landings.data();
  return result;
}

void rank_context::launch(envelope message, int rank, int lane) {
  if (job().is_dead(home().rank())) return;
  // On the heap, because moving an event must not throw.
  auto sealed = std::make_unique<envelope>(std::move(message));
  const std::uint64_t bytes = sealed->payload.size();
  ++job().counts.messages;
  job().counts.message_bytes += bytes;
  home().charge_start(&start_costs::send, job().between(home().rank(), rank));
  job().announce({event_label::kind::message, home().rank(), rank});
  job().progressed();
  job().carry(home().rank(), rank, bytes, schedule().now(),
              [target = &job().rank(rank), lane, sealed = std::move(sealed)]() mutable {
                target->lane_at(lane).deliver(std::move(*sealed));
              });
}

bool rank_context::try_send(const send_request& message) {
  const visit inside(*this);
  check_message(message);
  if (!take_credit(message.rank, message.kind)) return false;
  launch(pack(message), message.rank, message.lane);
  return true;
}

void rank_context::reply(const reply_token& given, payload inline_bytes,
                         std::span<const gather> data) {
  const reply_token token = given;  // other fibers run before it is used
  const visit inside(*this);
  if (!token.expects_reply()) return;
  if (job().failed()) return release(token);
  const auto found = job().requests.find(token.serial);
  const bool orphan = job().orphans.contains(token.serial);
  if (!orphan) {
    if (found == job().requests.end() || found->second.answered ||
        found->second.target != home().rank()) {
      throw bad_argument("reply: the token was used before, or belongs to another rank");
    }
  }
  auto sent = std::make_shared<answer>();
  sent->serial = token.serial;
  sent->from = home().rank();
  sent->to = token.rank;
  sent->inline_bytes.assign(inline_bytes.begin(), inline_bytes.end());
  for (const gather& piece : data) {
    const auto* const from = static_cast<const std::byte*>(piece.from);
    sent->data.insert(sent->data.end(), from, from + piece.bytes);
  }
  if (orphan) {
    release(token);
    return deliver_later(sent, job());
  }
  std::size_t room = 0;
  for (const landing& place : found->second.landings) room += place.bytes;
  if (inline_bytes.size() > token.reply_bytes || sent->data.size() > room) {
    throw bad_argument(
        fmt::format("reply of {} bytes and {} bytes of data: the request has room "
                    "for {} and {}",
                    inline_bytes.size(), sent->data.size(), token.reply_bytes, room));
  }
  found->second.answered = true;
  const int to = token.rank;
  release(token);
  const std::uint64_t bytes = sent->inline_bytes.size() + sent->data.size();
  ++job().counts.replies;
  job().counts.message_bytes += bytes;
  if (data.empty() || home().descriptor_segments() == 0) {
    home().charge_start(&start_costs::send, job().between(home().rank(), to));
  } else {
    home().charge_descriptors(data.size());
  }
  if (job().costs() == nullptr) return scatter(sent, found->second.landings, job());
  // The requester's context may be closed meanwhile, so the landings are looked up on arrival.
  job().carry(home().rank(), to, bytes, schedule().now(), [sent, job = &job()] {
    const auto asked = job->requests.find(sent->serial);
    if (asked == job->requests.end()) return deliver(sent, *job);
    scatter(sent, asked->second.landings, *job);
  });
}

void rank_context::defer(int, task) {
  throw bad_argument("tasks are deferred by handlers, on their lane's context");
}

}  // namespace far::fabric::sim
