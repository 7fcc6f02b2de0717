#pragma once
// The memory of a rank's own objects.
//
// A block is unused, or free after a collection, or has regions; between these there may be gaps,
// which are free, too. A thread makes small objects in a range of free memory, one after the other:
// in a block of its own, or in the gaps of one. Blocks beyond a limit are taken only once it has
// been moved: who finds no memory collects first, and then moves it if need be.
//
// Threads: blocks, with all of their gaps, are taken and given back under part::mutex. A thread has
// all gaps of a block or none, so making a small object takes no lock: bits of `starts` that
// different threads set are in different words, because blocks are larger than what a word covers.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "far/base/function_ref.hpp"
#include "far/object/heap/region.hpp"
#include "far/object/type.hpp"

namespace far::objects {

/// Free memory of a block: where a thread makes its next small object.
struct free_range {
  std::uint64_t next = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t bytes() const noexcept { return end - next; }
};

/// All that a thread has for small objects. Ranges in `gaps` are not zeroed yet.
struct free_memory {
  free_range range;
  std::vector<free_range> gaps;
};

/// What a collection has done at a rank. Arrays count as one object.
struct swept_memory {
  std::uint64_t freed_objects = 0;
  std::uint64_t freed_bytes = 0;  ///< of their data
  std::uint64_t live_objects = 0;
  std::uint64_t live_bytes = 0;
};

class object_heap {
 public:
  /// `limit`: the first, in bytes.
  object_heap(std::byte* memory, std::uint64_t bytes, std::uint64_t limit, int rank);

  [[nodiscard]] std::byte* memory() const noexcept { return memory_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Bytes of blocks that are not free.
  [[nodiscard]] std::uint64_t used() const noexcept { return used_ - free_; }
  /// Bytes at its start that have ever been in blocks.
  [[nodiscard]] std::uint64_t written() const noexcept { return used_; }

  /// Blocks in a row: the offset of the first.
  struct block_run {
    std::uint64_t offset;
    bool is_used_again;  ///< its bytes may be other than zero
  };
  /// Returns nothing if there are not so many below the limit.
  [[nodiscard]] std::optional<block_run> take_blocks(std::uint64_t count);
  /// Moves the limit, if there is memory beyond it: to twice of what is in use, and so many blocks.
  void grow(std::uint64_t count) noexcept;
  [[noreturn]] void throw_full(std::uint64_t blocks, std::string_view why) const;
  void clear(const block_run& run, std::uint64_t count) const noexcept;

  /// Gives a thread a range for a region that takes `room` bytes, out of a block or its gaps. False
  /// if there is none.
  [[nodiscard]] bool find_room(free_memory& own, std::uint64_t room);
  /// Takes back what an ended thread has left, if anything.
  void give_back(free_memory& rest);
  [[nodiscard]] free_memory take_rest();

  /// Makes a region of at most max_region_bytes in `from`, whose data are zero. 0: no room there.
  [[nodiscard]] std::uint64_t make_small(free_range& from, const type_descriptor& type,
                                         std::uint64_t count) noexcept;
  /// Makes the pieces of an array in blocks that have been taken. Returns its first element's
  /// offset.
  std::uint64_t make_large(std::uint64_t blocks, const type_descriptor& type, std::uint64_t count);
  /// Another of the thread's gaps that has room for a region becomes the range to make it in.
  /// False if there is none.
  [[nodiscard]] bool next_gap(free_memory& own, std::uint64_t room) const noexcept;

  /// Whether a region begins at an offset, which may be any number.
  [[nodiscard]] bool is_region(std::uint64_t offset) const noexcept;
  [[nodiscard]] region_header header_at(std::uint64_t offset) const noexcept {
    return header_of_region(data_at(offset));
  }
  [[nodiscard]] std::byte* data_at(std::uint64_t offset) const noexcept { return memory_ + offset; }

  using type_table = std::unordered_map<std::uint32_t, const type_descriptor*>;
  /// Frees the regions without a bit in `marked`, but those whose monitor is not free. No thread
  /// may have free memory. Calls on_freed(word, bits) for the freed bits of each word of a bitmap.
  swept_memory sweep(const std::uint64_t* marked, const type_table& types,
                     base::function_ref<void(std::size_t, std::uint64_t)> on_freed);

 private:
  [[nodiscard]] bool take_gaps(free_memory& own, std::uint64_t room);
  void begin_region(std::uint64_t offset, const region_header& header) noexcept;

  struct release_memory {
    void operator()(std::uint64_t* memory) const noexcept;
  };
  std::byte* memory_;
  std::uint64_t bytes_;
  std::uint64_t limit_;
  int rank_;
  std::uint64_t used_ = 0;                                   // blocks above have never been taken
  std::uint64_t free_ = 0;                                   // bytes of free_blocks_
  std::map<std::uint64_t, std::uint64_t> free_blocks_;       // runs: bytes, by offset
  std::vector<std::vector<free_range>> gaps_;                // each of whole blocks
  std::unique_ptr<std::uint64_t[], release_memory> starts_;  // untouched pages take no memory
};

}  // namespace far::objects
