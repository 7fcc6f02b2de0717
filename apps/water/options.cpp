#include "apps/water/options.hpp"

#include <fmt/format.h>

#include "apps/common/command_line.hpp"
#include "apps/water/model.hpp"
#include "far/base/error.hpp"

namespace far::apps::water {
namespace {

constexpr double largest_edge = 40;

}  // namespace

std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer) {
  command c;
  CLI::App app{"Simulates water molecules, all pairs, as shared objects of the ranks of a job"};
  name_program(app, "far-water");
  app.add_option("--molecules", c.molecules, "number of molecules, a cube")
      ->capture_default_str()
      ->check(number_between(1, largest_edge * largest_edge * largest_edge));
  app.add_option("--steps", c.steps, "time steps of 0.2 femtoseconds")
      ->capture_default_str()
      ->check(number_between(0, 1e6));
  app.add_option("--seed", c.seed, "seed of the first positions and velocities")
      ->capture_default_str()
      ->check(number_between(0, 1e15));
  add_object_options(app, c.threads, c.protocol);
  app.add_flag("--verify", c.verify, "simulate once more, sequentially, and compare");
  app.add_flag("--json", c.json, "print the result as JSON");
  if (!parse_command_line(app, argc, argv, answer)) return std::nullopt;
  if (cube_root(c.molecules) == 0) {
    throw usage_error(fmt::format(
        "far-water: --molecules: {} is no cube, such as 8, 27, 64, 512 or 1728", c.molecules));
  }
  return c;
}

}  // namespace far::apps::water
