#pragma once
// Memory for the copies of one rank's objects, laid out like that rank's memory, and used where
// there are copies.
//
// It is private, or such that the home can write it one-sided: then it is in the rank's local
// segment, and behind the copies there is as much for their twins, so that one address leads to
// both. Before a copy there is its region's header, and before its twin, its update word:
//
//     copies   | header | data |   ...   at the offset that the data have at the home
//     twins    | word   | twin |   ...   as far behind as the home's memory is long

#include <cstddef>
#include <cstdint>

#include "far/fabric/address.hpp"
#include "far/memory/ptr.hpp"
#include "far/object/copy/update_word.hpp"
#include "far/object/heap/reserved_memory.hpp"
#include "far/world/world.hpp"

namespace far::objects {

/// A home's view of the copies that a rank has of its objects; of none if the home cannot reach
/// them. It travels as one word.
class copies_address {
 public:
  copies_address() noexcept = default;
  explicit copies_address(fabric::address first) noexcept : first_(first) {}
  [[nodiscard]] static copies_address from_bits(std::uint64_t bits) noexcept {
    return copies_address(fabric::address::from_bits(bits));
  }
  [[nodiscard]] std::uint64_t bits() const noexcept { return first_.bits(); }
  explicit operator bool() const noexcept { return static_cast<bool>(first_); }

  /// `memory`: the length of the home's memory.
  [[nodiscard]] fabric::address data(std::uint64_t offset) const noexcept {
    return first_ + static_cast<std::int64_t>(offset);
  }
  [[nodiscard]] fabric::address twin(std::uint64_t offset, std::uint64_t memory) const noexcept {
    return first_ + static_cast<std::int64_t>(memory + offset);
  }
  [[nodiscard]] fabric::address word(std::uint64_t offset, std::uint64_t memory) const noexcept {
    return first_ + static_cast<std::int64_t>(memory + offset - update_word::room);
  }

 private:
  fabric::address first_;
};

class copy_memory {
 public:
  copy_memory() noexcept = default;
  /// `bytes` as the home has. `reachable`: a rank whose local segment is asked first; null:
  /// private. Errors: out_of_memory.
  copy_memory(std::uint64_t bytes, rank_state* reachable);

  [[nodiscard]] std::byte* start() const noexcept { return start_; }
  [[nodiscard]] copies_address address() const noexcept {
    return copies_address(shared_.address());
  }
  /// Where a copy's twin lies; null: its place is not fixed.
  [[nodiscard]] std::byte* twin_of(std::uint64_t offset) const noexcept {
    return shared_ ? start_ + bytes_ + offset : nullptr;
  }
  /// Gives the memory of whole pages back, if it is private: an interface may have pinned others.
  void give_back(std::uint64_t offset, std::uint64_t bytes) const noexcept;
  /// Returns the memory to the local segment. No home may write any more.
  void release(rank_state& rank);

 private:
  std::byte* start_ = nullptr;
  std::uint64_t bytes_ = 0;
  reserved_memory own_;
  ptr<std::byte> shared_;
};

}  // namespace far::objects
