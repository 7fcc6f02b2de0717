// far-count: counts each word or k-mer of files, on one rank or many.

#include "apps/common/output.hpp"
#include "apps/count/count.hpp"
#include "apps/count/options.hpp"
#include "apps/count/report.hpp"
#include "far/far.hpp"

int main(int argc, char** argv) {
  far::run([argc, argv](far::world& world) {
    std::string answer;
    // Every rank parses the same command line, so an error occurs on all; it is reported once.
    if (const auto asked = far::apps::parse_command(argc, argv, answer)) {
      const far::apps::count_result result = far::apps::count(world, *asked);
      answer = asked->json ? far::apps::as_json(result) : far::apps::as_text(result, asked->items);
    }
    if (world.rank() == 0) far::apps::print_result(answer);
  });
}
