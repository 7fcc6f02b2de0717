#include "far/containers/queue/ring_user.hpp"

#include "far/fabric/context.hpp"

namespace far::containers {

bool ring_user::try_push(const std::byte* values, std::uint64_t n) {
  if (n == 0) return true;
  const std::optional<std::uint64_t> pos = claim_space(n);
  if (pos) write(values, n, *pos);
  return pos.has_value();
}

bool ring_user::finish_push(const std::byte* values, std::uint64_t n, std::uint64_t pos) {
  const bool in_time = keep_or_return(pos, n);
  if (in_time) write(values, n, pos);
  return in_time;
}

std::optional<std::uint64_t> ring_user::claim_space(std::uint64_t n) {
  check_fits(where_, n);
  if (was_full_ && !sees_space(n)) return std::nullopt;
  const std::uint64_t pos = where_.tail(world_).fetch_add(n);
  if (!keep_or_return(pos, n)) return std::nullopt;
  return pos;
}

/// Whether the claim of a push is in time; if not, it has been given back.
bool ring_user::keep_or_return(std::uint64_t pos, std::uint64_t n) {
  fabric::turn wait;
  was_full_ = false;
  while (!has_space_below(pos + n)) {
    std::uint64_t end = pos + n;
    was_full_ = where_.tail(world_).compare_exchange(end, pos);
    if (was_full_) return false;
    // Those behind give back first, the last one at once, or there is space.
    world_.context().await_turn(wait);
  }
  return true;
}

void ring_user::write(const std::byte* values, std::uint64_t n, std::uint64_t pos) {
  put(world_, ring_parts<put_part>(where_, pos, values, n).all());
  publish(pos, n);
}

std::uint64_t ring_user::try_pop(std::byte* values, std::uint64_t n) {
  n = std::min(n, where_.capacity);
  if (n == 0) return 0;
  if (was_empty_ && !sees_value()) return 0;
  return finish_pop(values, n, where_.head(world_).fetch_add(n));
}

std::uint64_t ring_user::finish_pop(std::byte* values, std::uint64_t n, std::uint64_t pos) {
  fabric::turn wait;
  std::uint64_t count = readable(pos, n);
  while (count < n) {
    // Give back the part that is too early, unless there is a claim behind it.
    std::uint64_t end = pos + n;
    if (where_.head(world_).compare_exchange(end, pos + count)) break;
    world_.context().await_turn(wait);
    count = readable(pos, n);
  }
  was_empty_ = count == 0;
  if (count == 0) return 0;
  get(world_, ring_parts<get_part>(where_, pos, values, count).all());
  release(pos, count);
  return count;
}

void ring_user::await_space(std::uint64_t n) {
  fabric::backoff patience;
  while (!sees_space(n)) world_.context().pause(patience);
}

void ring_user::await_value() {
  fabric::backoff patience;
  while (!sees_value()) world_.context().pause(patience);
}

/// Whether a claim that ends at `end` is in time (ring.hpp, 2).
bool ring_user::has_space_below(std::uint64_t end) {
  if (end <= freed_seen_ + where_.capacity) return true;
  freed_seen_ = position_of(where_.freed(world_).load());
  return end <= freed_seen_ + where_.capacity;
}

/// How many of n positions from pos on are written.
std::uint64_t ring_user::readable(std::uint64_t pos, std::uint64_t n) {
  if (pos + n > ready_seen_) ready_seen_ = position_of(where_.ready(world_).load());
  return below(ready_seen_, pos, n);
}

// The claims are read first. The other cursor only grows, so at that moment it was not beyond the
// value that is read later: a negative answer was right at that moment.
bool ring_user::sees_space(std::uint64_t n) {
  const std::uint64_t tail = where_.tail(world_).load();
  freed_seen_ = position_of(where_.freed(world_).load());
  was_full_ = tail + n > freed_seen_ + where_.capacity;
  return !was_full_;
}

bool ring_user::sees_value() {
  const std::uint64_t head = where_.head(world_).load();
  ready_seen_ = position_of(where_.ready(world_).load());
  was_empty_ = head >= ready_seen_;
  return !was_empty_;
}

}  // namespace far::containers
