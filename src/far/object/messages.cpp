#include "far/object/messages.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/asymmetric_fence.hpp"
#include "far/object/copy/in_place.hpp"
#include "far/object/copy/packets.hpp"
#include "far/object/heap/words.hpp"
#include "far/object/home/updates.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

void send_revocation(part& of, fabric::context& context, const revocation& r) {
  const revoke_message header{of.id, place(of.space(), of.rank, r.offset).bits()};
  auto message = homes::message_to(context, r.rank, header);
  message.reply = homes::then_step(
      of.shared_from_this(), context,
      [&of, offset = r.offset](outbox& out) { of.directory.revoked(out, offset); });
  context.send(message);
}

/// The answer to a fetch.
class fetch_answer {
 public:
  fetch_answer(part& of, const fetch_message& asked)
      : of_(&of),
        asked_(asked),
        reply_{fetch_status::nothing_there, of.heap.header_at(asked.offset)} {}

  /// Under the mutex.
  void decide(int rank) {
    const bool kept = of_->directory.fetched(asked_.offset, rank, asked_.number,
                                             copies_address::from_bits(asked_.copies));
    told_ = std::exchange(of_->told, false);
    reply_.status = kept ? fetch_status::kept : fetch_status::listed;
    bytes_ = of_->bytes_of_region(asked_.offset);
    bytes_ = asked_.from < bytes_ ? bytes_ - asked_.from : 0;
    bytes_ = std::min(bytes_, std::size_t{asked_.bytes});
    if (asked_.lands == 0) bytes_ = std::min(bytes_, of_->inline_bytes);
    if (kept) load();
  }
  /// Valid as long as the answer.
  [[nodiscard]] fabric::payload complete() {
    if (reply_.status == fetch_status::listed) {
      // A thread of this rank that was told just now sees it at its next release, or has made its
      // changes before.
      if (told_) fabric::heavy_fence(of_->asymmetric);
      load();
    }
    std::memcpy(whole_, &reply_, sizeof(reply_));
    return {whole_, sizeof(reply_) + bytes_};
  }

 private:
  void load() {
    if (sizeof(reply_) + bytes_ > room_.size()) {
      large_ = std::make_unique_for_overwrite<std::byte[]>(sizeof(reply_) + bytes_);
      whole_ = large_.get();
    }
    load_words(whole_ + sizeof(reply_), of_->heap.data_at(asked_.offset) + asked_.from, bytes_);
  }

  part* of_;
  fetch_message asked_;
  fetch_reply reply_;
  std::array<std::byte, 8192> room_;
  std::unique_ptr<std::byte[]> large_;
  std::byte* whole_ = room_.data();
  std::size_t bytes_ = 0;
  bool told_ = false;
};

/// Under the mutex: takes a region back, and answers a fetch of it then.
void answer_when_back(part& of, outbox& out, const fetch_message& asked, int rank,
                      const fabric::reply_token& token) {
  of.directory.recall(out, asked.offset, true);
  of.directory.when_back(asked.offset, [&of, asked, rank, token](outbox& then) {
    if (of.directory.is_away(asked.offset, rank)) {
      return answer_when_back(of, then, asked, rank, token);
    }
    fetch_answer answer(of, asked);
    answer.decide(rank);
    const fabric::payload bytes = answer.complete();
    then.replies.push_back({token, {bytes.begin(), bytes.end()}, asked.lands != 0});
  });
}

std::uint64_t followed_of(fabric::payload packet) { return take<packet_header>(packet).followed; }

/// Under the mutex: applies a packet, and answers when its changes are visible. Changes of a region
/// that is being recalled come from its owner, and are later than what it gives back; those of
/// other ranks, whose copies the directory does not know, recall it.
void apply_changes(part& of, outbox& out, int writer, const fabric::reply_token& token,
                   fabric::payload packet) {
  const auto offsets = of.directory.has_away() ? regions_of(packet) : std::vector<std::uint64_t>();
  for (const std::uint64_t offset : offsets) {
    const int owner = of.directory.owner(offset);
    if (owner >= 0 && owner != writer) of.directory.recall(out, offset, true);
    if (!of.directory.is_recalled(offset)) continue;
    of.directory.when_back(offset,
                           [&of, writer, token, kept = std::vector(packet.begin(), packet.end())](
                               outbox& then) { apply_changes(of, then, writer, token, kept); });
    return;
  }
  auto change = std::make_unique<pending_change>();
  change->token = token;
  change->writer = writer;
  change->followed = followed_of(packet);
  const std::vector<changed_region> regions = apply_packet(of, packet);
  for (const changed_region& region : regions) {
    change->regions.push_back(region.offset);
    change->numbers.push_back(region.number);
    of.directory.written_by_rank(out, region.offset, writer, region.runs, regions.size(),
                                 region.goes_on);
  }
  of.directory.finish(out, change.release());
}

}  // namespace

void outbox::flush(part& of, fabric::context& context, thread_work* mine) {
  for (const held_reply& r : replies) {
    const fabric::gather whole{r.bytes.data(), r.bytes.size()};
    if (r.lands) {
      context.reply(r.token, {}, std::span(&whole, 1));
    } else {
      context.reply(r.token, r.bytes);
    }
  }
  for (const revocation& r : revocations) send_revocation(of, context, r);
  for (update_packet& u : updates) send_update(of, context, std::move(u));
  for (copy_write& w : writes) start_write(of, context, std::move(w), mine);
  for (recalled_regions& r : recalls) send_recall(of, context, std::move(r), mine);
  if (wakes) of.wake_waiting(context);
}

void end_step(part& of, fabric::context& context, thread_work* mine, outbox&& out) {
  if (mine == nullptr) return out.flush(of, context);
  --mine->in_flight;
  if (!out.is_empty()) mine->left.push_back(std::move(out));
}

namespace {

void reply_to_fetch(fabric::message& message, const fetch_message& asked, fabric::payload bytes) {
  if (asked.lands == 0) return message.reply(bytes);
  const fabric::gather whole{bytes.data(), bytes.size()};
  message.reply({}, std::span(&whole, 1));
}

}  // namespace

void fetch_message::receive_without(const fetch_message& asked, fabric::message& message) {
  const fetch_reply nothing{fetch_status::nothing_there, {}};
  reply_to_fetch(message, asked, bytes_of(nothing));
}

void fetch_message::receive(const std::shared_ptr<part>& of, const fetch_message& asked,
                            fabric::message& message) {
  if (!of->heap.is_region(asked.offset)) return receive_without(asked, message);
  fetch_answer answer(*of, asked);
  bool waits = false;
  homes::step(message, of, [&](outbox& out) {
    waits = of->directory.is_away(asked.offset, message.source());
    if (waits) {
      answer_when_back(*of, out, asked, message.source(), message.take_token());
    } else {
      answer.decide(message.source());
    }
  });
  if (!waits) reply_to_fetch(message, asked, answer.complete());
}

void change_message::receive(const std::shared_ptr<part>& of, const change_message&,
                             fabric::message& message) {
  homes::step(message, of, [&](outbox& out) {
    apply_changes(*of, out, message.source(), message.take_token(), message.bytes());
  });
}

void left_message::receive(const std::shared_ptr<part>& of, const left_message& header,
                           fabric::message& message) {
  fabric::payload items = homes::rest_of<left_message>(message);
  if (items.size() != header.count * sizeof(left_item)) {
    throw_malformed("dropped copies are missing");
  }
  const std::scoped_lock lock(of->mutex);
  while (!items.empty()) {
    const auto item = take<left_item>(items);
    of->directory.left(item.offset, message.source(), item.number);
  }
}

void revoke_message::receive(const std::shared_ptr<part>& of, const revoke_message& header,
                             fabric::message& message) {
  {
    const std::scoped_lock lock(of->mutex);
    if (copy* const c = of->copies.find(objects::place(header.place))) {
      of->make_listed(*c);
      c->revoked = true;
    }
  }
  message.reply();
}

namespace {

/// Under the mutex.
void act(part& of, outbox& out, const monitor_message& asked, const fabric::reply_token& token,
         int rank) {
  monitor_table& table = of.monitors;
  switch (asked.what) {
    case monitor_request::enter:
      return table.enter(out, asked.offset, {token, asked.wants_object});
    case monitor_request::try_enter: {
      const bool entered = table.try_enter(asked.offset);
      const auto answer = entered ? monitor_answer::entered : monitor_answer::refused;
      out.replies.push_back({token, {static_cast<std::byte>(answer)}});
      return;
    }
    case monitor_request::exit:
      return table.exit(out, asked.offset, asked.notified);
    case monitor_request::wait:
      return table.wait(out, asked.offset, asked.notified, {token, asked.wants_object},
                        asked.number);
    case monitor_request::expire:
      return table.expire(out, asked.offset, {rank, asked.context}, asked.number);
  }
  throw_malformed("an unknown request of a monitor");
}

}  // namespace

void monitor_message::receive(const std::shared_ptr<part>& of, const monitor_message& asked,
                              fabric::message& message) {
  const int rank = message.source();
  const auto token = message.expects_reply() ? message.take_token() : fabric::reply_token();
  homes::step(message, of, [&](outbox& out) {
    if (!of->heap.is_region(asked.offset)) {
      if (!token.expects_reply()) return;
      out.replies.push_back({token, {static_cast<std::byte>(monitor_answer::refused)}});
    } else if (asked.follows) {
      of->followed.arrived(out, rank, asked.number,
                           [of = of.get(), asked, token, rank](outbox& then) {
                             act(*of, then, asked, token, rank);
                           });
    } else {
      act(*of, out, asked, token, rank);
    }
  });
}

void root_message::receive_without(const root_message&, fabric::message& message) {
  message.reply(bytes_of(root_value{}));
}

void root_message::receive(const std::shared_ptr<part>& of, const root_message& header,
                           fabric::message& message) {
  root_value found{};
  const fabric::payload name = homes::rest_of<root_message>(message);
  const std::string key(reinterpret_cast<const char*>(name.data()), name.size());
  {
    const std::scoped_lock lock(of->mutex);
    if (header.sets) of->roots[key] = header.value;
    const auto at = of->roots.find(key);
    if (at != of->roots.end()) found = at->second;
  }
  message.reply(bytes_of(found));
}

void stop_message::receive(const std::shared_ptr<part>& of, const stop_message&,
                           fabric::message& message) {
  homes::step(message, of, [&](outbox& out) {
    of->stopped = true;
    of->wake(out);
  });
}

}  // namespace far::objects
