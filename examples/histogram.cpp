// A histogram in an array that is distributed over all ranks. Every rank throws dice and counts
// each throw at the rank that holds its bin, by one atomic addition: no messages, no locks.
//
//   far run -n 4 example_histogram

#include <cstdint>
#include <cstdio>
#include <random>

#include <far/far.hpp>

int main() {
  far::run([](far::world& world) {
    constexpr std::uint64_t bins = 11;  // 2 to 12
    constexpr int throws = 10'000;      // per rank
    far::array<std::uint64_t> histogram(world, bins);

    std::mt19937 random(static_cast<unsigned>(world.rank()));
    for (int i = 0; i < throws; ++i) {
      const std::uint64_t two_dice = random() % 6 + random() % 6;
      histogram.ref(two_dice).add(1);
    }

    const std::uint64_t all = far::reduce(histogram, 0);  // includes a barrier first
    if (world.rank() == 0) {
      for (std::uint64_t bin = 0; bin < bins; ++bin) {
        const std::uint64_t count = histogram.get(bin);
        const int bar = static_cast<int>(count * 200 / all);
        std::printf("%2d %.*s\n", static_cast<int>(bin) + 2, bar,
                    "##################################################");
      }
      std::printf("%llu throws\n", static_cast<unsigned long long>(all));
    }
  });
}
