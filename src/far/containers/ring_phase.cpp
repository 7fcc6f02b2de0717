#include "far/containers/ring_phase.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"
#include "far/team/team.hpp"

namespace far::containers {
namespace {

using cursor = atomic_ref<std::uint64_t>;

/// Collective, at the end of a phase: the host sets both cursors of the side that was used to
/// where the last claim in time ends. Does nothing while an exception is on its way: then the
/// others need not come.
void end_phase(const world& view, const ring& where, const cursor& claimed, const cursor& moved,
               std::uint64_t end, int exceptions_before) noexcept {
  if (std::uncaught_exceptions() > exceptions_before) return;
  try {
    const auto later = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
    const std::uint64_t last = allreduce(view, end, later);
    if (view.rank() == where.host()) {
      claimed.store(last);
      moved.store(last);
    }
    barrier(view);
  } catch (const std::exception&) {
    // The job has failed; the program learns of it at its next call.
  }
}

}  // namespace

ring_writer::ring_writer(const world& view, const ring& where) : view_(view), where_(where) {
  barrier(view);
  limit_ = where.freed(view).load() + where.capacity;
  end_ = where.ready(view).load();
}

ring_writer::~ring_writer() {
  end_phase(view_, where_, where_.tail(view_), where_.ready(view_), end_, exceptions_);
}

bool ring_writer::try_push(const std::byte* values, std::uint64_t n) {
  check_fits(where_, n);
  if (n == 0) return true;
  if (full_) return false;
  const std::uint64_t pos = where_.tail(view_).fetch_add(n);
  full_ = pos + n > limit_;
  if (full_) return false;
  put(view_, ring_parts<put_part>(where_, pos, values, n).all());
  end_ = pos + n;
  return true;
}

ring_reader::ring_reader(const world& view, const ring& where) : view_(view), where_(where) {
  barrier(view);
  limit_ = where.ready(view).load();
  end_ = where.freed(view).load();
}

ring_reader::~ring_reader() {
  end_phase(view_, where_, where_.head(view_), where_.freed(view_), end_, exceptions_);
}

std::uint64_t ring_reader::try_pop(std::byte* values, std::uint64_t n) {
  n = std::min(n, where_.capacity);
  if (n == 0 || empty_) return 0;
  const std::uint64_t pos = where_.head(view_).fetch_add(n);
  const std::uint64_t count = below(limit_, pos, n);
  empty_ = count < n;
  if (count == 0) return 0;
  get(view_, ring_parts<get_part>(where_, pos, values, count).all());
  end_ = pos + count;
  return count;
}

ring_local::ring_local(const world& view, const ring& where) : where_(where) {
  if (view.rank() != where.host()) {
    throw bad_argument(fmt::format(
        "queue: rank {} asks for the local view of a queue at rank {}: only its host has one",
        view.rank(), where.host()));
  }
  cursors_ = local(view, where.cursors);
  slots_ = local_span(view, ptr<std::byte>(where.slots), where.capacity * where.slot_bytes).data();
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
