// far-count: counts each word or k-mer of files, on one rank or many.

#include "apps/common/program.hpp"
#include "apps/count/count.hpp"
#include "apps/count/options.hpp"
#include "apps/count/report.hpp"

int main(int argc, char** argv) {
  using namespace far::apps;
  run_program(argc, argv, parse_command, [](far::world& world, const command& asked) {
    const count_result found = count(world, asked);
    return asked.json ? as_json(found) : as_text(found, asked.items);
  });
}
