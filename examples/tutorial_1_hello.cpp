// Tutorial, step 1: every rank says who it is.
//
//   far run -n 4 example_tutorial_1_hello

#include <cstdio>

#include <far/far.hpp>

int main() {
  far::run([](far::world& world) {
    std::printf("rank %d of %d, on node %d\n", world.rank(), world.size(),
                world.node_of(world.rank()));
  });
}
