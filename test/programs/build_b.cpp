// One of two programs with different handlers, like two builds of one program. Their ranks must not
// join one job.

#include <cstdio>

#include "far/fabric/handlers.hpp"
#include "far/far.hpp"

namespace {

struct handler_of_build_b {
  static void run(far::fabric::message&) {}
};

}  // namespace

int main() {
  far::run([](far::world& world) {
    std::printf("rank %d has handler %d\n", world.rank(),
                static_cast<int>(far::fabric::handler_of<handler_of_build_b>::index()));
  });
}
