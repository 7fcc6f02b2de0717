#pragma once
// SUMMA by one-sided transfers: each rank gets the panels that it needs, when it needs them, from
// where they are. No rank waits for another one during a multiplication.

#include <array>
#include <optional>
#include <vector>

#include "apps/matmul/multiplier.hpp"
#include "far/far.hpp"

namespace far::apps::matmul {

/// A rank begins with the panels that are its own, and continues round the ranks, so that not all
/// ask the same one. While it multiplies a panel, the next one is on its way. Panels that plain
/// instructions reach are not copied, unless the plan says so: the product reads them where they
/// are.
class one_sided_multiplier final : public multiplier {
 public:
  /// Collective: allocates the matrices. Errors: out_of_memory.
  one_sided_multiplier(const world& world, const plan& how);

  [[nodiscard]] own_blocks blocks() const override;
  void multiply(const on_panel& progress) override;
  void barrier() override { far::barrier(world_); }

 private:
  /// A panel of one of the factors: on its way, or there.
  struct arriving {
    factor where;
    std::vector<double> copy = {};
    std::optional<future<void>> transfer = {};  // none where the panel is read in place
  };
  /// The panels of both factors for one range of k.
  struct step {
    range inner;
    arriving a;
    arriving b;
  };

  void start(step& next, const range& inner);
  void start(arriving& next, const matrix<double>& from, const section<2>& of, bool transposed);
  [[nodiscard]] const double* reached(const matrix<double>& from, const section<2>& of,
                                      std::uint64_t& leading) const;
  [[nodiscard]] std::vector<range> own_order() const;

  world world_;
  plan plan_;
  matrix<double> a_;
  matrix<double> b_;
  matrix<double> c_;
  std::array<step, 2> steps_;  // the one that is multiplied, and the next
};

}  // namespace far::apps::matmul
