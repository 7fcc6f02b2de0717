// The first program of a user who installed libfar.
#include <cstdio>

#include <far/far.hpp>

int main() {
  far::run([](far::world& world) {
    if (world.rank() == 0) std::printf("far %s, %d ranks\n", FAR_VERSION, world.size());
  });
}
