// Results that take long to compute are kept in a store that all ranks share: who finds one does
// not compute it. Memory is bounded, and what nobody asks for any more makes room.
//
//   far run -n 4 example_remembered

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include <far/far.hpp>

namespace {

/// The steps until n becomes 1, if even numbers are halved and odd ones tripled plus one.
std::uint64_t steps_of(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

}  // namespace

int main() {
  far::run([](far::world& world) {
    far::store results(world, {.memory_bytes = 32 << 20});
    far::base::random random(static_cast<std::uint64_t>(world.rank()));
    constexpr std::uint64_t asked = 20'000;
    std::uint64_t computed = 0, longest = 0;
    for (std::uint64_t i = 0; i < asked; ++i) {
      // Small numbers are asked for more often.
      const std::uint64_t number = 1 + random.below(1 + random.below(50'000));
      const std::string key = "steps:" + std::to_string(number);
      std::uint64_t steps = 0;
      if (const auto known = results.get(key)) {
        steps = std::stoull(known->value);
      } else {
        steps = steps_of(number);
        results.put(key, std::to_string(steps));
        ++computed;
      }
      longest = std::max(longest, steps);
    }
    computed = far::allreduce(world, computed, std::plus<>());
    longest = far::allreduce(world, longest, far::maximum());
    if (world.rank() == 0) {
      std::printf("%llu of %llu results were computed; the longest way has %llu steps\n",
                  static_cast<unsigned long long>(computed),
                  static_cast<unsigned long long>(asked * static_cast<unsigned>(world.size())),
                  static_cast<unsigned long long>(longest));
    }
  });
}
