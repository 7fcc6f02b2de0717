#include "far/object/home/recall.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/asymmetric_fence.hpp"
#include "far/object/copy/packets.hpp"
#include "far/object/home/updates.hpp"
#include "far/object/messages.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

// ---- the home's side ----------------------------------------------------------------------------

struct recall_batch {
  std::shared_ptr<part> of;
  fabric::context* context;
  recalled_regions regions;
  std::uint64_t number;
  thread_work* mine;        ///< of the thread whose context it is; null: a lane's
  std::size_t awaited = 1;  ///< packets
};

struct sent_recall : fabric::request {
  std::shared_ptr<recall_batch> batch;
  std::uint32_t packet = 0;
  std::vector<std::byte> answer;

  static void keep(fabric::request& self, fabric::payload bytes) noexcept {
    static_cast<sent_recall&>(self).answer.assign(bytes.begin(), bytes.end());
  }
  static void on_answered(fabric::completion& self) noexcept;
};

void send_packet(const std::shared_ptr<recall_batch>& batch, std::uint32_t packet) {
  auto sent = std::make_unique<sent_recall>();
  sent->on_reply = &sent_recall::keep;
  sent->on_done = &sent_recall::on_answered;
  sent->batch = batch;
  sent->packet = packet;
  const auto& offsets = batch->regions.offsets;
  const recall_message header{.object = batch->of->id,
                              .packet = packet,
                              .number = batch->number,
                              .count = static_cast<std::uint32_t>(offsets.size())};
  auto message = homes::message_to(*batch->context, batch->regions.rank, header);
  if (packet == 0) message.body = std::as_bytes(std::span(offsets));
  message.reply_bytes = static_cast<std::uint32_t>(batch->of->packet_bytes);
  message.reply = sent.release();
  batch->context->send(message);
}

void sent_recall::on_answered(fabric::completion& self) noexcept {
  const std::unique_ptr<sent_recall> sent(static_cast<sent_recall*>(&self));
  const std::shared_ptr<recall_batch> batch = sent->batch;
  part& of = *batch->of;
  outbox out;
  std::size_t packets = 0;
  bool is_over = false;
  {
    const std::scoped_lock lock(of.mutex);
    try {
      if (!sent->answer.empty()) {  // else of a space that is gone
        fabric::payload rest = sent->answer;
        const auto header = take<packet_header>(rest);
        if (sent->packet == 0) packets = header.object;
        (void)apply_packet(of, sent->answer);
      }
    } catch (const fabric_error&) {
      return batch->context->owner().fail_job(std::current_exception());
    }
    if (packets > 1) batch->awaited += packets - 1;
    is_over = --batch->awaited == 0;
    if (is_over) of.directory.recalled(out, batch->regions.offsets);
  }
  for (std::size_t i = 1; i < packets; ++i) send_packet(batch, static_cast<std::uint32_t>(i));
  if (is_over) end_step(of, *batch->context, batch->mine, std::move(out));
}

// ---- the owner's side ---------------------------------------------------------------------------

/// What the owner's threads have changed, in packets. Its copies are owned no longer.
std::vector<update_packet> hand_back(part& of, int home, fabric::payload offsets) {
  std::vector<copy*> owned;
  bool told = false;
  while (!offsets.empty()) {
    copy* const c = of.copies.find(place(of.space(), home, take<std::uint64_t>(offsets)));
    if (c == nullptr) continue;
    c->recalled = true;  // a grant that is on its way comes too late
    if (!c->owned) continue;
    told |= of.disown(*c);
    owned.push_back(c);
  }
  // A thread that has been told sees it at its next release, or has made its changes before.
  if (told) fabric::heavy_fence(of.asymmetric);
  const std::size_t room = of.packet_bytes - sizeof(packet_header) - sizeof(packet_region);
  outbox packets;
  for (copy* const c : owned) {
    difference changes(c->data, c->twin.get(), *c->type, c->length);
    run_writer runs(room);
    for (auto cell = changes.next(); cell.width != 0; cell = changes.next()) runs.put(cell);
    for (const auto& piece : runs.finish()) {
      add_update(of, packets, home, {c->at.offset(), c->number, 0, 0, 0}, piece);
    }
    if (c->writers == 0) c->twin.reset();
    c->offer();
  }
  return std::move(packets.updates);
}

std::vector<std::byte> answer_recall(part& of, int home, const recall_message& header,
                                     fabric::payload offsets) {
  const std::scoped_lock lock(of.mutex);
  const std::pair key(home, header.number);
  if (header.packet > 0) {
    const auto found = of.handed_back.find(key);
    if (found == of.handed_back.end() || header.packet >= found->second.packets.size()) {
      throw_malformed("it asks for changes that are not kept for it");
    }
    handed_back& rest = found->second;
    std::vector<std::byte> packet = std::move(rest.packets[header.packet]);
    if (--rest.left == 0) of.handed_back.erase(key);
    return packet;
  }
  std::vector<update_packet> all = hand_back(of, home, offsets);
  if (all.empty()) all.emplace_back();
  std::vector<std::byte> first = std::move(all.front().bytes);
  first.resize(std::max(first.size(), sizeof(packet_header)));
  const auto packets = static_cast<std::uint32_t>(all.size());
  std::memcpy(first.data() + offsetof(packet_header, object), &packets, sizeof(packets));
  if (packets > 1) {
    handed_back& rest = of.handed_back[key];
    rest.left = packets - 1;
    rest.packets.resize(1);  // the first
    for (std::size_t i = 1; i < packets; ++i) rest.packets.push_back(std::move(all[i].bytes));
  }
  return first;
}

}  // namespace

void add_recall(const part& of, outbox& out, int rank, std::uint64_t offset) {
  const std::size_t most = (of.packet_bytes - sizeof(recall_message)) / sizeof(offset);
  const auto last = std::find_if(out.recalls.rbegin(), out.recalls.rend(),
                                 [&](const recalled_regions& r) { return r.rank == rank; });
  if (last == out.recalls.rend() || last->offsets.size() == most) {
    out.recalls.push_back({rank, {offset}});
  } else {
    last->offsets.push_back(offset);
  }
}

void send_recall(part& of, fabric::context& context, recalled_regions&& regions,
                 thread_work* mine) {
  if (mine != nullptr) ++mine->in_flight;
  send_packet(
      std::make_shared<recall_batch>(recall_batch{of.shared_from_this(), &context,
                                                  std::move(regions), of.clock.fetch_add(1), mine}),
      0);
}

void recall_message::receive(const std::shared_ptr<part>& of, const recall_message& header,
                             fabric::message& message) {
  message.reply(
      answer_recall(*of, message.source(), header, homes::rest_of<recall_message>(message)));
}

void give_back_message::receive(const std::shared_ptr<part>& of, const give_back_message& header,
                                fabric::message& message) {
  homes::step(message, of, [&](outbox& out) {
    if (of->directory.owner(header.offset) != message.source()) return message.reply();
    of->directory.recall(out, header.offset, false);
    of->directory.when_back(header.offset, [token = message.take_token()](outbox& then) {
      then.replies.push_back({token, {}});
    });
  });
}

}  // namespace far::objects
