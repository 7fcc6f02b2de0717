// far-mg: the multigrid benchmark of NAS, on one rank or many.

#include "apps/common/output.hpp"
#include "apps/mg/mg.hpp"
#include "apps/mg/options.hpp"
#include "apps/mg/report.hpp"
#include "far/far.hpp"

int main(int argc, char** argv) {
  far::run([argc, argv](far::world& world) {
    std::string answer;
    // Every rank parses the same command line, so an error occurs on all; it is reported once.
    if (const auto asked = far::apps::mg::parse_command(argc, argv, answer)) {
      const far::apps::mg::result found = far::apps::mg::solve(world, *asked);
      answer = asked->json ? far::apps::mg::as_json(found) : far::apps::mg::as_text(found);
    }
    if (world.rank() == 0) far::apps::print_result(answer);
  });
}
