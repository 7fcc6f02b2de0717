#include "apps/lu/options.hpp"

#include "apps/common/command_line.hpp"
#include "apps/lu/grid.hpp"

namespace far::apps::lu {

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  CLI::App app{
      "Factors a dense matrix into triangles, A = L U, as shared objects of a job's ranks"};
  name_program(app, "far-lu");
  app.add_option("--n", c.n, "rows and columns of the matrix")
      ->capture_default_str()
      ->check(number_between(1, 65536));
  app.add_option("--block", c.block, "rows and columns of the blocks that it consists of")
      ->capture_default_str()
      ->check(number_between(1, max_block));
  app.add_option("--seed", c.seed, "seed of the matrix")
      ->capture_default_str()
      ->check(number_between(0, 1e15));
  add_object_options(app, c.threads, c.protocol);
  app.add_flag("--verify", c.verify, "multiply the triangles, and compare with the matrix");
  app.add_flag("--json", c.json, "print the result as JSON");
  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  return c;
}

}  // namespace far::apps::lu
