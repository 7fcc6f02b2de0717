#include "far/object/part.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/asymmetric_fence.hpp"
#include "far/homes/registry.hpp"
#include "far/memory/allocate.hpp"
#include "far/object/copy/packets.hpp"
#include "far/object/heap/stale_memory.hpp"
#include "far/team/barrier.hpp"

namespace far::objects {
namespace {

constexpr std::uint64_t default_bytes = std::uint64_t{64} << 20;

bool has_reachable_copies(const object_space_options& options) {
  return options.reachable_copies || options.protocol == object_protocol::update_in_place;
}

/// 0: nobody has asked for a size.
std::uint64_t asked_bytes(const object_space_options& options) {
  const std::uint64_t wanted =
      options.heap_bytes != 0 ? options.heap_bytes : base::environment_size("FAR_OBJECT_HEAP", 0);
  if (wanted > place::offset_mask) {
    throw bad_argument("object_space: a heap of more than 1 TB at a rank");
  }
  return (wanted + block_bytes - 1) / block_bytes * block_bytes;
}

/// Of each rank; `limit` is the heap's first one.
heap_memory make_memory(const world& world, const object_space_options& options) {
  const auto allocated = [&](std::uint64_t bytes, std::uint64_t limit) {
    return heap_memory{allocate<std::byte>(world, bytes), bytes, limit};
  };
  if (const std::uint64_t asked = asked_bytes(options); asked != 0) return allocated(asked, asked);
  const std::uint64_t symmetric = world.fabric().layout().bytes[fabric::symmetric_segment];
  const std::uint64_t most = std::min<std::uint64_t>(symmetric / 4, place::offset_mask);
  if (most > default_bytes && !has_reachable_copies(options)) {
    try {
      return allocated(most / block_bytes * block_bytes, default_bytes);
    } catch (const out_of_memory&) {  // at all ranks, since the heap is symmetric
    }
  }
  return allocated(default_bytes, default_bytes);
}

/// Where threads share the objects' memory, as far as there is room for them: then at all ranks.
ptr<inflated_monitor> make_inflated(const world& world, bool coherent) {
  if (!coherent || world.size() == 0) return {};
  try {
    return allocate<inflated_monitor>(world, max_inflated);
  } catch (const out_of_memory&) {
    return {};
  }
}

std::uint64_t cache_bytes(const object_space_options& options) {
  const std::uint64_t wanted = options.cache_bytes != 0
                                   ? options.cache_bytes
                                   : base::environment_size("FAR_OBJECT_CACHE", default_bytes);
  return std::max<std::uint64_t>(wanted, 8192);
}

}  // namespace

part::part(const world& world, const object_space_options& options)
    : homes::part(world),
      size(world.size()),
      coherent(world.fabric().coherent() && !options.force_protocol),
      memory(make_memory(world, options)),
      inflated(make_inflated(world, coherent)),
      inline_bytes(std::min<std::size_t>(world.fabric().max_payload(), 8192) - sizeof(fetch_reply)),
      packet_bytes(std::min(world.fabric().max_payload(), max_packet_bytes)),
      asymmetric(fabric::has_asymmetric_fence()),
      collects(options.collects),
      main_context(&world.context()),
      replies(options.replies),
      protocol(options.protocol),
      migrate_after(coherent ? 0 : options.migrate_after),
      reachable_copies(has_reachable_copies(options)),
      tracks_changes(options.tracks_changes),
      heap(world.fabric().local(memory.at.address()), memory.bytes, memory.limit, world.rank()),
      directory(*this),
      copies(world.size(), memory.bytes, cache_bytes(options),
             reachable_copies ? &world.state() : nullptr),
      monitors(*this),
      collection(*this) {}

part::~part() = default;

void part::keep(place at) {
  const std::scoped_lock lock(mutex);
  ++kept[at.bits()];
}

void part::release(place at) {
  const std::scoped_lock lock(mutex);
  const auto found = kept.find(at.bits());
  if (found == kept.end()) {
    throw bad_argument(
        fmt::format("object_space::release: the object at offset {} of rank {} is not kept",
                    at.offset(), at.rank()));
  }
  if (--found->second == 0) kept.erase(found);
}

std::vector<place> part::take_changed() {
  if (!tracks_changes) {
    throw bad_argument("object_space: take_changed needs object_space_options::tracks_changes");
  }
  std::unordered_set<std::uint64_t> taken;
  {
    const std::scoped_lock lock(mutex);
    taken.swap(changed);
  }
  std::vector<place> places;
  places.reserve(taken.size());
  for (const std::uint64_t bits : taken) places.emplace_back(bits);
  return places;
}

void part::learn(const type_descriptor& type) {
  const std::scoped_lock lock(mutex);
  types.add(type);
}

const type_descriptor& part::learn(std::unique_ptr<described_type> type) {
  const std::scoped_lock lock(mutex);
  return types.add(std::move(type));
}

void part::make_listed(copy& c) {
  if (!c.kept) return;
  c.kept = false;
  note_changed(c.at);
  (void)c.close();  // an update under way may end
  for (const auto& thread : threads) {
    if (thread == nullptr) continue;
    std::uint64_t* const bits = thread->reaches[static_cast<std::size_t>(c.at.rank())].readable;
    if (bits == nullptr || !peek_bit(bits, c.at.offset())) continue;
    thread->listed.push_back(&c);
    thread->has_listed.store(true, std::memory_order_release);
  }
}

void part::end_flush(outbox& out, copy& c) {
  if (c.packets > 0 || !c.sent) return;
  c.busy = busy_with::nothing;
  c.in_flight.clear();
  if (!c.verdict || c.revoked) {
    make_listed(c);
  } else if (c.changed && !c.missed) {
    c.kept = true;
    c.owned = c.granted && !c.recalled && c.writers == 0;
  }
  if (c.writers == 0 && !c.owned) c.twin.reset();
  c.offer();
  wake(out);
}

bool part::waits(const thread_record& thread) const {
  if (thread.parked) return true;
  return std::ranges::any_of(threads, [&](const auto& other) {
    if (other == nullptr) return false;
    if (other->context == thread.context) return other->parked;
    return thread.context == main_context;  // in world::threads, since others have views
  });
}

bool part::tell_own_writers(std::uint64_t offset) {
  bool any = false;
  for (const auto& thread : threads) {
    if (thread == nullptr) continue;
    std::uint64_t* const bits = thread->reaches[static_cast<std::size_t>(rank)].writable;
    if (bits == nullptr || !peek_bit(bits, offset)) continue;
    // Unless it has been told and not published since, no copy lacks anything that it has written.
    if (waits(*thread) && (thread->parked || !thread->seen.contains(offset))) {
      clear_bit(bits, offset);
      thread->seen.erase(offset);
      continue;
    }
    any = true;
    if (!thread->seen.insert(offset).second) continue;
    thread->has_seen.store(true, std::memory_order_relaxed);
    told = true;
  }
  return any;
}

bool part::has_own_users(std::uint64_t offset) const {
  return std::ranges::any_of(threads, [&](const auto& thread) {
    if (thread == nullptr) return false;
    const reach& r = thread->reaches[static_cast<std::size_t>(rank)];
    return peek_bit(r.readable, offset) || peek_bit(r.writable, offset);
  });
}

void part::ask_own_readers(std::uint64_t offset) {
  for (const auto& thread : threads) {
    if (thread == nullptr) continue;
    const reach& r = thread->reaches[static_cast<std::size_t>(rank)];
    if (!peek_bit(r.readable, offset)) continue;
    if (waits(*thread)) {
      clear_bit(r.readable, offset);
      continue;
    }
    thread->asked_own.insert(offset);
    thread->has_listed.store(true, std::memory_order_release);
  }
}

bool part::has_own_writers(std::uint64_t offset) const {
  return std::ranges::any_of(threads, [&](const auto& thread) {
    if (thread == nullptr) return false;
    std::uint64_t* const bits = thread->reaches[static_cast<std::size_t>(rank)].writable;
    return bits != nullptr && peek_bit(bits, offset);
  });
}

std::size_t part::bytes_of_region(std::uint64_t offset) const {
  const region_header header = heap.header_at(offset);
  return std::size_t{header.length} * types.at(header.type)->size();
}

std::uint64_t part::pieces_of(std::uint64_t offset) const {
  const region_header header = heap.header_at(offset);
  if (header.piece() != 0) return 1;
  const std::uint64_t per = per_piece(types.at(header.type)->size());
  return std::max<std::uint64_t>((header.total() + per - 1) / per, 1);
}

bool part::disown(copy& c) {
  c.owned = false;
  bool any = false;
  for (const auto& thread : threads) {
    if (thread == nullptr) continue;
    std::uint64_t* const bits = thread->reaches[static_cast<std::size_t>(c.at.rank())].writable;
    if (bits == nullptr || !peek_bit(bits, c.at.offset())) continue;
    if (thread->parked) {  // it has published
      clear_bit(bits, c.at.offset());
      --c.writers;
      continue;
    }
    any = true;
    thread->recalled.push_back(&c);
    thread->has_recalled.store(true, std::memory_order_relaxed);
  }
  return any;
}

void part::give_up(thread_record& thread, copy& c, std::vector<dropped_copy>& dropped) {
  thread.asked.erase(&c);
  clear_bit(thread.reaches[static_cast<std::size_t>(c.at.rank())].readable, c.at.offset());
  if (--c.readers > 0 || c.writers > 0 || c.kept || c.busy != busy_with::nothing) return;
  c.fetched = 0;  // the home forgets it, so whoever needs it fetches it again
  dropped.push_back({c.at, c.number});
  if (c.twin_place == nullptr) forbid(c.data, c.bytes());  // else its home may still be writing it
}

void part::give_up_unused(thread_record& thread, std::vector<dropped_copy>& dropped) {
  const std::uint64_t before = thread.release_epoch;
  // If threads are to stop, one that has not must find out at its next safe point.
  thread.release_epoch =
      release_epoch.load(std::memory_order_relaxed) - (collection.is_stopping() ? 1 : 0);
  std::erase_if(thread.listed, [&](const copy* c) {
    const reach& r = thread.reaches[static_cast<std::size_t>(c->at.rank())];
    return !peek_bit(r.writable, c->at.offset());
  });
  copies.for_each_since(before, thread.release_epoch, [&](copy& c) {
    const reach& r = thread.reaches[static_cast<std::size_t>(c.at.rank())];
    if (r.readable == nullptr || !peek_bit(r.readable, c.at.offset())) return false;
    if (peek_bit(r.writable, c.at.offset())) {
      if (!c.owned) return true;
      clear_bit(r.writable, c.at.offset());
      --c.writers;
    }
    give_up(thread, c, dropped);
    return false;
  });
}

bool part::claim_memory(copy& c, std::size_t bytes, std::vector<dropped_copy>& dropped) {
  const std::size_t before = dropped.size();
  bool has_room = copies.claim_memory(c, bytes, dropped);
  if (!has_room) {
    for (const auto& thread : threads) {
      if (thread != nullptr && thread->parked) give_up_unused(*thread, dropped);
    }
    has_room = copies.claim_memory(c, bytes, dropped);
  }
  for (std::size_t i = before; i < dropped.size(); ++i) note_changed(dropped[i].at);
  return has_room;
}

std::shared_ptr<part> make_part(const world& world, const object_space_options& options) {
  if (options.tracks_changes &&
      (options.reachable_copies || options.protocol == object_protocol::update_in_place)) {
    throw bad_argument(
        "object_space: tracks_changes does not go with reachable_copies or update_in_place, by "
        "which homes write copies unseen");
  }
  auto made = std::make_shared<part>(world, options);
  homes::open_part(world, made, "object_space");
  return made;
}

void release_part(const world& world, part& of, const collective_scope& scope) noexcept {
  permit(of.heap.memory(), of.heap.written());
  homes::close_part(world, of, scope, [&](bool in_use) {
    if (of.inflated) deallocate(world, of.inflated);
    const fabric::address at = of.memory.at.address();
    world.state().get<memory::heaps>().symmetric_with(at).deallocate(at, of.heap.written());
    if (!in_use) of.copies.release(world.state());
  });
}

}  // namespace far::objects
