#include "apps/mg/solver.hpp"

#include <algorithm>
#include <cmath>

namespace far::apps::mg {
namespace {

/// Cubes up to this size are solved by every rank: 4096 cells, a few microseconds.
constexpr int largest_copied = 16;

/// The coarse planes or rows from which a fine one is interpolated: one if it is at a center of
/// coarse cells, else the two around it. `fine` may be -1.
range sources(int fine) {
  const int below = fine >> 1;
  return fine % 2 != 0 ? range{below, below + 1} : range{below - 1, below + 1};
}

/// Indices in the cube to indices in a block.
range relative_to(range r, int begin) { return {r.begin - begin, r.end - begin}; }

}  // namespace

int cut_levels(const block_grid& grid, int n) {
  if (grid.size() == 1) return 0;
  int levels = 1;
  while ((n >> levels) > largest_copied && grid.all_have_cells(levels)) ++levels;
  return levels;
}

std::vector<solver::level> solver::make_levels(const problem& what, const block_grid& grid,
                                               int rank, int cut) {
  std::vector<level> result;
  for (int i = 0; i < what.log_n; ++i) {
    const int n = what.n() >> i;
    const bool is_cut = i < cut;
    const range planes = is_cut ? grid.planes(rank, i) : range{0, n};
    const range rows = is_cut ? grid.rows(rank, i) : range{0, n};
    const bool cut_z = is_cut && grid.blocks_z() > 1;
    const bool cut_y = is_cut && grid.blocks_y() > 1;
    result.push_back({planes, rows, is_cut, field(planes.size(), rows.size(), n, cut_z, cut_y),
                      field(planes.size(), rows.size(), n, cut_z, cut_y)});
  }
  return result;
}

solver::solver(const problem& what, const block_grid& grid, int rank, const landing_places& places,
               links& through)
    : problem_(what),
      grid_(grid),
      rank_(rank),
      links_(through),
      levels_(make_levels(what, grid, rank, places.levels())),
      charges_(levels_[0].planes.size(), levels_[0].rows.size(), what.n(), false, false),
      sums_(what.n()),
      ghosts_(grid, rank, places, through) {
  for (int i = 0; i < places.levels(); ++i) {
    ghosts_.attach(i, channel::solution, at(i).solution);
    ghosts_.attach(i, channel::residual, at(i).residual);
  }
  place_charges();
}

void solver::place_charges() {
  const level& finest = at(0);
  for (const charge& c : charges_of(problem_.n())) {
    const int z = c.z - finest.planes.begin;
    const int y = c.y - finest.rows.begin;
    if (z < 0 || z >= finest.planes.size() || y < 0 || y >= finest.rows.size()) continue;
    charges_.row(z, y)[c.x] = c.value;
  }
}

void solver::reset() {
  finish();
  for (level& l : levels_) l.solution.clear();
  subtract(0, charges_);
}

void solver::finish() {
  if (at(0).cut) ghosts_.finish(0, channel::residual, at(0).residual);
}

double solver::norm() {
  finish();
  const level& finest = at(0);
  double sum = 0;
  for (int z = 0; z < finest.planes.size(); ++z) {
    sum += sum_of_squares(finest.residual, z, {0, finest.rows.size()});
  }
  return std::sqrt(links_.sum(sum) / std::pow(problem_.n(), 3));
}

void solver::iterate() {
  const int coarsest = problem_.log_n - 1;
  for (int i = 0; i < coarsest; ++i) {
    if (at(i).cut && !at(i + 1).cut) {
      restrict_to_copies(i + 1);
    } else {
      restrict_to(i + 1);
    }
  }
  at(coarsest).solution.clear();
  smooth_at(coarsest);
  for (int i = coarsest - 1; i > 0; --i) {
    interpolate_to(i);
    subtract(i, at(i).residual);
    smooth_at(i);
  }
  interpolate_to(0);
  subtract(0, charges_);
  smooth_at(0);
  subtract(0, charges_);
}

/// Calls f(z, rows of plane z) for all rows of a level, each of which f writes in the field of this
/// channel. Rows at cut borders come first, and are sent to the neighbors before the others.
template <class F>
void solver::sweep(int number, channel written, F f) {
  level& l = at(number);
  range z{0, l.planes.size()};
  range y{0, l.rows.size()};
  if (l.cut) {
    if (grid_.blocks_z() > 1) {
      f(0, y);
      if (z.size() > 1) f(z.end - 1, y);
      z = {1, std::max(1, z.end - 1)};
    }
    if (grid_.blocks_y() > 1) {
      for (int i = z.begin; i < z.end; ++i) {
        f(i, range{0, 1});
        if (y.size() > 1) f(i, range{y.end - 1, y.end});
      }
      y = {1, std::max(1, y.end - 1)};
    }
    ghosts_.start(number, written, written == channel::solution ? l.solution : l.residual);
  }
  for (int i = z.begin; i < z.end; ++i) f(i, y);
}

/// The residual of a level is that of the finer one, averaged.
void solver::restrict_to(int to) {
  level& fine = at(to - 1);
  level& coarse = at(to);
  if (fine.cut) ghosts_.finish(to - 1, channel::residual, fine.residual);
  sweep(to, channel::residual, [&](int z, range y) {
    const int center_z = 2 * (coarse.planes.begin + z) + 1 - fine.planes.begin;
    for (int j = y.begin; j < y.end; ++j) {
      const int center_y = 2 * (coarse.rows.begin + j) + 1 - fine.rows.begin;
      double* const row = coarse.residual.row(z, j);
      restrict_row(row, fine.residual, center_z, center_y, sums_);
      wrap_row(row, coarse.residual.n());
    }
  });
}

/// Restriction to the first replicated level: each rank averages the cells whose centers it has,
/// and all ranks gather all cells.
void solver::restrict_to_copies(int to) {
  level& fine = at(to - 1);
  const field& coarse = at(to).residual;
  const auto n = static_cast<std::size_t>(coarse.n());
  std::size_t longest = 0;
  for (int rank = 0; rank < grid_.size(); ++rank) {
    const int rows = grid_.planes(rank, to).size() * grid_.rows(rank, to).size();
    longest = std::max(longest, static_cast<std::size_t>(rows) * n);
  }
  piece_.resize(longest);
  pieces_.resize(longest * static_cast<std::size_t>(grid_.size()));

  ghosts_.finish(to - 1, channel::residual, fine.residual);
  const range own_z = grid_.planes(rank_, to);
  const range own_y = grid_.rows(rank_, to);
  double* row = piece_.data();
  for (int z = own_z.begin; z < own_z.end; ++z) {
    for (int y = own_y.begin; y < own_y.end; ++y) {
      restrict_row(row, fine.residual, 2 * z + 1 - fine.planes.begin, 2 * y + 1 - fine.rows.begin,
                   sums_);
      row += n;
    }
  }
  links_.allgather(piece_, pieces_);
  for (int rank = 0; rank < grid_.size(); ++rank) {
    const double* from = pieces_.data() + longest * static_cast<std::size_t>(rank);
    const range planes = grid_.planes(rank, to);
    const range rows = grid_.rows(rank, to);
    for (int z = planes.begin; z < planes.end; ++z) {
      for (int y = rows.begin; y < rows.end; ++y) {
        std::copy_n(from, n, coarse.row(z, y));
        wrap_row(coarse.row(z, y), coarse.n());
        from += n;
      }
    }
  }
}

/// z of a level is interpolated from the coarser one; at the finest level that is added to u.
/// Ghost rows are computed here as well, which spares an exchange.
void solver::interpolate_to(int to) {
  level& coarse = at(to + 1);
  level& fine = at(to);
  if (coarse.cut) ghosts_.finish(to + 1, channel::solution, coarse.solution);
  if (fine.cut) ghosts_.finish(to, channel::solution, fine.solution);
  const int z_ghosts = fine.cut && grid_.blocks_z() > 1 ? 1 : 0;
  const int y_ghosts = fine.cut && grid_.blocks_y() > 1 ? 1 : 0;
  for (int z = -z_ghosts; z < fine.planes.size() + z_ghosts; ++z) {
    const range from_z = relative_to(sources(fine.planes.begin + z), coarse.planes.begin);
    for (int y = -y_ghosts; y < fine.rows.size() + y_ghosts; ++y) {
      const range from_y = relative_to(sources(fine.rows.begin + y), coarse.rows.begin);
      interpolate_row(fine.solution.row(z, y), to == 0, coarse.solution, from_z, from_y, sums_);
    }
  }
}

/// r = from - A z.
void solver::subtract(int number, const field& from) {
  level& l = at(number);
  if (l.cut) ghosts_.finish(number, channel::solution, l.solution);
  sweep(number, channel::residual,
        [&](int z, range y) { mg::residual(l.residual, from, l.solution, z, y, sums_); });
}

/// z += S r.
void solver::smooth_at(int number) {
  level& l = at(number);
  if (l.cut) ghosts_.finish(number, channel::residual, l.residual);
  sweep(number, channel::solution,
        [&](int z, range y) { smooth(l.solution, l.residual, problem_.smoother, z, y, sums_); });
}

}  // namespace far::apps::mg
