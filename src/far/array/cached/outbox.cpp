#include "far/array/cached/outbox.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "far/array/cached/messages.hpp"
#include "far/array/cached/part.hpp"

namespace far::cached {
namespace {

/// One message for each home and right: up to 64 chunks. Evictions go first, because they come in
/// turn with the requests that they make room for. A chunk whose right is requested is not evicted,
/// so no chunk's eviction overtakes its own request.
void send_wants(part& of, fabric::context& context, std::span<want> wants) {
  std::ranges::stable_partition(wants, [](const want& w) { return w.what == right::none; });
  const std::size_t max_items = std::min<std::size_t>(64, of.inline_bytes / sizeof(want_item));
  std::vector<want_item> items;
  while (!wants.empty()) {
    const want& first = wants.front();
    items.clear();
    std::size_t n = 0;
    while (n < wants.size() && n < max_items && wants[n].home == first.home &&
           wants[n].what == first.what && wants[n].op == first.op &&
           wants[n].may_choose == first.may_choose && (n == 0 || wants[n].report.is_empty())) {
      items.push_back({wants[n].chunk, wants[n].line, wants[n].number, wants[n].copy});
      ++n;
    }
    const want_header header{of.id, first.what, first.may_choose, static_cast<std::uint32_t>(n),
                             first.report};
    auto message = homes::message_to(context, first.home, header);
    if (first.op != nullptr) message.handler = first.op->request_handler();
    message.body = std::as_bytes(std::span(items));
    context.send(message);
    wants = wants.subspan(n);
  }
}

// ---- grants -------------------------------------------------------------------------------------

void send_grant(part& of, fabric::context& lane, const grant& g, fabric::payload data) {
  const grant_header header{of.id, g.what, g.with_data, g.chunk, g.number};
  auto message = homes::message_to(lane, g.rank, header);
  message.body = data;
  lane.send(message);
}

/// Data that do not fit in a message: written into the holder's line, then the grant follows.
struct data_transfer : fabric::completion {
  std::shared_ptr<part> of;
  fabric::context* lane;
  grant granted;

  static void on_written(fabric::completion& self) noexcept {
    const std::unique_ptr<data_transfer> done(static_cast<data_transfer*>(&self));
    send_grant(*done->of, *done->lane, done->granted, {});
  }
};

void start_grant(part& of, fabric::context& lane, const grant& g) {
  const std::span<const std::byte> data(of.home_memory(g.chunk), of.bytes_of(g.chunk));
  if (!g.with_data || data.size() <= of.inline_bytes) {
    send_grant(of, lane, g, g.with_data ? data : fabric::payload());
    return;
  }
  auto* const transfer = new data_transfer;
  transfer->on_done = &data_transfer::on_written;
  transfer->of = of.shared_from_this();
  transfer->lane = &lane;
  transfer->granted = g;
  const fabric::put_part all{g.line, data.data(), data.size()};
  lane.put(std::span(&all, 1), transfer);
}

// ---- recalls ------------------------------------------------------------------------------------

struct sent_recall : fabric::request {
  std::shared_ptr<part> of;
  fabric::context* lane;
  recall what;
  bool lands = false;  ///< its data are written one-sided
  bool refused = false;
  int staging = -1;
  std::span<const std::byte> staged;  ///< where large operands land

  static void on_answer(fabric::request& self, fabric::payload data) noexcept {
    auto& sent = static_cast<sent_recall&>(self);
    // A refusal is a byte where no data are expected here, and nothing where they are.
    const bool expects_data = returns_data(sent.what.from) && !sent.lands;
    sent.refused = sent.what.eviction && data.empty() == expects_data;
    if (sent.refused || !expects_data) return;
    const std::scoped_lock lock(sent.of->mutex);
    sent.of->directory.returned(sent.what, data);
  }
  static void on_answered(fabric::completion& self) noexcept {
    const std::unique_ptr<sent_recall> sent(static_cast<sent_recall*>(&self));
    outbox out;
    {
      const std::scoped_lock lock(sent->of->mutex);
      if (sent->staging >= 0) {
        if (!sent->refused) sent->of->directory.returned(sent->what, sent->staged);
        if (const auto next = sent->of->staging.release(sent->staging))
          out.recalls.push_back(*next);
      }
      sent->of->directory.answered(out, sent->what, sent->refused);
    }
    out.flush(*sent->of, *sent->lane);
  }
};

void start_recall(part& of, fabric::context& lane, const recall& r) {
  const std::size_t bytes = of.bytes_of(r.chunk);
  const bool has_data = returns_data(r.from);
  auto sent = std::make_unique<sent_recall>();
  fabric::landing place{of.home_address(r.chunk), bytes};
  const bool lands = has_data && bytes > of.inline_bytes;
  if (lands && r.from == right::operate) {
    const std::scoped_lock lock(of.mutex);
    const std::optional<int> buffer = of.staging.acquire(r);
    if (!buffer) return;
    sent->staging = *buffer;
    place.to = of.staging.address_of(*buffer);
    sent->staged = {lane.owner().local(place.to), bytes};
  }
  sent->on_reply = &sent_recall::on_answer;
  sent->on_done = &sent_recall::on_answered;
  sent->of = of.shared_from_this();
  sent->lane = &lane;
  sent->what = r;
  sent->lands = lands;
  const recall_header header{of.id, r.from, r.keep, r.eviction, r.chunk, r.number};
  auto message = homes::message_to(lane, r.rank, header);
  message.reply = sent.release();
  if (lands) message.landings = std::span(&place, 1);
  // One more than the data, so that an answer with data and a refusal differ.
  message.reply_bytes = 1 + (has_data && !lands ? static_cast<std::uint32_t>(bytes) : 0);
  lane.send(message);
}

void answer_recall(const part& of, fabric::context& context, const recall_answer& a) {
  if (a.refused) {
    const std::byte refusal{};
    return context.reply(a.token, {&refusal, a.token.reply_bytes == 1 ? 1u : 0u});
  }
  if (a.bytes <= of.inline_bytes) {
    context.reply(a.token, {a.data, a.bytes});
  } else {
    const fabric::gather data{a.data, a.bytes};
    context.reply(a.token, {}, std::span(&data, 1));
  }
}

// ---- the home's own rights ----------------------------------------------------------------------

void continue_at_home(part& of, fabric::context& context, std::uint64_t chunk) {
  const continues_header header{of.id, chunk};
  context.send(homes::message_to(context, of.rank, header));
}

}  // namespace

void outbox::flush(part& of, fabric::context& context) {
  bool freed = false;
  for (const recall_answer& a : answers) {
    answer_recall(of, context, a);
    if (a.freed_slot < 0) continue;
    const std::scoped_lock lock(of.mutex);
    of.lines.free_slot(a.freed_slot);
    freed |= of.lines.waits_for_slot();
  }
  for (const grant& g : grants) start_grant(of, context, g);
  for (const recall& r : recalls) start_recall(of, context, r);
  if (context.is_lane()) {
    for (const std::uint64_t chunk : revoked_at_home) {
      outbox more;
      {
        const std::scoped_lock lock(of.mutex);
        of.directory.revoked_own(more, chunk);
      }
      more.flush(of, context);
    }
  } else {
    for (const std::uint64_t chunk : revoked_at_home) continue_at_home(of, context, chunk);
  }
  if (changed || freed) of.wake_waiting(context);
  send_wants(of, context, wants);  // none on a lane, whose tasks send no requests
}

}  // namespace far::cached
