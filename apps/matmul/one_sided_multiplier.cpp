#include "apps/matmul/one_sided_multiplier.hpp"

#include <algorithm>

#include "far/fabric/reach.hpp"

namespace far::apps::matmul {
namespace {

/// A matrix of rows x columns, or its transpose, in as many blocks as the grid has.
matrix<double> matrix_of(const world& world, std::uint64_t rows, std::uint64_t columns,
                         bool transposed, const rank_grid& grid) {
  nd_array_options<2> how;
  how.blocks = {static_cast<std::uint64_t>(grid.rows), static_cast<std::uint64_t>(grid.columns)};
  if (!transposed) return matrix<double>(world, {rows, columns}, how);
  std::swap(how.blocks[0], how.blocks[1]);
  return matrix<double>(world, {columns, rows}, how);
}

/// The section of a stored matrix that op() makes rows x columns.
section<2> stored_section(const range& rows, const range& columns, bool transposed) {
  section<2> of{{rows.begin, columns.begin}, {rows.size(), columns.size()}};
  if (transposed) {
    std::swap(of.begin[0], of.begin[1]);
    std::swap(of.extents[0], of.extents[1]);
  }
  return of;
}

stored_block block_of(const matrix<double>& of) {
  const section<2> own = of.own_block();
  const strided_span<double, 2> memory = of.local();
  return {{own.begin[0], own.begin[0] + own.extents[0]},
          {own.begin[1], own.begin[1] + own.extents[1]},
          memory.first,
          static_cast<std::uint64_t>(memory.strides[0])};
}

}  // namespace

one_sided_multiplier::one_sided_multiplier(const world& world, const plan& how)
    : world_(world),
      plan_(how),
      a_(matrix_of(world, how.what.m, how.what.k, how.what.transpose_a, how.grid)),
      b_(matrix_of(world, how.what.k, how.what.n, how.what.transpose_b, how.grid)),
      c_(matrix_of(world, how.what.m, how.what.n, false, how.grid)) {}

own_blocks one_sided_multiplier::blocks() const {
  return {block_of(a_), block_of(b_), block_of(c_)};
}

void one_sided_multiplier::multiply(const on_panel& progress) {
  const stored_block c = block_of(c_);
  if (c.rows.size() == 0 || c.columns.size() == 0) return;
  const std::vector<range> panels = own_order();
  start(steps_[0], panels[0]);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    step& now = steps_[i % 2];
    if (i + 1 < panels.size()) start(steps_[(i + 1) % 2], panels[i + 1]);
    for (arriving* const factor : {&now.a, &now.b}) {
      if (factor->transfer) factor->transfer->get();
    }
    plan_.product(c.rows.size(), c.columns.size(), now.inner.size(), now.a.where, now.b.where,
                  i > 0, c.first, c.leading);
    progress(i + 1, panels.size());
  }
}

void one_sided_multiplier::start(step& next, const range& inner) {
  const stored_block c = block_of(c_);
  next.inner = inner;
  start(next.a, a_, stored_section(c.rows, inner, plan_.what.transpose_a), plan_.what.transpose_a);
  start(next.b, b_, stored_section(inner, c.columns, plan_.what.transpose_b),
        plan_.what.transpose_b);
}

void one_sided_multiplier::start(arriving& next, const matrix<double>& from, const section<2>& of,
                                 bool transposed) {
  next.transfer.reset();
  next.where.transposed = transposed;
  next.where.first = reached(from, of, next.where.leading);
  if (next.where.first != nullptr) return;
  next.copy.resize(of.size());
  next.where.first = next.copy.data();
  next.where.leading = of.extents[1];
  next.transfer = from.get_async(of, dense(next.copy.data(), of.extents));
}

/// Where plain loads find a section that one rank has, or null.
const double* one_sided_multiplier::reached(const matrix<double>& from, const section<2>& of,
                                            std::uint64_t& leading) const {
  const int owner = from.owner(of.begin);
  const section<2> block = from.block(owner);
  if (intersection(of, block) != of) return nullptr;
  if (owner != world_.rank() && plan_.fetch) return nullptr;
  leading = block.extents[1];
  const ptr<double> first = from.place(of.begin);
  if (owner == world_.rank()) return local(world_, first);
  return reinterpret_cast<const double*>(fabric::reached(world_.words(), first.address()));
}

/// The panels, from those that this rank has a part of, around. Where all are reached they are as
/// wide as the blocks.
std::vector<range> one_sided_multiplier::own_order() const {
  bool all_reached = !plan_.fetch;
  for (int rank = 0; rank < world_.size(); ++rank) {
    const ptr<double> there = a_.place(a_.all().begin).on(rank);
    if (rank != world_.rank() && fabric::reached(world_.words(), there.address()) == nullptr) {
      all_reached = false;
    }
  }
  const std::uint64_t width = all_reached ? plan_.what.k : plan_.panel;
  std::vector<range> panels = panels_of(plan_.what.k, plan_.grid.columns, plan_.grid.rows, width);
  const int column = world_.rank() % plan_.grid.columns;
  const int row = world_.rank() / plan_.grid.columns;
  const std::uint64_t begin = plan_.grid.columns > 1
                                  ? part(plan_.what.k, plan_.grid.columns, column).begin
                                  : part(plan_.what.k, plan_.grid.rows, row).begin;
  const auto own = std::ranges::find_if(panels, [&](const range& p) { return p.end > begin; });
  if (own != panels.end()) std::ranges::rotate(panels, own);
  return panels;
}

}  // namespace far::apps::matmul
