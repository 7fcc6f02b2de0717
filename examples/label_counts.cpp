// Counts in an array that every rank caches. Words follow a skewed distribution, so most counts
// are combined where they are made: a few messages per chunk, not one for each word.
//
//   far run -n 4 example_label_counts

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>

#include <far/far.hpp>

int main() {
  far::run([](far::world& world) {
    constexpr std::uint64_t labels = 100'000;
    constexpr int events = 50'000;  // per rank
    far::cached_array<std::uint64_t> counts(world, labels);

    std::mt19937 random(static_cast<unsigned>(world.rank()));
    std::exponential_distribution<double> often(0.1);
    for (int i = 0; i < events; ++i) {
      const auto label = std::min(static_cast<std::uint64_t>(often(random)), labels - 1);
      counts.apply(label, std::uint64_t{1}, std::plus<>());
    }
    far::barrier(world);

    // Reading merges the operands of all ranks first.
    if (world.rank() == 0) {
      for (std::uint64_t label = 0; label < 3; ++label) {
        std::printf("label %d: about %d percent\n", static_cast<int>(label),
                    static_cast<int>(counts.get(label) * 100 /
                                     (events * static_cast<std::uint64_t>(world.size()))));
      }
    }

    // A loop over whole chunks pays plain loads: the pin keeps the chunk here.
    std::uint64_t mine = 0;
    for (std::uint64_t i = counts.local_begin(); i < counts.local_end();) {
      const auto chunk = counts.pin_read(i);
      for (const std::uint64_t count : chunk.elements()) mine += count;
      i = chunk.first() + chunk.elements().size();
    }
    const std::uint64_t all = far::allreduce(world, mine, std::plus<>());
    if (world.rank() == 0) {
      std::printf("%llu events\n", static_cast<unsigned long long>(all));
    }
  });
}
