#pragma once
// One-sided use of a ring whose slots have checksums. A checksum proves that a slot is whole, so
// pushes need not publish: the cursors are those of ring.hpp without `ready`.
//
// A slot is the value, padded to words, each xored with a hash of its position, and a checksum of
// these words and the position. A slot that is half written, or belongs to another lap, passes for
// whole with a chance of one in 2^64.
//
// 1. Claims are made and given back as in ring.hpp (1 to 3). A pop is in time if it finds its slots
//    whole, in order.
// 2. When a pop has found a slot whole, no put to the slot may be in flight any more: it could
//    still write, into a value of the next lap. So a slot is written word by word, each a put of
//    its own, all in flight at once: a word is written once (axiom 1 of docs/memory_model.md), but
//    a transfer may write again until it is complete (axiom 2; no fabric of the tests does that).
//    And no word that is already there, zero or of the previous lap, may pass for one that is still
//    in flight: hence the hash in each.
// 3. When a pop has read its slots whole, it moves `freed` over its claim, in turn (ring.hpp, 4).
//
// In a closed ring (ring_rest.hpp) [freed, tail) holds the whole values, and the positions of
// pushes that did not complete.
//
// A push linearizes at its last word, in the order of claims: a written value does not count as
// pushed while one before it is not yet written.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "far/base/raw_object.hpp"
#include "far/containers/phase.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/containers/queue/ring_rest.hpp"
#include "far/containers/queue/ring_user.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Bytes of a slot for values of `value_bytes` bytes.
[[nodiscard]] constexpr std::uint64_t checked_slot_bytes(std::uint64_t value_bytes) noexcept {
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  return (value_bytes + word - 1) / word * word + word;
}

/// Belongs to one thread.
class checksum_user {
 public:
  static constexpr phase_kind phase = phase_kind::mixed;

  checksum_user(const world& world, const ring& where, std::uint64_t value_bytes)
      : user_(world, where), value_bytes_(value_bytes) {}

  /// Pushes all n values, or returns false and pushes none. Cost: checksum_costs::push.
  bool try_push(const std::byte* values, std::uint64_t n);
  /// Pops the oldest values, up to n. Returns how many. Cost: checksum_costs::pop.
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);
  void await_space(std::uint64_t n) { user_.await_space(n); }
  void await_value();

 private:
  void write(std::uint64_t pos, const std::byte* values, std::uint64_t n);
  [[nodiscard]] std::uint64_t read_whole(std::uint64_t pos, std::uint64_t n);
  [[nodiscard]] bool sees_value();

  ring_user user_;
  std::uint64_t value_bytes_;
  bool was_empty_ = false;
  std::vector<std::uint64_t> slots_;  // being written, or read
};

/// For queue_view: values of `ValueBytes` bytes.
template <std::uint64_t ValueBytes>
class checksum_user_of : public checksum_user {
 public:
  checksum_user_of(const world& world, const ring& where)
      : checksum_user(world, where, ValueBytes) {}
};

/// In a closed ring, at its host: appends the values of [pos, end) that are whole.
void append_whole(const world& world, const ring& where, std::uint64_t pos, std::uint64_t end,
                  std::uint64_t value_bytes, std::vector<std::byte>& values);

template <class T>
[[nodiscard]] queue_rest<T> checked_rest_of(const world& world, const ring& where) {
  const ring_rest at = close_ring(world, where);
  const std::uint64_t claimed = std::min(at.head, at.tail);  // by pops
  std::vector<std::byte> whole;
  queue_rest<T> rest;
  append_whole(world, where, at.freed, claimed, sizeof(T), whole);
  rest.popping = whole.size() / sizeof(T);
  append_whole(world, where, claimed, at.tail, sizeof(T), whole);
  for (std::size_t i = 0; i < whole.size(); i += sizeof(T)) {
    base::raw_object<T> object;
    std::memcpy(object.bytes, &whole[i], sizeof(T));
    rest.values.push_back(object.value());
  }
  rest.pushing = at.tail - at.freed - rest.values.size();
  return rest;
}

}  // namespace far::containers
