#pragma once
// A distributed multiplication: the seam between the two variants.
//
// Both are SUMMA: op(A) and op(B) are cut into panels along k, a panel of op(A) is multiplied with
// the same panel of op(B), and each rank adds the product of its rows of the one and its columns of
// the other to its block of C.
//
// Source: R. van de Geijn, J. Watts, SUMMA: scalable universal matrix multiplication algorithm,
// 1997.

#include <cstddef>
#include <functional>

#include "apps/matmul/blocks.hpp"
#include "apps/matmul/shape.hpp"

namespace far::apps::matmul {

/// How to multiply.
struct plan {
  shape what;
  rank_grid grid;
  std::uint64_t panel = 256;  ///< the largest width of a panel
  bool fetch = false;         ///< copy panels also where instructions reach them
  block_product product;
};

/// Called after each panel: `done` of `all` panels are multiplied.
using on_panel = std::function<void(std::size_t done, std::size_t all)>;

/// One rank's part. All functions but blocks() are collective.
class multiplier {
 public:
  virtual ~multiplier() = default;
  [[nodiscard]] virtual own_blocks blocks() const = 0;
  /// C = op(A) op(B). A and B of all ranks are filled before, and stay as they are.
  virtual void multiply(const on_panel& progress) = 0;
  virtual void barrier() = 0;

  multiplier() = default;
  multiplier(const multiplier&) = delete;
  multiplier& operator=(const multiplier&) = delete;
};

}  // namespace far::apps::matmul
