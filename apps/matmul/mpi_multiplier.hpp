#pragma once
// SUMMA by messages of MPI: the ranks of a row broadcast panels of op(A) among themselves, those of
// a column panels of op(B). Compiled where MPI is installed.

#include <mpi.h>

#include <vector>

#include "apps/matmul/multiplier.hpp"

namespace far::apps::matmul {

/// Block (i, j) of op(A) and op(B) is at the rank in row i and column j of the grid, also if the
/// matrix is stored transposed; then that block is stored transposed.
class mpi_multiplier final : public multiplier {
 public:
  /// Collective.
  explicit mpi_multiplier(const plan& how);
  ~mpi_multiplier() override;

  [[nodiscard]] own_blocks blocks() const override;
  void multiply(const on_panel& progress) override;
  void barrier() override { MPI_Barrier(MPI_COMM_WORLD); }

 private:
  /// A factor's block of this rank, and the ranks that broadcast it to each other.
  struct side {
    MPI_Comm among = MPI_COMM_NULL;
    stored_block block = {};
    bool transposed = false;
    std::vector<double> memory = {};
    std::vector<double> panel = {};  // the latest, if it is not used where it is
  };
  static side side_of(const range& rows, const range& columns, bool transposed);
  /// The elements of a panel, where they are: rows or columns `inner` of the stored block.
  static factor share(side& of, const range& inner, bool inner_is_rows, int parts, std::uint64_t k,
                      std::uint64_t outer);

  plan plan_;
  side a_;
  side b_;
  stored_block c_;
  std::vector<double> c_memory_;
};

}  // namespace far::apps::matmul
