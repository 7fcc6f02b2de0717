// Tutorial, step 3: the same search. Each rank sends its result to rank 0 by a remote procedure
// call, and the function that runs there keeps the longest chain.
//
//   far run -n 4 example_tutorial_3_rpc

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

/// A rank's own state. Functions that run on a rank find it by its type.
struct record {
  explicit record(far::rank_state&) {}
  chain longest;
};

}  // namespace

int main() {
  far::run([](far::world& world) {
    const auto offer = [](far::rank_state& here, chain found) {
      chain& longest = here.get<record>().longest;  // functions run one at a time: no lock
      if (found.steps > longest.steps) longest = found;
    };
    far::rpc(world, 0, offer, longest_of(world)).get();  // waits until the function has run
    far::barrier(world);                                 // now all ranks' calls have run

    if (world.rank() == 0) {
      const chain longest = world.state().get<record>().longest;
      std::printf("%llu takes %llu steps\n", static_cast<unsigned long long>(longest.first),
                  static_cast<unsigned long long>(longest.steps));
    }
  });
}
