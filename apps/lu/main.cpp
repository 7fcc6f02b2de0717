// far-lu: factors a dense matrix, whose blocks are shared objects.

#include "apps/common/program.hpp"
#include "apps/lu/lu.hpp"
#include "apps/lu/options.hpp"
#include "apps/lu/report.hpp"

int main(int argc, char** argv) {
  using namespace far::apps;
  using namespace far::apps::lu;
  run_program(argc, argv, parse_command, [](far::world& world, const command& asked) {
    const result found = factor_matrix(world, asked);
    return asked.json ? as_json(found) : as_text(found);
  });
}
