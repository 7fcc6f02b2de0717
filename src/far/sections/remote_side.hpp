#pragma once
// The description of a plan's remote side that goes with a message.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "far/fabric/address.hpp"
#include "far/fabric/fabric.hpp"
#include "far/sections/plan.hpp"
#include "far/sections/run_list.hpp"
#include "far/sections/shape.hpp"

namespace far::sections {

/// A slice of a stream at the memory of its owner: the bytes `begin` to `end` of a section, or all
/// of a list of runs. Serializable.
struct remote_slice {
  fabric::address there;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t row_bytes = 0;
  std::vector<dimension> dimensions;  ///< `here` is the position in the stream
  run_list runs;                      ///< instead of the above

  [[nodiscard]] std::uint64_t bytes() const noexcept { return end - begin; }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(there, begin, end, row_bytes, dimensions, runs);
  }
};

/// Makes the slices of one plan.
class slicer {
 public:
  explicit slicer(const plan& what)
      : what_(&what),
        place_(what.there()),
        form_(what.is_list() ? shape() : side_there(what.form())) {}
  /// Makes the slices of the local side, which must lie in this rank's segments.
  [[nodiscard]] static slicer of_local_side(const fabric::fabric& fabric, const plan& what);

  /// The bytes begin .. end-1; of a list fewer, in whole runs, if it takes more than `room` bytes
  /// to describe them. `room` is at least run_list::max_bytes.
  [[nodiscard]] remote_slice slice(
      std::uint64_t begin, std::uint64_t end,
      std::size_t room = std::numeric_limits<std::size_t>::max()) const;

 private:
  const plan* what_;
  fabric::address place_;
  shape form_;
  const fabric::fabric* local_ = nullptr;  // of the local side; null: of the remote one
};

/// The contiguous pieces of a slice, of any rank's memory. The addresses are not checked.
/// Errors: fabric_error if it is malformed, or there are more than `most`.
[[nodiscard]] std::vector<list_run> runs_of(const remote_slice& arrived, std::size_t most);

/// A slice that has arrived, after all checks.
class own_slice {
 public:
  /// Errors: out_of_bounds; bad_argument if it is not this rank's memory; fabric_error if it is
  ///   malformed.
  own_slice(const fabric::fabric& fabric, const remote_slice& arrived);

  [[nodiscard]] std::uint64_t bytes() const noexcept { return end_ - begin_; }

  /// block(memory, stride, position, position_stride, rows, row_bytes): rows in this rank's memory,
  /// and their position in the slice.
  template <class Block>
  void for_each_block(Block&& block) const {
    if (runs_.empty()) {
      sections::for_each_block(
          form_, begin_, end_,
          [&](std::uint64_t there, std::uint64_t here, std::uint64_t stride,
              std::uint64_t position_stride, std::uint64_t rows, std::uint64_t row_bytes) {
            block(memory_ + there, stride, here - begin_, position_stride, rows, row_bytes);
          });
      return;
    }
    std::uint64_t position = 0;
    for (const own_run& r : runs_) {
      block(r.memory, std::uint64_t{0}, position, std::uint64_t{0}, std::uint64_t{1}, r.bytes);
      position += r.bytes;
    }
  }

 private:
  struct own_run {
    std::byte* memory;
    std::uint64_t bytes;
  };

  shape form_;
  std::byte* memory_ = nullptr;
  std::vector<own_run> runs_;
  std::uint64_t begin_;
  std::uint64_t end_;
};

}  // namespace far::sections
