#include "far/object/copy/prefetching.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>
#include <utility>

#include "far/object/core.hpp"
#include "far/object/part.hpp"

namespace far::objects {

void early_fetch::keep(fabric::request& self, fabric::payload got) noexcept {
  auto& me = static_cast<early_fetch&>(self);
  if (me.lands || got.size() < sizeof(me.reply)) return;
  std::memcpy(&me.reply, got.data(), sizeof(me.reply));
  const fabric::payload data = got.subspan(sizeof(me.reply));
  me.data.resize(data.size());  // not more than was reserved
  std::ranges::copy(data, me.data.begin());
}

void start_fetch(const part& of, const world& view, early_fetch& early, std::size_t bytes) {
  const std::size_t in_message = bytes == 0 ? of.inline_bytes : std::min(bytes, of.inline_bytes);
  early.lands = of.replies != fetch_replies::messages && (bytes == 0 || bytes > of.inline_bytes) &&
                early.area.claim(view);
  early.reply = {};
  early.data.reserve(in_message);
  const fetch_message header{
      .object = of.id,
      .from = 0,
      .bytes = static_cast<std::uint32_t>(early.lands ? max_region_bytes : in_message),
      .lands = early.lands ? 1u : 0u,
      .offset = early.at.offset(),
      .number = early.number,
      .copies = of.copies.address_for(early.at.rank()).bits()};
  const fabric::landing place = early.lands ? early.area.landing() : fabric::landing{};
  auto message = homes::message_to(view.context(), early.at.rank(), header);
  message.reply = &early;
  if (early.lands) {
    message.landings = std::span(&place, 1);
  } else {
    message.reply_bytes = static_cast<std::uint32_t>(sizeof(fetch_reply) + in_message);
  }
  view.context().send(message);
}

fetched_region finish_fetch(const world& view, early_fetch& early, const copy& c) {
  view.context().wait(early, {"a copy of an object", early.at.rank(), {}});
  if (early.lands) {
    std::memcpy(&early.reply, early.area.data(), sizeof(early.reply));
    return {early.reply.status, early.reply.header, early.area.data() + sizeof(early.reply),
            max_region_bytes};
  }
  const region_header& header = early.reply.header;
  const bool is_whole = std::size_t{header.length} * c.type->size() <= early.data.size();
  return {early.reply.status, header, is_whole ? early.data.data() : nullptr, early.data.size()};
}

void core::prefetch(place at, const type_descriptor& type) {
  check_place("prefetch", at);
  start_early(at, type, type.size());
}

void core::prefetch(place array, std::uint64_t first, std::uint64_t count,
                    const type_descriptor& type) {
  check_place("prefetch", array);
  if (count == 0) return;
  const std::uint64_t room = part_->heap.bytes() - array.offset();  // from the array's begin on
  const std::uint64_t last = first + std::min(count - 1, ~first);
  const std::uint64_t end =
      std::min(last / per_piece(type.size()) + 1, (room + block_bytes - 1) / block_bytes);
  for (std::uint64_t piece = first / per_piece(type.size());
       piece < end && me_->early_open < max_early; ++piece) {
    start_early(array.plus(piece * block_bytes), type, 0);
  }
}

/// `bytes`: of the region; 0: not known.
void core::start_early(place at, const type_descriptor& type, std::size_t bytes) {
  if (part_->coherent || at.rank() == part_->rank || me_->early_open == max_early) return;
  if (me_->early_open == me_->early.size()) me_->early.push_back(std::make_unique<early_fetch>());
  early_fetch& early = *me_->early[me_->early_open];
  {
    const std::scoped_lock lock(part_->mutex);
    reach& r = me_->reaches[static_cast<std::size_t>(at.rank())];
    if (r.limit == 0) map(r, at.rank());
    copy* c = part_->copies.find(at);
    if (c == nullptr) c = &part_->copies.make(at, type);
    const bool is_here = c->present && (c->kept || c->fetched > me_->acquired);
    if (is_here || c->busy != busy_with::nothing || c->early != 0 || c->twin != nullptr ||
        c->type->id() != type.id()) {
      return;
    }
    early.at = at;
    early.number = ++part_->fetches;
    early.began = ++part_->clock;
    c->begun = early.began;
    c->early = early.number;
    c->number = early.number;
    c->sequence = 0;
    c->revoked = false;
    c->missed = true;
  }
  ++me_->early_open;
  start_fetch(*part_, view_, early, bytes);
}

/// The thread's prefetch of a copy, if it may be used. Under the mutex.
early_fetch* core::take_early(const copy& c) {
  if (c.early == 0) return nullptr;
  const auto open = std::span(me_->early).first(me_->early_open);
  const auto found = std::ranges::find(open, c.early, [](const auto& e) { return e->number; });
  if (found == open.end()) return nullptr;
  std::swap(*found, open.back());
  --me_->early_open;
  return open.back().get();
}

/// Waits until no prefetch is in flight, and ends those that have not been used.
void core::end_prefetches() {
  if (me_->early_open == 0) return;
  const auto open = std::span(me_->early).first(me_->early_open);
  for (const auto& e : open) {
    view_.context().wait(*e, {"a copy of an object", e->at.rank(), {}});
  }
  me_->early_open = 0;
  const std::scoped_lock lock(part_->mutex);
  for (const auto& e : open) {
    copy* const c = part_->copies.find(e->at);
    if (c == nullptr || c->early != e->number) continue;
    c->early = 0;
    if (c->readers > 0 || c->writers > 0 || c->busy != busy_with::nothing) continue;
    c->fetched = 0;
    me_->dropped.push_back({e->at, e->number});
    if (!c->present) part_->copies.erase(*c);
  }
}

}  // namespace far::objects
