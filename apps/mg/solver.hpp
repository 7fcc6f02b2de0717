#pragma once
// The multigrid solver of one rank.
//
// Each iteration improves u by the V-cycle M applied to the residual, u += M (v - A u): residuals
// are restricted from level to level, down to a cube of 2^3 cells; there z = S r; and on the way
// back, z = Q z' (interpolated from the coarser level), r = r - A z, z += S r. Levels are numbered
// from the finest, 0. The large ones are cut into blocks. The small ones are replicated: every rank
// solves them for itself, which takes less time than messages would.

#include <vector>

#include "apps/mg/blocks.hpp"
#include "apps/mg/field.hpp"
#include "apps/mg/ghost_exchange.hpp"
#include "apps/mg/kernels.hpp"
#include "apps/mg/links.hpp"
#include "apps/mg/problem.hpp"

namespace far::apps::mg {

/// The number of levels that are cut into blocks: at least one, unless there is only one block.
/// On all of them every rank has cells.
/// Checked by: mg_blocks_test.every_rank_has_cells_of_cut_levels
[[nodiscard]] int cut_levels(const block_grid& grid, int n);

class solver {
 public:
  solver(const problem& what, const block_grid& grid, int rank, const landing_places& places,
         links& through);

  /// u = 0, r = v - A u. Collective, as are the others.
  void reset();
  /// One V-cycle, and the residual after it.
  void iterate();
  /// The L2 norm of the residual.
  [[nodiscard]] double norm();

 private:
  /// One level: what this rank has of z (u at the finest level) and r.
  struct level {
    range planes;
    range rows;
    bool cut;
    field solution;
    field residual;
  };
  [[nodiscard]] static std::vector<level> make_levels(const problem& what, const block_grid& grid,
                                                      int rank, int cut);
  [[nodiscard]] level& at(int number) { return levels_[static_cast<std::size_t>(number)]; }
  void place_charges();

  void restrict_to(int to);
  void restrict_to_copies(int to);
  void interpolate_to(int to);
  void subtract(int number, const field& from);
  void smooth_at(int number);
  /// Ends the exchange that is under way between iterations.
  void finish();
  template <class F>
  void sweep(int number, channel written, F f);

  problem problem_;
  block_grid grid_;
  int rank_;
  links& links_;
  std::vector<level> levels_;
  field charges_;  // v; its ghosts are not used
  row_sums sums_;
  ghost_exchange ghosts_;
  std::vector<double> piece_;   // this rank's rows of the first replicated level, to send
  std::vector<double> pieces_;  // those of all ranks, as received
};

}  // namespace far::apps::mg
