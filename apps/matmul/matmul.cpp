#include "apps/matmul/matmul.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "apps/common/median.hpp"
#include "apps/common/mpi_session.hpp"
#include "apps/common/progress.hpp"
#include "apps/matmul/check.hpp"
#include "apps/matmul/one_sided_multiplier.hpp"
#ifdef FAR_APPS_WITH_MPI
#include "apps/matmul/mpi_multiplier.hpp"
#endif

namespace far::apps::matmul {
namespace {

constexpr const char* program_name = "far-matmul";

/// The BLAS on one rank, for comparison.
class blas_multiplier final : public multiplier {
 public:
  blas_multiplier(const plan& how, const blas& with, int threads)
      : plan_(how), blas_(with), threads_(threads) {
    const shape& s = how.what;
    a_ = made(a_memory_, s.m, s.k, s.transpose_a);
    b_ = made(b_memory_, s.k, s.n, s.transpose_b);
    c_ = made(c_memory_, s.m, s.n, false);
  }
  [[nodiscard]] own_blocks blocks() const override { return {a_, b_, c_}; }
  void multiply(const on_panel& progress) override {
    const shape& s = plan_.what;
    blas_.set_threads(threads_);
    blas_.product(s.m, s.n, s.k, {a_.first, a_.leading, s.transpose_a},
                  {b_.first, b_.leading, s.transpose_b}, false, c_.first, c_.leading);
    blas_.set_threads(1);
    progress(1, 1);
  }
  void barrier() override {}

 private:
  static stored_block made(std::vector<double>& memory, std::uint64_t rows, std::uint64_t columns,
                           bool transposed) {
    if (transposed) std::swap(rows, columns);
    memory.resize(rows * columns);
    return {{0, rows}, {0, columns}, memory.data(), columns};
  }

  plan plan_;
  blas blas_;
  int threads_;
  std::vector<double> a_memory_;
  std::vector<double> b_memory_;
  std::vector<double> c_memory_;
  stored_block a_;
  stored_block b_;
  stored_block c_;
};

struct contender {
  std::string name;
  std::unique_ptr<multiplier> multiplying;
  std::vector<double> seconds = {};
  std::string verdict = {};
};

std::unique_ptr<multiplier> multiplier_of(variant how, const world& world, const plan& p) {
#ifdef FAR_APPS_WITH_MPI
  if (how == variant::mpi) return std::make_unique<mpi_multiplier>(p);
#endif
  (void)how;
  return std::make_unique<one_sided_multiplier>(world, p);
}

std::vector<contender> contenders_of(const world& world, const command& asked, const plan& p,
                                     const blas& with) {
  std::vector<contender> result;
  for (const variant how : variants_of(asked.how)) {
    result.push_back({name_of(how), multiplier_of(how, world, p)});
  }
  if (asked.blas_threads > 0) {
    result.push_back(
        {fmt::format("blas, {} thread{}", asked.blas_threads, asked.blas_threads == 1 ? "" : "s"),
         std::make_unique<blas_multiplier>(p, with, asked.blas_threads)});
  }
  for (const contender& c : result) {
    const own_blocks blocks = c.multiplying->blocks();
    fill(blocks.a, which::a);
    fill(blocks.b, which::b);
  }
  return result;
}

void run_round(const world& world, contender& c, const on_panel& progress) {
  spoil(c.multiplying->blocks().c);
  c.multiplying->barrier();
  const std::uint64_t start_ns = world.now();
  c.multiplying->multiply(progress);
  c.multiplying->barrier();
  c.seconds.push_back(static_cast<double>(world.now() - start_ns) * 1e-9);
}

/// Collective. Every rank that finds a difference throws.
void check(const world& world, const command& asked, const plan& p, contender& c) {
  const own_blocks blocks = c.multiplying->blocks();
  const auto expect_nothing = [&](const std::string& difference) {
    if (difference.empty()) return;
    throw error(fmt::format("{}: the variant {}: {}", program_name, c.name, difference));
  };
  expect_nothing(freivalds_difference(world, asked.what, blocks));
  c.verdict = "Freivalds";
  if (!asked.verify) return;
  expect_nothing(difference_from(p.product, asked.what, blocks.c));
  c.verdict += ", BLAS";
}

}  // namespace

result multiply(world& world, const command& asked, const blas& with) {
  check_variant(world, program_name, asked.how);
  if (asked.blas_threads > 0 && world.size() > 1) {
    throw bad_argument(fmt::format("{}: --blas compares with one rank, not with {}; run {} alone",
                                   program_name, world.size(), program_name));
  }
#ifdef FAR_APPS_WITH_MPI
  std::optional<mpi_session> mpi;
  if (asked.how != variant::one_sided) mpi.emplace(world, program_name);
#endif

  const plan p{asked.what, rank_grid::of(asked.what, world.size()), asked.panel, asked.fetch,
               with.product};
  std::vector<contender> contenders = contenders_of(world, asked, p, with);
  barrier(world);
  {
    progress_bar bar("multiplying");
    const auto rounds = static_cast<std::size_t>(asked.rounds);
    const bool shown = world.rank() == 0 && bar.visible();
    for (std::size_t round = 0; round < rounds; ++round) {
      for (contender& c : contenders) {
        run_round(world, c, [&](std::size_t done, std::size_t all) {
          if (shown) bar.update(round * all + done, rounds * all, c.name);
        });
      }
    }
  }
  result found{asked.what, world.size(), p.grid, {}};
  for (contender& c : contenders) {
    check(world, asked, p, c);
    found.variants.push_back({c.name, median_of(c.seconds), c.verdict});
  }
  barrier(world);  // all have checked
  return found;
}

double operations_of(const shape& s) {
  return 2.0 * static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
}

}  // namespace far::apps::matmul
