#pragma once
// Message passing by MPI: non-blocking sends and receives. Compiled where MPI is installed.

#include <mpi.h>

#include <vector>

#include "apps/mg/links.hpp"

namespace far::apps::mg {

class mpi_links final : public links {
 public:
  explicit mpi_links(const landing_places& places) : places_(places), rows_(places.size()) {}

  [[nodiscard]] double* landing() noexcept override { return rows_.data(); }
  void expect(int level, channel of, int direction, std::uint64_t number, int from,
              std::size_t count) override;
  void send(int level, channel of, int direction, std::uint64_t number, int to,
            std::span<const double> rows) override;
  void complete(int level, channel of, std::uint64_t number) override;
  void allgather(std::span<const double> mine, std::span<double> all) override;
  [[nodiscard]] double sum(double value) override;
  void barrier() override { MPI_Barrier(MPI_COMM_WORLD); }

 private:
  landing_places places_;
  std::vector<double> rows_;
  std::vector<MPI_Request> under_way_;  // of all exchanges in flight
};

}  // namespace far::apps::mg
