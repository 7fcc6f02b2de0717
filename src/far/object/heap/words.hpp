#pragma once
// Copies and comparisons of memory that threads of the program write at the same time.
//
// Threads write through plain references, and the protocol reads and merges what they write. In a
// program without data races no field is written by two at a time, but the fields of one object
// are. So everything here moves whole words, never wider than aligned, and never touches a byte
// that it need not change. ThreadSanitizer is told to look away: the functions are not
// instrumented.
//
// Threads: safe in that sense. Ordering: none; messages and locks order what is around them.
// Checked by: object_words_test.words_move_whole, object_words_test.merging_keeps_local_changes

#include <cstddef>
#include <cstdint>
#include <span>

#include "far/object/type.hpp"

namespace far::objects {

/// Copies from shared memory into memory of this thread's own.
void load_words(std::byte* own, const std::byte* shared, std::size_t bytes) noexcept;
/// Copies into shared memory.
void store_words(std::byte* shared, const std::byte* own, std::size_t bytes) noexcept;
/// The same, but only the words that differ.
void update_words(std::byte* shared, const std::byte* own, std::size_t bytes) noexcept;

/// Fetched elements come into a copy that local threads may have written since it equalled `twin`.
/// What they have written stays; the rest, and the twin, become as fetched.
void merge_elements(std::byte* copy, std::byte* twin, const std::byte* fetched,
                    const type_descriptor& type, std::size_t count) noexcept;

/// The same for a part of the elements, which consists of whole fields: `changed` are its bytes.
void merge_range(std::byte* copy, std::byte* twin, const std::byte* changed,
                 const type_descriptor& type, std::size_t offset, std::size_t bytes) noexcept;

/// Walks over the cells that differ from the twin, in ascending order.
class difference {
 public:
  difference(const std::byte* copy, std::byte* twin, const type_descriptor& type,
             std::size_t count) noexcept
      : copy_(copy), twin_(twin), type_(&type), count_(count) {}

  struct found {
    std::uint32_t offset;
    std::uint32_t width;  ///< 0: no more
    std::byte value[8];
  };
  /// The next cell that differs. The twin then has its value.
  [[nodiscard]] found next() noexcept;

 private:
  const std::byte* copy_;
  std::byte* twin_;
  const type_descriptor* type_;
  std::size_t count_;
  std::size_t element_ = 0;
  std::size_t cell_ = 0;
};

}  // namespace far::objects
