// far-water: molecular dynamics of water, whose molecules are shared objects.

#include "apps/common/program.hpp"
#include "apps/water/options.hpp"
#include "apps/water/report.hpp"
#include "apps/water/water.hpp"

int main(int argc, char** argv) {
  using namespace far::apps;
  using namespace far::apps::water;
  run_program(argc, argv, parse_command, [](far::world& world, const command& asked) {
    const result found = simulate(world, asked);
    return asked.json ? as_json(found) : as_text(found);
  });
}
