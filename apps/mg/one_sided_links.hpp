#pragma once
// One-sided communication by libfar: a rank puts its rows where its neighbor reads them as ghosts,
// with a signal behind them. No rank asks, and none waits for another one to receive.

#include <vector>

#include "apps/mg/links.hpp"
#include "far/far.hpp"

namespace far::apps::mg {

class one_sided_links final : public links {
 public:
  /// Collective: allocates the landing places in the symmetric heaps. The destructor is collective
  /// too. Errors: out_of_memory.
  one_sided_links(const world& view, const landing_places& places);
  ~one_sided_links() override;

  [[nodiscard]] double* landing() noexcept override { return local(view_, rows_); }
  void expect(int level, channel of, int direction, std::uint64_t number, int from,
              std::size_t count) override;
  void send(int level, channel of, int direction, std::uint64_t number, int to,
            std::span<const double> rows) override;
  void complete(int level, channel of, std::uint64_t number) override;
  void allgather(std::span<const double> mine, std::span<double> all) override;
  [[nodiscard]] double sum(double value) override;
  void barrier() override { far::barrier(view_); }

 private:
  world view_;
  landing_places places_;
  ptr<double> rows_;
  ptr<std::uint64_t> arrived_;  // the last exchange whose rows are there; by places_.index()
  std::vector<int> expected_;   // such indices, of exchanges that are not complete
  std::vector<future<void>> sent_;
  collective_scope scope_;
};

}  // namespace far::apps::mg
