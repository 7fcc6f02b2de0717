#pragma once
// The memory of a rank's own objects.
//
// Threads: blocks, and rests of them, are taken and given back under part::mutex. Each thread makes
// small objects in a block of its own, so making one takes no lock. Bits of `starts` that different
// threads set are in different words, because blocks are larger than what a word covers.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "far/object/region.hpp"
#include "far/object/type.hpp"

namespace far::objects {

/// Where a thread makes its next small object.
struct free_range {
  std::uint64_t next = 0;
  std::uint64_t end = 0;
};

class object_heap {
 public:
  object_heap(std::byte* memory, std::uint64_t bytes, int rank);

  [[nodiscard]] std::byte* memory() const noexcept { return memory_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  /// The offset of `count` unused blocks in a row. Errors: out_of_memory.
  [[nodiscard]] std::uint64_t take_blocks(std::uint64_t count);
  /// What a thread that has ended has left of its block; it may be empty.
  [[nodiscard]] free_range take_rest();
  void give_back(const free_range& rest);

  /// Makes a region of at most max_region_bytes in `from`, whose data are zero. 0: no room there.
  [[nodiscard]] std::uint64_t make_small(free_range& from, const type_descriptor& type,
                                         std::uint64_t count) noexcept;
  /// Makes the pieces of an array in blocks that have been taken. Returns its first element's
  /// offset.
  std::uint64_t make_large(std::uint64_t blocks, const type_descriptor& type, std::uint64_t count);

  /// Whether a region begins at an offset, which may be any number.
  [[nodiscard]] bool is_region(std::uint64_t offset) const noexcept;
  [[nodiscard]] region_header header_at(std::uint64_t offset) const noexcept {
    return header_of_region(data_at(offset));
  }
  [[nodiscard]] std::byte* data_at(std::uint64_t offset) const noexcept { return memory_ + offset; }

 private:
  void begin_region(std::uint64_t offset, const region_header& header) noexcept;

  struct free_memory {
    void operator()(std::uint64_t* memory) const noexcept;
  };
  std::byte* memory_;
  std::uint64_t bytes_;
  int rank_;
  std::uint64_t used_ = 0;
  std::vector<free_range> rests_;                         // of blocks
  std::unique_ptr<std::uint64_t[], free_memory> starts_;  // untouched pages take no memory
};

}  // namespace far::objects
