#pragma once
// Lists of segments, the bytes of which both sides cut into pieces as they like.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/address.hpp"
#include "far/sections/plan.hpp"

namespace far::sections {

/// Collects the segments of both sides. Empty ones are left out.
class segment_list {
 public:
  /// `what` is the operation, for messages.
  segment_list(const char* what, std::size_t element_bytes) noexcept
      : what_(what), element_bytes_(element_bytes) {}

  /// Errors: bad_argument for a null local segment that is not empty, and for more than 2^40
  ///   bytes.
  void add_there(fabric::address place, std::uint64_t elements);
  void add_here(std::byte* place, std::uint64_t elements);

  /// Pieces that are contiguous on both sides, as a plan for each rank.
  /// Errors: bad_argument if the two sides differ in their number of elements.
  /// Checked by: sections_vector_test.random_lists
  [[nodiscard]] std::vector<plan> plans() const;

 private:
  struct segment_there {
    fabric::address place;
    std::uint64_t bytes;
  };
  struct segment_here {
    std::byte* place;
    std::uint64_t bytes;
  };

  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t elements, const char* side,
                                       std::size_t index) const;
  /// All in one stream, whatever their ranks.
  [[nodiscard]] std::vector<piece> pieces() const;

  const char* what_;
  std::size_t element_bytes_;
  std::vector<segment_there> there_;
  std::vector<segment_here> here_;
  std::size_t added_there_ = 0;  ///< with empty ones
  std::size_t added_here_ = 0;
  std::uint64_t bytes_there_ = 0;
  std::uint64_t bytes_here_ = 0;
};

}  // namespace far::sections
