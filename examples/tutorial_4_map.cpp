// Tutorial, step 4: a hash map over all ranks counts how many numbers have a chain of each length.
//
//   far run -n 4 example_tutorial_4_map

#include <cstdint>
#include <cstdio>

#include <far/far.hpp>

namespace {

constexpr std::uint64_t last = 100'000;
constexpr std::uint64_t max_steps = 350;

/// From n, halve an even number, triple an odd one and add 1: how many steps until 1?
std::uint64_t steps_from(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) ++steps;
  return steps;
}

struct group {
  std::uint64_t steps = 0;
  std::uint64_t numbers = 0;
};

}  // namespace

int main() {
  far::run([](far::world& world) {
    const auto rank = static_cast<std::uint64_t>(world.rank());
    const auto size = static_cast<std::uint64_t>(world.size());

    // Collective: steps -> how many numbers, with room for one key per possible length.
    const far::hash_map<std::uint64_t, std::uint64_t> counts(world, max_steps + 1);
    for (std::uint64_t n = rank + 1; n <= last; n += size) counts.add_or_insert(steps_from(n), 1);

    group largest;
    {
      const auto view = counts.reading();  // collective: nobody changes the map in this scope
      for (std::uint64_t steps = rank; steps <= max_steps; steps += size) {
        const std::uint64_t numbers = view.find(steps).value_or(0);
        if (numbers > largest.numbers) largest = {steps, numbers};
      }
    }
    largest = far::allreduce(world, largest, [](const group& a, const group& b) {
      return b.numbers > a.numbers ? b : a;
    });
    if (world.rank() == 0) {
      std::printf("%llu numbers take %llu steps, more than any other number of steps\n",
                  static_cast<unsigned long long>(largest.numbers),
                  static_cast<unsigned long long>(largest.steps));
    }
  });
}
