// far-water: molecular dynamics of water, whose molecules are shared objects.

#include "apps/common/output.hpp"
#include "apps/water/options.hpp"
#include "apps/water/report.hpp"
#include "apps/water/water.hpp"
#include "far/far.hpp"

int main(int argc, char** argv) {
  far::run([argc, argv](far::world& world) {
    namespace water = far::apps::water;
    std::string answer;
    // Every rank parses the same command line, so an error occurs on all; it is reported once.
    if (const auto asked = water::parse_command(argc, argv, answer)) {
      const water::result found = water::simulate(world, *asked);
      answer = asked->json ? water::as_json(found) : water::as_text(found);
    }
    if (world.rank() == 0) far::apps::print_result(answer);
  });
}
