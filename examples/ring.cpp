// Passes a message around a ring of ranks. Each rank puts it into its successor's memory with a
// signal, after sleeping until its predecessor's signal arrives. A rank that sees the signal also
// sees the data of the put.
//
//   far run -n 4 example_ring

#include <cstdint>
#include <cstdio>
#include <vector>

#include <far/far.hpp>

int main() {
  far::run([](far::world& world) {
    const int next = (world.rank() + 1) % world.size();
    const auto size = static_cast<std::uint64_t>(world.size());

    // Collective: memory at the same offset on every rank. p.on(r) is rank r's part of it.
    const auto names = far::allocate<int>(world, size);
    const auto arrived = far::allocate<std::uint64_t>(world);
    far::barrier(world);  // all ranks have it

    std::vector<int> visited;
    if (world.rank() > 0) {
      far::wait_signal(world, arrived, far::at_least{1});
      const auto here = far::local_span(world, names, static_cast<std::uint64_t>(world.rank()));
      visited.assign(here.begin(), here.end());
    }
    visited.push_back(world.rank());
    far::put(world, names.on(next), visited, far::signal_of(arrived.on(next), 1));

    if (world.rank() == 0) {
      far::wait_signal(world, arrived, far::at_least{1});
      for (const int rank : far::local_span(world, names, size)) std::printf("rank %d, ", rank);
      std::printf("and back\n");
    }
    far::barrier(world);  // no rank frees its memory while another still writes to it
    far::deallocate(world, arrived);
    far::deallocate(world, names);
  });
}
