#pragma once
// The memory of a distributed array whose element type is known when the program runs: blocks of
// equal size, rank by rank.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "session.hpp"

namespace far::python {

class array_memory final : public structure {
 public:
  /// Collective. Errors: bad_argument, out_of_memory.
  array_memory(const far::world& world, std::uint64_t elements, std::uint64_t item_bytes);
  ~array_memory() override;
  array_memory(const array_memory&) = delete;
  array_memory& operator=(const array_memory&) = delete;

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t item_bytes() const noexcept { return item_bytes_; }
  /// Elements of a rank's block, but for those behind the last element.
  [[nodiscard]] std::uint64_t block() const noexcept { return block_; }

  [[nodiscard]] std::uint64_t rank_of(std::uint64_t i) const noexcept {
    // A division of integers takes several times as long. The product is off by one at most.
    auto rank = static_cast<std::uint64_t>(static_cast<double>(i) * ranks_per_element_);
    if (i < rank * block_) --rank;
    if (i >= (rank + 1) * block_) ++rank;
    return rank;
  }
  /// Where instructions reach element i, or null.
  [[nodiscard]] std::byte* place(std::uint64_t i) const noexcept {
    if (places_ == nullptr) return nullptr;
    const std::uint64_t rank = rank_of(i);
    std::byte* const base = places_[rank];
    return base != nullptr ? base + (i - rank * block_) * item_bytes_ : nullptr;
  }
  [[nodiscard]] ptr<std::byte> at(std::uint64_t i) const noexcept {
    const std::uint64_t rank = rank_of(i);
    return first_.on(static_cast<int>(rank)) +
           static_cast<std::int64_t>((i - rank * block_) * item_bytes_);
  }
  [[nodiscard]] std::byte* local() const noexcept { return local_; }

  /// Elements first, first + 1, ... Indices have been checked.
  void read(const far::world& world, std::uint64_t first, std::span<std::byte> to) const;
  void write(const far::world& world, std::uint64_t first, std::span<const std::byte> from) const;
  /// Elements at any indices.
  void read_at(const far::world& world, std::span<const std::int64_t> at, std::byte* to) const;
  /// Where an index occurs twice, the last one counts.
  void write_at(const far::world& world, std::span<const std::int64_t> at,
                const std::byte* from) const;

 private:
  far::world world_;
  std::uint64_t size_, item_bytes_, block_;
  double ranks_per_element_;
  ptr<std::byte> first_;  ///< of this rank
  std::byte* local_;
  std::unique_ptr<std::byte*[]> places_;  ///< by rank; null if instructions reach no rank
};

}  // namespace far::python
