#include "apps/matmul/mpi_multiplier.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::apps::matmul {
namespace {

/// The part of 0 .. k that `index` is in.
int part_with(std::uint64_t k, int parts, std::uint64_t index) {
  int i = 0;
  while (part(k, parts, i).end <= index) ++i;
  return i;
}

stored_block block_in(std::vector<double>& memory, const range& rows, const range& columns) {
  memory.resize(rows.size() * columns.size());
  return {rows, columns, memory.data(), columns.size()};
}

}  // namespace

mpi_multiplier::mpi_multiplier(const plan& how) : plan_(how) {
  const std::uint64_t outer = std::max(how.what.m, how.what.n);
  const std::uint64_t inner = std::min(how.panel, how.what.k);
  if (outer * inner > std::numeric_limits<int>::max()) {
    throw bad_argument(fmt::format(
        "far-matmul: panels of {} x {} elements are too large for messages of MPI; take a smaller "
        "--panel",
        outer, inner));
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const shape& s = how.what;
  const int row = rank / how.grid.columns;
  const int column = rank % how.grid.columns;
  a_ = side_of(part(s.m, how.grid.rows, row), part(s.k, how.grid.columns, column), s.transpose_a);
  b_ = side_of(part(s.k, how.grid.rows, row), part(s.n, how.grid.columns, column), s.transpose_b);
  a_.block.first = a_.memory.data();
  b_.block.first = b_.memory.data();
  c_ = block_in(c_memory_, part(s.m, how.grid.rows, row), part(s.n, how.grid.columns, column));
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &a_.among);
  MPI_Comm_split(MPI_COMM_WORLD, column, row, &b_.among);
}

mpi_multiplier::~mpi_multiplier() {
  MPI_Comm_free(&a_.among);
  MPI_Comm_free(&b_.among);
}

own_blocks mpi_multiplier::blocks() const { return {a_.block, b_.block, c_}; }

mpi_multiplier::side mpi_multiplier::side_of(const range& rows, const range& columns,
                                             bool transposed) {
  side result;
  result.transposed = transposed;
  result.block =
      transposed ? block_in(result.memory, columns, rows) : block_in(result.memory, rows, columns);
  return result;
}

void mpi_multiplier::multiply(const on_panel& progress) {
  const shape& s = plan_.what;
  const std::vector<range> panels =
      panels_of(s.k, plan_.grid.columns, plan_.grid.rows, plan_.panel);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const factor a = share(a_, panels[i], s.transpose_a, plan_.grid.columns, s.k, c_.rows.size());
    const factor b = share(b_, panels[i], !s.transpose_b, plan_.grid.rows, s.k, c_.columns.size());
    if (c_.rows.size() > 0 && c_.columns.size() > 0) {
      plan_.product(c_.rows.size(), c_.columns.size(), panels[i].size(), a, b, i > 0, c_.first,
                    c_.leading);
    }
    progress(i + 1, panels.size());
  }
}

factor mpi_multiplier::share(side& of, const range& inner, bool inner_is_rows, int parts,
                             std::uint64_t k, std::uint64_t outer) {
  int size = 0;
  int rank = 0;
  MPI_Comm_size(of.among, &size);
  MPI_Comm_rank(of.among, &rank);
  const int root = part_with(k, parts, inner.begin);
  const stored_block& block = of.block;
  double* here = nullptr;  // at the root
  if (rank == root) {
    here = inner_is_rows ? block.row(inner.begin - block.rows.begin)
                         : block.first + (inner.begin - block.columns.begin);
    if (size == 1) return {here, block.leading, of.transposed};
  }

  // Rows of a block are adjacent, and are broadcast from where they are; columns are packed.
  const std::uint64_t leading = inner_is_rows ? outer : inner.size();
  double* panel = here;
  if (rank != root || !inner_is_rows) {
    of.panel.resize(inner.size() * outer);
    panel = of.panel.data();
  }
  if (rank == root && !inner_is_rows) {
    for (std::uint64_t i = 0; i < outer; ++i) {
      std::copy_n(here + i * block.leading, inner.size(), panel + i * leading);
    }
  }
  MPI_Bcast(panel, static_cast<int>(inner.size() * outer), MPI_DOUBLE, root, of.among);
  return {panel, leading, of.transposed};
}

}  // namespace far::apps::matmul
