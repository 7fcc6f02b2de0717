#include "far/object/thread_access.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/fabric/copy.hpp"
#include "far/memory/allocate.hpp"
#include "far/object/copy/packets.hpp"
#include "far/object/part.hpp"

namespace far::objects {

thread_access::thread_access(const far::world& world, std::shared_ptr<part> of)
    : world_(world), part_(std::move(of)) {
  auto record = std::make_unique<thread_record>(part_->size, world.context());
  me_ = record.get();
  first_slot_ = part_->space() << (60 - place::offset_bits);
  std::unique_lock lock(part_->mutex);
  // A thread that has another view has not stopped.
  wait_for_change(*part_, lock, world_, "the end of a collection", -1,
                  [this] { return !part_->collection.is_stopped(); });
  // Copies that other threads may read until they synchronize can be older than what this one has
  // come to know of before.
  me_->acquired = part_->clock.load();
  me_->free = part_->heap.take_rest();
  for (int rank = 0; rank < part_->size; ++rank) {
    if (part_->coherent || rank == part_->rank) {
      map(me_->reaches[static_cast<std::size_t>(rank)], rank);
    }
  }
  auto& threads = part_->threads;
  const auto unused = std::ranges::find_if(threads, [](const auto& t) { return t == nullptr; });
  if (unused != threads.end()) {
    *unused = std::move(record);
  } else {
    threads.push_back(std::move(record));
  }
}

thread_access::~thread_access() { close(); }

void thread_access::close() noexcept {
  if (me_ == nullptr) return;
  try {
    // A thread that an exception ends, or whose job has failed, publishes nothing.
    if (!watch_.is_unwinding() && !world_.fabric().knows_failure()) {
      // The thread looks for the last time whether ranks have fetched what it may write. Who
      // fetches later must see all of its changes.
      fabric::full_fence();
      publish();
    }
    if (!world_.fabric().knows_failure()) {  // else replies may be in flight
      me_->area.release(world_);
      for (const auto node : std::exchange(me_->nodes, {})) deallocate_local(world_, node);
    }
  } catch (const std::exception&) {
    // The program's next call reports the failure.
  }
  outbox out;
  {
    const std::scoped_lock lock(part_->mutex);
    give_up_record(out);
  }
  try {
    out.flush(*part_, world_.context());
  } catch (const std::exception&) {
    // As above.
  }
}

void thread_access::give_up_record(outbox& out) noexcept {
  part_->copies.for_each([&](copy& c) {
    const reach& r = me_->reaches[static_cast<std::size_t>(c.at.rank())];
    if (r.readable != nullptr && peek_bit(r.readable, c.at.offset())) --c.readers;
    if (r.writable != nullptr && peek_bit(r.writable, c.at.offset())) --c.writers;
    if (c.writers == 0 && !c.owned && c.busy == busy_with::nothing) c.twin.reset();
  });
  part_->heap.give_back(me_->free);
  if (me_->packets_in_flight + me_->work.in_flight > 0) {
    part_->itself = part_;
  } else {
    std::ranges::find_if(part_->threads, [this](const auto& t) { return t.get() == me_; })->reset();
  }
  me_ = nullptr;
  part_->collection.parked(out);
}

void thread_access::throw_invalid(const char* what, place at) const {
  throw bad_argument(
      fmt::format("object_space::{}: there is no such object at offset {} of rank {}", what,
                  at.offset(), at.rank()));
}

void thread_access::throw_other_type(place at, const type_descriptor& type) const {
  throw bad_argument(fmt::format("object_space: the object at offset {} of rank {} is not a {}",
                                 at.offset(), at.rank(), type.readable_name()));
}

void thread_access::check_place(const char* what, place at) const {
  if (at.is_null()) throw bad_argument(fmt::format("object_space::{}: a null reference", what));
  if (at.space() != part_->space()) {
    throw bad_argument(
        fmt::format("object_space::{}: the reference is to an object of another space", what));
  }
  if (at.rank() >= part_->size || at.offset() >= part_->heap.bytes()) throw_invalid(what, at);
}

ptr<std::byte> thread_access::at_home(place object, std::size_t offset) const {
  check_place("volatile_field", object);
  return part_->memory.at.on(object.rank()) + static_cast<std::int64_t>(object.offset() + offset);
}

void thread_access::map(reach& r, int rank) {
  r.limit = part_->heap.bytes();
  if (rank == part_->rank) {
    r.base = part_->heap.memory();
    if (!part_->coherent) r.writable = me_->make_bitmap(r.limit);
    if (part_->migrate_after > 0) r.readable = me_->make_bitmap(r.limit);
  } else if (part_->coherent) {
    r.base = world_.fabric().direct(part_->memory.at.on(rank).address());
  } else {
    r.base = part_->copies.memory_of(rank);
    r.readable = me_->make_bitmap(r.limit);
    r.writable = me_->make_bitmap(r.limit);
  }
  if (base::debug_checks) {  // a bit for each object that has been found to be there
    if (r.readable == nullptr) r.readable = me_->make_bitmap(r.limit);
    if (r.writable == nullptr) r.writable = me_->make_bitmap(r.limit);
  }
  slot_ = ~std::uint64_t{0};  // what is known of the last access may be older
}

/// Makes a place's rank that of the last access. False if there is no such rank.
bool thread_access::select(place at) noexcept {
  const std::uint64_t slot = at.bits() >> place::offset_bits;
  if (slot - first_slot_ >= static_cast<std::uint64_t>(part_->size)) return false;
  reach_ = me_->reaches[slot - first_slot_];
  slot_ = slot;
  return true;
}

std::byte* thread_access::element(place array, std::uint64_t i, const type_descriptor& type,
                                  bool writes) {
  return elements_from(array, i, type, writes).first;
}

/// The data of a piece, which need not exist: then null, or those of another region.
std::byte* thread_access::piece_of(place array, place region, const type_descriptor& type,
                                   bool writes) {
  std::byte* const data = writes ? writable(region) : readable(region);
  if (data != nullptr) return data;
  check_place(writes ? "write" : "read", array);
  try {
    return writes ? get_writable(region, type, true) : get_readable(region, type, true);
  } catch (const bad_argument&) {
    if (region == array) throw;
    return nullptr;
  }
}

thread_access::elements thread_access::elements_from(place array, std::uint64_t i,
                                                     const type_descriptor& type, bool writes) {
  const element_place at = find_element(array, i, type.size());
  region_header header{};
  std::byte* data = nullptr;
  if (at.piece <= (part_->heap.bytes() - array.offset()) / block_bytes) {
    data = piece_of(array, at.region, type, writes);
  }
  if (data != nullptr) header = header_of_region(data);
  if (header.type != type.id() || header.piece() != at.piece || at.number >= header.length) {
    throw bad_argument(
        fmt::format("object_space: index {} of an array of {} elements", i, length(array, type)));
  }
  return {data + at.number * type.size(), header.length - at.number};
}

std::uint64_t thread_access::length(place array, const type_descriptor& type) {
  check_place("size", array);
  // Headers of own regions do not migrate.
  const bool is_here = array.rank() == part_->rank && part_->heap.is_region(array.offset());
  const std::byte* const data =
      is_here ? part_->heap.data_at(array.offset()) : piece_of(array, array, type, false);
  const region_header header = header_of_region(data);
  if (header.type != type.id()) throw_other_type(array, type);
  return header.total();
}

// ---- roots --------------------------------------------------------------------------------------

root_value thread_access::ask_root(std::string_view name, bool sets, root_value value) {
  const int rank = static_cast<int>(base::hash_bytes(name.data(), name.size()) %
                                    static_cast<std::uint64_t>(part_->size));
  const root_message header{part_->id, sets, value};
  homes::request<root_value> pending;
  auto message = homes::message_to(world_.context(), rank, header);
  message.body = std::as_bytes(std::span(name.data(), name.size()));
  message.reply = &pending;
  message.reply_bytes = sizeof(root_value);
  world_.context().send(message);
  world_.context().wait(pending, {"root of an object_space", rank, {}});
  return pending.value();
}

void thread_access::set_root(std::string_view name, place at, const type_descriptor& type) {
  if (!at.is_null()) check_place("set_root", at);
  publish();
  (void)ask_root(name, true, {at.bits(), type.id()});
}

root_value thread_access::find_root(std::string_view name) {
  const root_value found = ask_root(name, false, {});
  const place kept(found.place);  // the name may mean another object meanwhile
  const root_link link(me_->handles, &kept);
  refresh();
  return found;
}

place thread_access::root(std::string_view name, const type_descriptor& type) {
  const root_value found = find_root(name);
  if (found.place != 0 && found.type != type.id()) {
    throw bad_argument(fmt::format("object_space::root: '{}' is an object of another type", name));
  }
  return place(found.place);
}

place thread_access::root(std::string_view name) { return place(find_root(name).place); }

}  // namespace far::objects
