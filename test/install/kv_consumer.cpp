// A program that serves memcached's clients from its own store.
#include <cstdio>

#include <far/far.hpp>
#include <far/kv/server.hpp>

int main() {
  far::run([](far::world& world) {
    const far::store items(world);
    far::kv_server server(world, items, {.port = 0});
    const bool listens = server.addresses().size() == 1;
    server.stop();
    server.wait();
    if (world.rank() == 0 && listens) std::printf("far-kv, %d ranks\n", world.size());
  });
}
