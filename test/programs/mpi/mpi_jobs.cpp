// An MPI program that also runs libfar jobs: before MPI_Init, while MPI runs, and past its end.
//
//   mpirun -n N test-mpi_jobs

#include <mpi.h>

#include <cstdio>

#include <far/far.hpp>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

/// The sum of rank + 1 over all ranks, by libfar.
int sum_of_ranks(far::world& world) { return far::allreduce(world, world.rank() + 1); }

int mpi_sum_of_ranks() {
  int rank = 0;
  int sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ++rank;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  int sum = 0;
  {
    far::job before;
    sum = sum_of_ranks(before.world());
    std::printf("rank %d of %d\n", before.world().rank(), before.world().size());
  }
  {
    far::job across;
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expect(rank == across.world().rank() && size == across.world().size(), "the ranks' numbers");
    expect(sum_of_ranks(across.world()) == sum && mpi_sum_of_ranks() == sum, "sums beside MPI");
  }
  expect(mpi_sum_of_ranks() == sum, "MPI's sum between jobs");
  for (int i = 0; i < 2; ++i) {
    far::job inside;
    expect(sum_of_ranks(inside.world()) == sum && mpi_sum_of_ranks() == sum, "sums inside MPI");
  }
  {
    far::job outlasts;
    MPI_Finalize();
    expect(sum_of_ranks(outlasts.world()) == sum, "a sum after MPI");
  }
  far::job last;
  expect(sum_of_ranks(last.world()) == sum, "a sum in a job after MPI");
  std::printf("sum %d\n", sum);
  return failures == 0 ? 0 : 1;
}
