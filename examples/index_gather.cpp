// Millions of small accesses in a few large messages: every rank adds to random places of a table
// that is distributed over all ranks, then reads random places. Over a network, each single access
// would be a message; far::aggregator and far::query_aggregator send some hundred at once.
//
//   far run -n 4 example_index_gather

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <far/far.hpp>

namespace {

constexpr std::uint64_t words = 10'000;     // in the table, per rank
constexpr std::uint64_t accesses = 50'000;  // per rank

/// A rank's part of the table. A function finds it by its type on the rank where it runs.
struct part {
  explicit part(far::rank_state&) {}
  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(words);
};

}  // namespace

int main() {
  far::run([](far::world& world) {
    const auto all_words = words * static_cast<std::uint64_t>(world.size());
    const auto owner = [](std::uint64_t place) { return static_cast<int>(place / words); };
    std::mt19937_64 random(static_cast<unsigned>(world.rank()));
    std::vector<std::uint64_t> places(accesses);
    for (std::uint64_t& place : places) place = random() % all_words;

    // Functions run one at a time on a rank, so they need no atomics.
    auto add = far::make_aggregator<std::uint64_t>(
        world, [](far::rank_state& here, std::uint64_t at) { ++here.get<part>().counts[at]; });
    for (const std::uint64_t place : places) add(owner(place), place % words);
    far::settle(world, add);  // on all ranks

    // Each reply returns the tag of its query: the index of its result.
    std::vector<std::uint64_t> found(accesses);
    auto look_up = far::make_query_aggregator<std::size_t, std::uint64_t>(
        world, [](far::rank_state& here, std::uint64_t at) { return here.get<part>().counts[at]; },
        [&found](std::size_t i, std::uint64_t count) { found[i] = count; });
    for (std::size_t i = 0; i < accesses; ++i) look_up(owner(places[i]), i, places[i] % words);
    look_up.flush();

    std::uint64_t missing = 0;  // each place has at least this rank's own updates
    for (const std::uint64_t count : found) missing += count == 0 ? 1 : 0;
    std::uint64_t here = 0;
    for (const std::uint64_t count : world.state().get<part>().counts) here += count;
    const std::uint64_t all = far::allreduce(world, here);
    missing = far::allreduce(world, missing);
    if (world.rank() == 0) {
      std::printf("%llu updates counted, %llu messages by rank 0\n",
                  static_cast<unsigned long long>(all),
                  static_cast<unsigned long long>(add.counts().messages));
    }
    if (missing != 0 || all != accesses * static_cast<std::uint64_t>(world.size())) {
      std::fprintf(stderr, "%llu updates are missing\n", static_cast<unsigned long long>(missing));
      std::exit(1);
    }
  });
}
