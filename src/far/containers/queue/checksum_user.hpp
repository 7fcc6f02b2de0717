#pragma once
// One-sided use of a ring whose slots prove by a checksum that they are whole, so that pushes need
// not tell when theirs are: the cursors are those of ring.hpp without `ready`.
//
// A slot is the value, filled up to words, each xored with a hash of its position, and a checksum
// of these words and the position. A slot that is half written, or is of another lap, is not whole,
// but for one chance in 2^64.
//
// 1. Claims, and how they are given back, are those of ring.hpp (1 to 3). A pop is in time if it
//    finds its slots whole, one after the other.
// 2. No put to a slot is under way any more when a pop has found the slot whole: else it could
//    still write, into a value of the next lap. So a slot is written word by word, each a put of
//    its own, all at once: a word is written once (axiom 1 of docs/memory_model.md), a transfer
//    perhaps again, until it is complete (axiom 2; no fabric of the tests does that). And no word
//    that is there already, of the lap before or zero, passes for one that is still to come: hence
//    the hash in each.
// 3. A pop moves `freed` over its claim when it has read the slots whole, in turn (ring.hpp, 4).
//
// In a closed ring (ring_rest.hpp) [freed, tail) hold what is whole, and the places of pushes that
// have come to no end.
//
// A push takes place with its last word, in the order of claims; so a value that is written is
// not there yet while one before it is not.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "far/base/raw_object.hpp"
#include "far/containers/promise.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/containers/queue/ring_rest.hpp"
#include "far/containers/queue/ring_user.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Bytes of a slot for values of so many bytes.
[[nodiscard]] constexpr std::uint64_t checked_slot_bytes(std::uint64_t value_bytes) noexcept {
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  return (value_bytes + word - 1) / word * word + word;
}

/// One thread's.
class checksum_user {
 public:
  static constexpr promised promise = promised::anything;

  checksum_user(const world& view, const ring& where, std::uint64_t value_bytes)
      : user_(view, where), value_bytes_(value_bytes) {}

  /// All n values, or false and none. Cost: checksum_costs::push.
  bool try_push(const std::byte* values, std::uint64_t n);
  /// The oldest values, up to n; how many. Cost: checksum_costs::pop.
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);
  void await_room(std::uint64_t n) { user_.await_room(n); }
  void await_value();

 private:
  void write(std::uint64_t pos, const std::byte* values, std::uint64_t n);
  [[nodiscard]] std::uint64_t read_whole(std::uint64_t pos, std::uint64_t n);
  [[nodiscard]] bool sees_value();

  ring_user user_;
  std::uint64_t value_bytes_;
  bool was_empty_ = false;
  std::vector<std::uint64_t> slots_;  // what is being written, or was read
};

/// Of values of so many bytes, for queue_view.
template <std::uint64_t ValueBytes>
class checksum_user_of : public checksum_user {
 public:
  checksum_user_of(const world& view, const ring& where) : checksum_user(view, where, ValueBytes) {}
};

/// Of a closed ring, at its host: appends those values of [pos, end) that are whole.
void append_whole(const world& view, const ring& where, std::uint64_t pos, std::uint64_t end,
                  std::uint64_t value_bytes, std::vector<std::byte>& values);

template <class T>
[[nodiscard]] queue_rest<T> checked_rest_of(const world& view, const ring& where) {
  const ring_rest at = close_ring(view, where);
  const std::uint64_t claimed = std::min(at.head, at.tail);  // by pops
  std::vector<std::byte> whole;
  queue_rest<T> rest;
  append_whole(view, where, at.freed, claimed, sizeof(T), whole);
  rest.popping = whole.size() / sizeof(T);
  append_whole(view, where, claimed, at.tail, sizeof(T), whole);
  for (std::size_t i = 0; i < whole.size(); i += sizeof(T)) {
    base::raw_object<T> object;
    std::memcpy(object.bytes, &whole[i], sizeof(T));
    rest.values.push_back(object.value());
  }
  rest.pushing = at.tail - at.freed - rest.values.size();
  return rest;
}

}  // namespace far::containers
