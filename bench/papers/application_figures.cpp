#include "bench/papers/application_figures.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bench/papers/multigrid_load.hpp"
#include "bench/papers/product_load.hpp"
#include "bench/papers/simulated.hpp"
#include "bench/papers/transfer_figures.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

namespace names = transfer_names;

constexpr std::uint64_t panel_widths[] = {32, 64, 128};  // of messages: the best one counts
constexpr std::uint64_t chunk_width = 128;               // the paper's, one-sided
constexpr std::uint64_t rectangle_columns = 512;

struct rival {
  const char* name;
  section_protocol how;
};
constexpr rival one_sided[] = {{names::buffered, section_protocol::packed},
                               {names::per_segment, section_protocol::per_segment},
                               {names::assisted, section_protocol::host_assisted}};

struct face_rival {
  const char* name;
  face_transfer how;
};
constexpr face_rival face_ways[] = {{names::messages, face_transfer::messages},
                                    {names::buffered, face_transfer::buffered},
                                    {names::zero_copy, face_transfer::zero_copy}};

/// A class of NAS MG.
struct multigrid_class {
  char letter;  ///< of the figure
  const char* name;
  int iterations;
  double flop_ns;
};

figure multigrid_figure(transfer_jobs& on, const application_places& at,
                        const multigrid_class& what) {
  figure result{fmt::format("paper-d-figure-11{}", what.letter),
                fmt::format("Figure 11{}: NAS MG {}; lower is better", what.letter, what.name),
                "processes"};
  result.note = fmt::format("{} iterations", what.iterations);
  if (what.flop_ns > 0) {
    result.note += fmt::format("; {} ns for each operation of a process (assumed)", what.flop_ns);
  }
  for (const int ranks : at.ranks) result.places.push_back(std::to_string(ranks));
  for (const face_rival& way : face_ways) {
    curve line{way.name, {}};
    for (const int ranks : at.ranks) {
      line.ns.push_back(
          multigrid_time(on, fmt::format("{}, {}, {} processes", result.name, way.name, ranks),
                         {ranks, what.iterations, what.flop_ns}, way.how));
    }
    result.curves.push_back(std::move(line));
  }
  return result;
}

figure product_figure(transfer_jobs& on, const application_places& at, char letter,
                      const char* name, bool is_square) {
  figure result{fmt::format("paper-d-figure-12{}", letter),
                fmt::format("Figure 12{}: product of {}; lower is better", letter, name), "rows"};
  const double flop_ns = rates_of(on.profile()).product_flop_ns;
  result.note =
      fmt::format("{} nodes of {} processes; {} ns for each operation of a process (assumed)",
                  product_ranks / product_ranks_per_node, product_ranks_per_node, flop_ns);
  std::vector<product_size> sizes;
  for (const std::uint64_t rows : at.products) {
    result.places.push_back(std::to_string(rows));
    const std::uint64_t other = is_square ? rows : rectangle_columns;
    sizes.push_back({rows, other, other, flop_ns});
  }
  curve messages{names::messages, {}};
  for (const product_size& size : sizes) {
    double best = 0;
    for (const std::uint64_t width : panel_widths) {
      const double ns = product_by_messages(
          on, fmt::format("{}, {}, {} rows", result.name, names::messages, size.rows), size, width);
      if (best == 0 || ns < best) best = ns;
    }
    messages.ns.push_back(best);
  }
  result.curves.push_back(std::move(messages));
  for (const rival& r : one_sided) {
    curve line{r.name, {}};
    for (const product_size& size : sizes) {
      line.ns.push_back(
          product_one_sided(on, fmt::format("{}, {}, {} rows", result.name, r.name, size.rows),
                            size, chunk_width, r.how));
    }
    result.curves.push_back(std::move(line));
  }
  return result;
}

}  // namespace

computing_rates rates_of(std::string_view profile) noexcept {
  // Assumed. Grids: 250 million operations a second on a Pentium IV whose bus two processes share,
  // 350 on an Itanium 2. Products: 80 % of the peak, which is 2 operations a cycle of 2.4 GHz, and
  // 4 of 1 GHz.
  if (profile == "ib-2004-ia64") return {1 / 0.35, 1 / 3.2};
  return {1 / 0.25, 1 / 3.84};
}

application_places application_places_of(const std::vector<int>& ranks, bool quick) {
  application_places at;
  at.ranks = ascending(ranks);
  if (at.ranks.empty()) at.ranks = quick ? std::vector{2, 8} : std::vector{4, 8, 16, 32, 64};
  for (const int n : at.ranks) {
    if (n >= 2 && n <= 512 && std::has_single_bit(static_cast<unsigned>(n))) continue;
    throw bad_argument(
        fmt::format("--ranks {}: NAS MG runs on a power of two of processes, 2 to 512", n));
  }
  at.products = quick ? std::vector<std::uint64_t>{128, 512}
                      : std::vector<std::uint64_t>{128, 256, 512, 768, 1024, 1536, 2000};
  return at;
}

std::size_t multigrid_jobs_of(const application_places& at) {
  return 3 * std::size(face_ways) * at.ranks.size();
}

multigrid_results measure_multigrid(transfer_jobs& on, const application_places& at) {
  constexpr int iterations_of_a = 4;
  constexpr int iterations_of_b = 20;
  const double flop_ns = rates_of(on.profile()).grid_flop_ns;
  return {multigrid_figure(on, at, {'a', "class A", iterations_of_a, flop_ns}),
          multigrid_figure(on, at, {'b', "class B", iterations_of_b, flop_ns}),
          multigrid_figure(on, at, {'c', "class A, without computing", iterations_of_a, 0})};
}

std::size_t product_jobs_of(const application_places& at) {
  return 2 * (std::size(panel_widths) + std::size(one_sided)) * at.products.size();
}

product_results measure_products(transfer_jobs& on, const application_places& at) {
  return {product_figure(on, at, 'a', "square matrices", true),
          product_figure(on, at, 'b', "matrices of 512 columns", false)};
}

}  // namespace far::bench
