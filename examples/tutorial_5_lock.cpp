// Tutorial, step 5: all ranks keep one record, the longest chain found so far, as they search. It
// is two words that must agree, so a lock guards it.
//
//   far run -n 4 example_tutorial_5_lock
//   far sim -n 1024 -p cori-aries example_tutorial_5_lock

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <stdexcept>

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

}  // namespace

int main() {
  far::run([](far::world& world) {
    far::mcs_lock lock(world);  // collective
    const far::ptr<chain> records = far::allocate<chain>(world);
    const far::ptr<chain> record = records.on(0);  // the one that is used
    far::barrier(world);

    std::uint64_t known = 0;  // the record has at least this many steps: it only grows
    int improved = 0;
    const auto size = static_cast<std::uint64_t>(world.size());
    for (auto n = static_cast<std::uint64_t>(world.rank()) + 1; n <= last; n += size) {
      const std::uint64_t steps = steps_from(n);
      if (steps <= known) continue;  // most numbers need no lock

      const std::unique_lock guard(lock);
      known = far::get(world, record).steps;
      if (steps <= known) continue;  // another rank was faster
      far::put(world, record, {n, steps});
      known = steps;
      ++improved;
    }

    far::barrier(world);  // now all ranks have finished
    const std::uint64_t longest_known = far::allreduce(world, known, far::maximum());
    const int improvements = far::allreduce(world, improved);
    if (world.rank() == 0) {
      const chain longest = far::get(world, record);
      std::printf("%llu takes %llu steps; the record was improved %d times\n",
                  static_cast<unsigned long long>(longest.first),
                  static_cast<unsigned long long>(longest.steps), improvements);
      if (longest.steps != longest_known) throw std::runtime_error("an improvement was lost");
    }
    far::deallocate(world, records);
  });
}
