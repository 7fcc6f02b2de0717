#pragma once
// Whether a region migrates to a rank that changes it, by what its home observes.
//
// It does after some changes in a row by one rank, while no other used it. What comes after that
// is not seen. So if others call the region back, it has to prove itself for longer the next time.
//
// Threads: guarded by part::mutex.

#include <algorithm>
#include <cstdint>

namespace far::objects {

class migration_choice {
 public:
  /// `wanted`: changes in a row; 0: it never migrates.
  explicit migration_choice(std::uint32_t wanted) noexcept : wanted_(wanted) {}

  void changed(int writer) noexcept {
    alone_ = writer == writer_ ? alone_ + 1 : 1;
    writer_ = writer;
  }
  void used_by(int rank) noexcept {
    if (rank != writer_) alone_ = 0;
  }
  void moved() noexcept { ++moves_; }
  void recalled(bool for_another) noexcept {
    alone_ = 0;
    if (for_another) wanted_ = std::min(wanted_ * 2, std::max(wanted_, max_wanted));
  }

  [[nodiscard]] bool is_for(int rank) const noexcept {
    return wanted_ > 0 && rank == writer_ && alone_ >= wanted_;
  }
  [[nodiscard]] std::uint32_t moves() const noexcept { return moves_; }

 private:
  static constexpr std::uint32_t max_wanted = 64;

  std::uint32_t wanted_;
  std::uint32_t alone_ = 0;  ///< changes by `writer_` since another one used the region
  int writer_ = -1;
  std::uint32_t moves_ = 0;
};

}  // namespace far::objects
