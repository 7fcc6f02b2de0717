#include "far/object/heap/collector.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "far/base/check.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// Regions that a rank visits before it answers, so that other messages wait no longer than that.
constexpr std::size_t visited_at_once = 20000;

void reply_to(outbox& out, const fabric::reply_token& token, const auto& value) {
  const auto bytes = bytes_of(value);
  out.replies.push_back({token, {bytes.begin(), bytes.end()}});
}

}  // namespace

// ---- the conductor lock -------------------------------------------------------------------------

void collector::ask(outbox& out, const fabric::reply_token& token, std::uint64_t resumed) {
  if (running_) {
    asking_.push_back({token, resumed});
    return;
  }
  running_ = true;
  reply_to(out, token, conductor_lock_answer{true, -1});
}

void collector::end(outbox& out, int late) {
  ++ended_;
  running_ = false;
  for (const asking& a : std::exchange(asking_, {})) {
    if (a.resumed < ended_) {
      reply_to(out, a.token, conductor_lock_answer{false, late});
    } else {  // it had seen the end of that one before it asked
      ask(out, a.token, a.resumed);
    }
  }
}

// ---- threads ------------------------------------------------------------------------------------

bool collector::all_rest() const noexcept {
  return std::ranges::all_of(part_->threads,
                             [&](const auto& t) { return t == nullptr || part_->waits(*t); });
}

void collector::parked(outbox& out) {
  if (!awaiting_.expects_reply() || !is_stopped()) return;
  reply_to(out, std::exchange(awaiting_, {}), true);
}

// ---- steps --------------------------------------------------------------------------------------

void collector::stop() {
  stopping_ = true;
  part_->release_epoch.fetch_add(1,
                                 std::memory_order_relaxed);  // threads look for it at safe points
}

void collector::await(outbox& out, const fabric::reply_token& token) {
  if (!stopping_) return reply_to(out, token, false);
  awaiting_ = token;
  parked(out);
}

void collector::recall(outbox& out, const fabric::reply_token& token) {
  part_->directory.recall_all(out,
                              [token](outbox& then) { reply_to(then, token, swept_memory{}); });
}

void collector::reach_roots_of(const thread_record& thread) {
  thread.handles.for_each([&](place at) { marker_->reach(at); });
  for (const held_monitor& m : thread.held) marker_->reach(place(m.place));
  marker_->reach(place(thread.enters));
  if (thread.making != nullptr) {
    marker_->reach_all(thread.making, *thread.last_made, 1);
  }
}

/// Copies of regions that are freed must go; those of the others are fetched again.
void collector::forget_copies() {
  for (const auto& t : part_->threads) {
    if (t != nullptr) t->inflated = {};  // of an object that may be freed
  }
  part_->forgotten = ++part_->clock;
  part_->copies.for_each([&](copy& c) {
    if (c.twin == nullptr) {
      part_->note_changed(c.at);  // homes forget it, and do not tell of changes
      const auto home = static_cast<std::size_t>(c.at.rank());
      for (const auto& t : part_->threads) {
        if (t != nullptr && t->reaches[home].readable != nullptr) {
          clear_bit(t->reaches[home].readable, c.at.offset());
        }
      }
      return;
    }
    part_->make_listed(c);  // the home forgets it, too
    marker_->reach(c.at);
    marker_->reach_all(c.data, *c.type, c.length);
  });
  for (const auto& t : part_->threads) {
    if (t == nullptr) continue;
    std::erase_if(t->listed, [](const copy* c) { return c->twin == nullptr; });
    std::erase_if(t->asked, [](const copy* c) { return c->twin == nullptr; });
    t->seen.clear();
    t->has_seen.store(false, std::memory_order_relaxed);
  }
  part_->copies.erase_unchanged();
  part_->directory.forget_users();
}

void collector::begin() {
  marker_ = std::make_unique<marker>(*part_);
  for (const auto& t : part_->threads) {
    if (t != nullptr) reach_roots_of(*t);
  }
  for (const place at : part_->started) marker_->reach(at);
  for (const auto& [name, value] : part_->roots) marker_->reach(place(value.place));
  for (const held_monitor& m : part_->lent) marker_->reach(place(m.place));
  for (const auto& [bits, times] : part_->kept) marker_->reach(place(bits));
  forget_copies();
  if (base::debug_checks && part_->coherent) forget_found();
}

/// Debug builds: where there are no copies, objects of other ranks must be looked for again.
void collector::forget_found() {
  const std::size_t words = words_of_bitmap(part_->heap.bytes());
  for (const auto& t : part_->threads) {
    if (t == nullptr) continue;
    for (const reach& r : t->reaches) {
      for (std::uint64_t* const bitmap : {r.readable, r.writable}) {
        std::replace_if(
            bitmap, bitmap + words, [](std::uint64_t w) { return w != 0; },
            std::uint64_t{0});  // untouched pages take no memory
      }
    }
  }
}

bool collector::mark(std::span<const std::uint64_t> reached, std::size_t most,
                     std::vector<std::uint64_t>& foreign) {
  for (const std::uint64_t bits : reached) marker_->reach(place(bits));
  const bool visits = marker_->visit(visited_at_once);
  const bool passes_on = marker_->take_foreign(most, foreign);
  return visits || passes_on;
}

swept_memory collector::sweep() {
  for (const auto& t : part_->threads) {
    if (t != nullptr) t->free = {};
  }
  const auto own = static_cast<std::size_t>(part_->rank);
  part_->monitors.deflate(marker_->reached());
  const swept_memory swept = part_->heap.sweep(
      marker_->reached(), part_->types.by_id(), [&](std::size_t word, std::uint64_t freed) {
        for (const auto& t : part_->threads) {
          if (t == nullptr) continue;
          for (std::uint64_t* const rights : {t->reaches[own].readable, t->reaches[own].writable}) {
            if (rights == nullptr) continue;
            const std::atomic_ref<std::uint64_t> bits(rights[word]);
            const std::uint64_t before = bits.load(std::memory_order_relaxed);
            if ((before & freed) != 0) bits.store(before & ~freed, std::memory_order_relaxed);
          }
        }
      });
  part_->directory.forget_freed();
  return swept;
}

void collector::resume(outbox& out, const collection_counts& counts) {
  marker_.reset();
  stopping_ = false;
  ++resumed_;
  counts_ = counts;
  if (awaiting_.expects_reply()) reply_to(out, std::exchange(awaiting_, {}), false);
  part_->wake(out);
}

}  // namespace far::objects
