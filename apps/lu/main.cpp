// far-lu: factors a dense matrix, whose blocks are shared objects.

#include "apps/common/output.hpp"
#include "apps/lu/lu.hpp"
#include "apps/lu/options.hpp"
#include "apps/lu/report.hpp"
#include "far/far.hpp"

int main(int argc, char** argv) {
  far::run([argc, argv](far::world& world) {
    namespace lu = far::apps::lu;
    std::string answer;
    // Every rank parses the same command line, so an error occurs on all; it is reported once.
    if (const auto asked = lu::parse_command(argc, argv, answer)) {
      const lu::result found = lu::factor_matrix(world, *asked);
      answer = asked->json ? lu::as_json(found) : lu::as_text(found);
    }
    if (world.rank() == 0) far::apps::print_result(answer);
  });
}
