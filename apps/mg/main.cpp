// far-mg: the multigrid benchmark of NAS, on one rank or many.

#include "apps/common/program.hpp"
#include "apps/mg/mg.hpp"
#include "apps/mg/options.hpp"
#include "apps/mg/report.hpp"

int main(int argc, char** argv) {
  using namespace far::apps;
  using namespace far::apps::mg;
  run_program(argc, argv, parse_command, [](far::world& world, const command& asked) {
    const result found = solve(world, asked);
    return asked.json ? as_json(found) : as_text(found);
  });
}
