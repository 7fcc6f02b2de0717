#include "far/containers/queue/ring_phase.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"

namespace far::containers {
bool phase_pushes::try_push(const std::byte* values, std::uint64_t n) {
  check_fits(where_, n);
  if (n == 0) return true;
  if (full_) return false;
  const std::uint64_t pos = where_.tail(world_).fetch_add(n);
  if (pos + n > limit_) limit_ = position_of(where_.freed(world_).load()) + where_.capacity;
  full_ = pos + n > limit_;
  if (!full_) {
    put(world_, ring_parts<put_part>(where_, pos, values, n).all());
  } else if (pos <= limit_) {
    where_.full_at(world_).store(pos);
  }
  return !full_;
}

void phase_pushes::settle(const world& world, const ring& where) {
  const std::uint64_t limit = where.freed(world).load() + where.capacity;
  const std::uint64_t tail = where.tail(world).load();
  if (tail <= limit) {
    where.ready(world).store(tail);
  } else {
    const std::uint64_t end = where.full_at(world).load();
    where.full_at(world).store(0);
    where.tail(world).store(end);
    where.ready(world).store(end);
  }
}

phase_pops::phase_pops(const world& world, const ring& where)
    : world_(world), where_(where), limit_(position_of(where.ready(world).load())) {}

std::uint64_t phase_pops::try_pop(std::byte* values, std::uint64_t n) {
  n = std::min(n, where_.capacity);
  if (n == 0 || empty_) return 0;
  const std::uint64_t pos = where_.head(world_).fetch_add(n);
  const std::uint64_t count = below(limit_, pos, n);
  empty_ = count < n;
  if (count > 0) get(world_, ring_parts<get_part>(where_, pos, values, count).all());
  return count;
}

void phase_pops::settle(const world& world, const ring& where) {
  const std::uint64_t end = std::min(where.head(world).load(), where.ready(world).load());
  where.head(world).store(end);
  where.freed(world).store(end);
}

template <class Side>
const world& ring_phase<Side>::begun(const world& world) {
  begin_phase(world, Side::phase, "queue");
  return world;
}

template <class Side>
void ring_phase<Side>::end() noexcept {
  scope_.leave(world_, [&] {
    if (world_.rank() == where_.host()) Side::settle(world_, where_);
  });
}

template class ring_phase<phase_pushes>;
template class ring_phase<phase_pops>;

ring_local::ring_local(const world& world, const ring& where) : where_(where) {
  if (world.rank() != where.host()) {
    throw bad_argument(fmt::format(
        "queue: rank {} requests the local view of a queue at rank {}: only the host has one",
        world.rank(), where.host()));
  }
  cursors_ = local(world, where.cursors);
  slots_ = local_span(world, ptr<std::byte>(where.slots), where.capacity * where.slot_bytes).data();
}

bool ring_local::try_push(const std::byte* values, std::uint64_t n) {
  check_fits(where_, n);
  if (cursors_->tail + n > cursors_->freed + where_.capacity) return false;
  const std::uint64_t index = cursors_->tail % where_.capacity;
  const std::uint64_t first = std::min(n, where_.capacity - index);
  if (n == 0) return true;
  std::memcpy(slots_ + index * where_.slot_bytes, values, first * where_.slot_bytes);
  std::memcpy(slots_, values + first * where_.slot_bytes, (n - first) * where_.slot_bytes);
  cursors_->tail += n;
  cursors_->ready = cursors_->tail;
  return true;
}

std::uint64_t ring_local::try_pop(std::byte* values, std::uint64_t n) {
  n = below(cursors_->ready, cursors_->head, n);
  if (n == 0) return 0;
  const std::uint64_t index = cursors_->head % where_.capacity;
  const std::uint64_t first = std::min(n, where_.capacity - index);
  std::memcpy(values, slots_ + index * where_.slot_bytes, first * where_.slot_bytes);
  std::memcpy(values + first * where_.slot_bytes, slots_, (n - first) * where_.slot_bytes);
  cursors_->head += n;
  cursors_->freed = cursors_->head;
  return n;
}

}  // namespace far::containers
