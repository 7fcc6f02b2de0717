// One worker's part of the factorization.
//
// Step k of the blocks' diagonal, between meetings of all workers:
//
//   the owner of (k, k) factors it
//   -- meet --
//   owners of (i, k) and (k, j) solve with it: these are blocks of L and U, and change no more
//   -- meet --
//   owners of (i, j) subtract (i, k) (k, j)
//
// No meeting is needed before the next step: who factors (k + 1, k + 1) has just updated it, and
// nobody else reads it before they meet. So each block is written by its owner only, and read by
// others only once it is final.

#include <cmath>
#include <vector>

#include "apps/common/progress.hpp"
#include "apps/lu/kernels.hpp"
#include "apps/lu/matrix.hpp"
#include "far/base/hash.hpp"

namespace far::apps::lu {
namespace {

class factorization {
 public:
  explicit factorization(worker<matrix>& self)
      : self_(self),
        space_(self.space),
        what_(space_.read(self.job)),
        grid_(what_.n, what_.block_extent, self.count) {}

  void run() {
    make_blocks();
    self_.meet();
    blocks_.resize(grid_.blocks() * grid_.blocks());
    for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i] = space_.read(what_.blocks, i);
    self_.meet();
    if (self_.index == 0) space_.write(self_.job).begin_ns = space_.world().now();
    progress_bar bar("factoring");
    const std::uint64_t n = grid_.blocks();
    for (std::uint64_t k = 0; k < n; ++k) {
      step(k);
      if (self_.index != 0) continue;
      // The work that is left shrinks as the cube of the rows that are left.
      const double left = static_cast<double>(n - k - 1) / static_cast<double>(n);
      bar.update(static_cast<std::uint64_t>(1e6 * (1 - std::pow(left, 3))), 1'000'000);
    }
    self_.meet();
    if (self_.index == 0) space_.write(self_.job).end_ns = space_.world().now();
    bar.finish();
    if (what_.verify != 0) {
      const residual mine = residual_of(space_, what_, grid_, blocks_, self_.index);
      space_.write(what_.sums, self_.index) = mine.difference;
      space_.write(what_.sums, self_.count + self_.index) = mine.original;
    }
  }

 private:
  [[nodiscard]] bool owns(std::uint64_t i, std::uint64_t j) const {
    return grid_.owner(i, j) == self_.index;
  }

  void make_blocks() {
    const std::uint64_t extent = what_.block_extent;
    for (std::uint64_t i = 0; i < grid_.blocks(); ++i) {
      for (std::uint64_t j = 0; j < grid_.blocks(); ++j) {
        if (!owns(i, j)) continue;
        const std::uint64_t columns = grid_.extent(j);
        const block made = space_.make_array<double>(grid_.extent(i) * columns);
        const std::span<double> data = space_.write_from(made, 0);
        for (std::uint64_t e = 0; e < data.size(); ++e) {
          data[e] =
              element(what_.seed, what_.n, i * extent + e / columns, j * extent + e % columns);
        }
        space_.write(what_.blocks, grid_.index(i, j)) = made;
      }
    }
  }

  const double* read(std::uint64_t i, std::uint64_t j) {
    return space_.read_from(blocks_[grid_.index(i, j)], 0).data();
  }
  double* write(std::uint64_t i, std::uint64_t j) {
    return space_.write_from(blocks_[grid_.index(i, j)], 0).data();
  }

  /// Lets a simulation's time pass.
  void charge(std::uint64_t operations) {
    if (what_.flop_ns <= 0) return;
    space_.world().compute(
        static_cast<std::uint64_t>(what_.flop_ns * static_cast<double>(operations)));
  }

  void step(std::uint64_t k) {
    const std::uint64_t n = grid_.extent(k);
    if (owns(k, k)) {
      factor(write(k, k), n);
      charge(2 * n * n * n / 3);
    }
    self_.meet();
    for (std::uint64_t i = k + 1; i < grid_.blocks(); ++i) {
      const std::uint64_t others = grid_.extent(i);
      if (owns(i, k)) {
        solve_upper(read(k, k), n, write(i, k), others);
        charge(n * n * others);
      }
      if (owns(k, i)) {
        solve_lower(read(k, k), n, write(k, i), others);
        charge(n * n * others);
      }
    }
    self_.meet();
    for (std::uint64_t i = k + 1; i < grid_.blocks(); ++i) {
      for (std::uint64_t j = k + 1; j < grid_.blocks(); ++j) {
        if (!owns(i, j)) continue;
        subtract_product(write(i, j), read(i, k), read(k, j), grid_.extent(i), n, grid_.extent(j));
        charge(2 * n * grid_.extent(i) * grid_.extent(j));
      }
    }
  }

  worker<matrix>& self_;
  object_view& space_;
  matrix what_;
  grid grid_;
  std::vector<block> blocks_;
};

}  // namespace

double element(std::uint64_t seed, std::uint64_t n, std::uint64_t i, std::uint64_t j) noexcept {
  const std::uint64_t bits = base::hash_combine(base::hash_combine(seed, i), j);
  const double random = static_cast<double>(bits >> 11) * 0x1p-52 - 1;
  return i == j ? random + static_cast<double>(n) : random;
}

void run_worker(worker<matrix>& self) { factorization(self).run(); }

}  // namespace far::apps::lu
