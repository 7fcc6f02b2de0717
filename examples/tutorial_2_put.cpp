// Tutorial, step 2: each rank searches its share of the numbers up to 100,000 for the one with the
// longest Collatz chain, and puts its result into the memory of rank 0.
//
//   far run -n 4 example_tutorial_2_put

#include <cstdint>
#include <cstdio>

#include <far/far.hpp>

namespace {

constexpr std::uint64_t last = 100'000;

struct chain {
  std::uint64_t first = 1;
  std::uint64_t steps = 0;
};

/// From n, halve an even number, triple an odd one and add 1: how many steps until 1?
std::uint64_t steps_from(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) ++steps;
  return steps;
}

/// The longest chain among this rank's share: each size-th number, from rank + 1 on.
chain longest_of(const far::world& world) {
  chain longest;
  const auto size = static_cast<std::uint64_t>(world.size());
  for (auto n = static_cast<std::uint64_t>(world.rank()) + 1; n <= last; n += size) {
    const std::uint64_t steps = steps_from(n);
    if (steps > longest.steps) longest = {n, steps};
  }
  return longest;
}

}  // namespace

int main() {
  far::run([](far::world& world) {
    // Collective: memory for one chain per rank, on every rank, at the same offset everywhere.
    const auto size = static_cast<std::uint64_t>(world.size());
    const far::ptr<chain> results = far::allocate<chain>(world, size);
    far::barrier(world);  // now it exists on all ranks

    // Rank 0's copy, element rank(). Rank 0 takes no part in this.
    far::put(world, results.on(0) + world.rank(), longest_of(world));
    far::barrier(world);  // now all puts are visible

    if (world.rank() == 0) {
      chain longest;
      for (const chain& one : far::local_span(world, results, size)) {
        if (one.steps > longest.steps) longest = one;
      }
      std::printf("%llu takes %llu steps\n", static_cast<unsigned long long>(longest.first),
                  static_cast<unsigned long long>(longest.steps));
    }
    far::deallocate(world, results);
  });
}
