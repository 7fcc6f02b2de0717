#pragma once
// One-sided communication by libfar: a rank puts its rows where its neighbor reads them as ghosts,
// with a signal behind them. Nobody requests rows, and a sender never waits for its receiver.

#include <vector>

#include "apps/mg/links.hpp"
#include "far/far.hpp"

namespace far::apps::mg {

class one_sided_links final : public links {
 public:
  /// Collective: allocates the landing places in the symmetric heaps. The destructor is collective
  /// too. Errors: out_of_memory.
  one_sided_links(const world& world, const landing_places& places);
  ~one_sided_links() override;

  [[nodiscard]] double* landing() noexcept override { return local(world_, rows_); }
  void expect(int level, channel of, int direction, std::uint64_t number, int from,
              std::size_t count) override;
  void send(int level, channel of, int direction, std::uint64_t number, int to,
            std::span<const double> rows) override;
  void complete(int level, channel of, std::uint64_t number) override;
  void allgather(std::span<const double> mine, std::span<double> all) override;
  [[nodiscard]] double sum(double value) override;
  void barrier() override { far::barrier(world_); }

 private:
  world world_;
  landing_places places_;
  ptr<double> rows_;
  ptr<std::uint64_t> arrived_;  // by places_.index(): the last exchange whose rows are there
  std::vector<int> expected_;   // places_.index() of the rows that are still on their way here
  std::vector<future<void>> sent_;
  collective_scope scope_;
};

}  // namespace far::apps::mg
