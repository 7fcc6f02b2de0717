#pragma once
// Contiguous parts of a list, and how a message describes them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/address.hpp"

namespace far::sections {

/// A contiguous part of a list.
struct list_run {
  fabric::address there;
  std::uint64_t bytes = 0;
};

/// Runs in few bytes. Each is two numbers: how far it lies behind the end of the run before it (of
/// the first, behind the null address), and its length. A number has seven bits a byte, low ones
/// first, and the top bit set on all but its last byte. Distances are signed: 0, -1, 1, -2, 2 ..
/// are written as 0, 1, 2, 3, 4 .. So a run mostly takes 3 to 6 bytes. Serializable.
class run_list {
 public:
  /// Max size of one run's description.
  static constexpr std::size_t max_bytes = 20;
  /// Min size of one run's description.
  static constexpr std::size_t min_bytes = 2;

  void add(const list_run& next);
  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  /// Size of the description.
  [[nodiscard]] std::size_t bytes() const noexcept { return text_.size(); }
  /// Nothing about them is checked. Errors: fabric_error if the description is malformed.
  [[nodiscard]] std::vector<list_run> all() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(text_);
  }

 private:
  std::vector<std::byte> text_;
  std::uint64_t end_ = 0;  // of the last run that was added, as an address' bits
};

}  // namespace far::sections
