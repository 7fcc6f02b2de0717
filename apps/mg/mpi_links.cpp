#include "apps/mg/mpi_links.hpp"

namespace far::apps::mg {

// A level, channel and direction have a tag of their own, and messages of one sender with the same
// tag arrive in order. So exchanges cannot be confused.

void mpi_links::expect(int level, channel of, int direction, std::uint64_t number, int from,
                       std::size_t count) {
  double* const to = rows_.data() + places_.offset(level, of, direction, number);
  MPI_Irecv(to, static_cast<int>(count), MPI_DOUBLE, from, places_.index(level, of, direction),
            MPI_COMM_WORLD, &under_way_.emplace_back());
}

void mpi_links::send(int level, channel of, int direction, std::uint64_t, int to,
                     std::span<const double> rows) {
  MPI_Isend(rows.data(), static_cast<int>(rows.size()), MPI_DOUBLE, to,
            places_.index(level, of, direction), MPI_COMM_WORLD, &under_way_.emplace_back());
}

void mpi_links::complete(int, channel, std::uint64_t) {
  MPI_Waitall(static_cast<int>(under_way_.size()), under_way_.data(), MPI_STATUSES_IGNORE);
  under_way_.clear();
}

void mpi_links::allgather(std::span<const double> mine, std::span<double> all) {
  const int count = static_cast<int>(mine.size());
  MPI_Allgather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
}

double mpi_links::sum(double value) {
  double result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return result;
}

}  // namespace far::apps::mg
