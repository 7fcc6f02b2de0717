// far-kv: a cache for memcached's clients, in the memory of all ranks of a job.

#include "apps/common/output.hpp"
#include "apps/kv/options.hpp"
#include "apps/kv/serve.hpp"
#include "far/far.hpp"

int main(int argc, char** argv) {
  using namespace far::apps;
  far::run([&](far::world& world) {
    std::string answer;
    if (const auto asked = kv::parse_command(argc, argv, answer)) {
      kv::serve(world, *asked);
    } else if (world.rank() == 0) {
      print_result(answer);
    }
  });
}
