// The smallest program: each rank prints its number.
//
//   far run -n 4 example_hello

#include <cstdio>

#include <far/far.hpp>

int main() {
  far::run([](far::world& world) {
    std::printf("hello from rank %d of %d\n", world.rank(), world.size());
  });
}
