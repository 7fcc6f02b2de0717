#include "apps/matmul/options.hpp"

#include "apps/common/command_line.hpp"

namespace far::apps::matmul {
namespace {

constexpr double largest_extent = 1'000'000;

}  // namespace

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  CLI::App app{"Multiplies matrices, distributed over the ranks of a job: C = A B by SUMMA"};
  name_program(app, "far-matmul");
  const auto extent = number_between(1, largest_extent);
  app.add_option("M", c.what.m, "rows of C")->required()->check(extent);
  app.add_option("N", c.what.n, "columns of C (default: M)")->check(extent);
  app.add_option("K", c.what.k, "columns of A and rows of B (default: M)")->check(extent);
  app.add_flag("--transpose-a", c.what.transpose_a, "A is stored as K x M, and transposed");
  app.add_flag("--transpose-b", c.what.transpose_b, "B is stored as N x K, and transposed");
  add_variant_option(app, c.how);
  app.add_option("--panel", c.panel, "width of the panels that move at a time")
      ->capture_default_str()
      ->check(extent);
  app.add_flag("--fetch", c.fetch, "one-sided: copy panels also where instructions reach them");
  app.add_option("--rounds", c.rounds, "how often to multiply; times are medians")
      ->capture_default_str()
      ->check(number_between(1, 1000));
  app.add_option("--blas", c.blas_threads,
                 "one rank: also multiply by the BLAS at once, on so many threads")
      ->check(number_between(1, 1024));
  app.add_flag("--verify", c.verify, "compare all of C with a product by the BLAS");
  app.add_flag("--json", c.json, "print the result as JSON");
  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  if (c.what.n == 0) c.what.n = c.what.m;
  if (c.what.k == 0) c.what.k = c.what.m;
  return c;
}

}  // namespace far::apps::matmul
