#include "apps/mg/options.hpp"

#include "apps/common/command_line.hpp"

namespace far::apps::mg {

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  CLI::App app{
      "Solves Poisson's equation by multigrid: NAS MG, distributed over the ranks of a job"};
  name_program(app, "far-mg");
  app.add_option("CLASS", c.problem_class, "S (32^3 cells), W (128^3), A or B (256^3)")->required();
  add_variant_option(app, c.how);
  app.add_option("--rounds", c.rounds, "how often to solve; times are medians")
      ->capture_default_str()
      ->check(number_between(1, 1000));
  app.add_flag("--verify", c.verify, "compare the norm of the residual with the published one");
  app.add_flag("--json", c.json, "print the result as JSON");
  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  return c;
}

}  // namespace far::apps::mg
