#include "far/containers/queue/checksum_user.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "far/base/hash.hpp"
#include "far/fabric/context.hpp"

namespace far::containers {
namespace {

/// Writes words from `place` on, each by a put of its own. Returns when all are complete.
void put_words(const world& world, fabric::address place, std::span<const std::uint64_t> words) {
  fabric::context& context = world.context();
  fabric::completion written;
  for (const std::uint64_t& word : words) {
    const ptr<std::uint64_t> to(place);
    if (std::byte* const here = rma::direct_word(world, to)) {
      rma::store_word(here, word);
    } else {
      const put_part part{place, &word, sizeof(word)};
      context.put({&part, 1}, &written);
    }
    place = place + std::int64_t{sizeof(word)};
  }
  context.wait(written, {"words of a queue", place.rank(), place});
}

/// Masks the words of a value differently at each position (2 in the header), or unmasks them.
void mask(std::uint64_t pos, std::span<std::uint64_t> words) {
  for (std::uint64_t i = 0; i < words.size(); ++i) words[i] ^= base::hash_combine(pos + 1, i);
}

/// The checksum of a slot. The slot's last word holds it and is not part of the sum.
std::uint64_t checksum(std::uint64_t pos, std::span<const std::uint64_t> slot) noexcept {
  return base::hash_combine(base::hash_bytes(slot.data(), slot.size_bytes() - sizeof(pos)), pos);
}
bool is_whole(std::uint64_t pos, std::span<const std::uint64_t> slot) noexcept {
  return slot.back() == checksum(pos, slot);
}

}  // namespace

bool checksum_user::try_push(const std::byte* values, std::uint64_t n) {
  check_fits(user_.where(), n);
  if (n == 0) return true;
  const std::optional<std::uint64_t> pos = user_.claim_space(n);
  if (!pos) return false;
  write(*pos, values, n);
  return true;
}

void checksum_user::write(std::uint64_t pos, const std::byte* values, std::uint64_t n) {
  const ring& where = user_.where();
  const std::uint64_t words = where.slot_bytes / sizeof(std::uint64_t);
  slots_.assign(n * words, 0);
  auto* const bytes = reinterpret_cast<std::byte*>(slots_.data());
  for (std::uint64_t i = 0; i < n; ++i) {
    std::byte* const slot = bytes + i * where.slot_bytes;
    std::memcpy(slot, values + i * value_bytes_, value_bytes_);
    mask(pos + i, std::span(slots_).subspan(i * words, words - 1));
    slots_[(i + 1) * words - 1] = checksum(pos + i, std::span(slots_).subspan(i * words, words));
  }
  const ring_parts<put_part> parts(where, pos, std::as_const(bytes), n);
  std::span<const std::uint64_t> left(slots_);
  for (const put_part& part : parts.all()) {
    put_words(user_.world(), part.to, left.first(part.bytes / sizeof(std::uint64_t)));
    left = left.subspan(part.bytes / sizeof(std::uint64_t));
  }
}

std::uint64_t checksum_user::try_pop(std::byte* values, std::uint64_t n) {
  const ring& where = user_.where();
  const world& world = user_.world();
  n = std::min(n, where.capacity);
  if (n == 0 || (was_empty_ && !sees_value())) return 0;
  const std::uint64_t pos = where.head(world).fetch_add(n);
  fabric::turn wait;
  std::uint64_t count = read_whole(pos, n);
  while (count < n) {
    std::uint64_t end = pos + n;
    if (where.head(world).compare_exchange(end, pos + count)) break;
    world.context().await_turn(wait);  // until later claims are given back, or values come
    count = read_whole(pos, n);
  }
  was_empty_ = count == 0;
  if (count == 0) return 0;
  const auto* const bytes = reinterpret_cast<const std::byte*>(slots_.data());
  const std::uint64_t words = where.slot_bytes / sizeof(std::uint64_t);
  for (std::uint64_t i = 0; i < count; ++i) {
    mask(pos + i, std::span(slots_).subspan(i * words, words - 1));
    std::memcpy(values + i * value_bytes_, bytes + i * where.slot_bytes, value_bytes_);
  }
  user_.release(pos, count);
  return count;
}

void checksum_user::await_value() {
  fabric::backoff patience;
  while (!sees_value()) user_.world().context().pause(patience);
}

bool checksum_user::sees_value() {
  was_empty_ = read_whole(user_.where().head(user_.world()).load(), 1) == 0;
  return !was_empty_;
}

/// Reads n slots. Returns how many from the first on are whole.
std::uint64_t checksum_user::read_whole(std::uint64_t pos, std::uint64_t n) {
  const ring& where = user_.where();
  const std::uint64_t words = where.slot_bytes / sizeof(std::uint64_t);
  slots_.resize(n * words);
  auto* const bytes = reinterpret_cast<std::byte*>(slots_.data());
  get(user_.world(), ring_parts<get_part>(where, pos, bytes, n).all());
  std::uint64_t whole = 0;
  while (whole < n && is_whole(pos + whole, std::span(slots_).subspan(whole * words, words))) {
    ++whole;
  }
  return whole;
}

void append_whole(const world& world, const ring& where, std::uint64_t pos, std::uint64_t end,
                  std::uint64_t value_bytes, std::vector<std::byte>& values) {
  std::vector<std::uint64_t> slot(where.slot_bytes / sizeof(std::uint64_t));
  for (; pos < end; ++pos) {
    copy_slots(world, where, pos, pos + 1, reinterpret_cast<std::byte*>(slot.data()));
    if (!is_whole(pos, slot)) continue;
    mask(pos, std::span(slot).first(slot.size() - 1));
    const auto* const bytes = reinterpret_cast<const std::byte*>(slot.data());
    values.insert(values.end(), bytes, bytes + value_bytes);
  }
}

}  // namespace far::containers
