// How far apart the vertices of a small world are: a distributed graph from the program's own arcs,
// and breadth-first search as a vertex program, which the engine runs in rounds.
//
//   far run -n 4 example_hops

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <far/far.hpp>

namespace {

constexpr std::uint64_t people = 100'000;

/// Everyone knows the next two on a circle, and one in ten knows somebody far away.
void add_acquaintances(std::uint64_t person, std::vector<far::arc>& arcs) {
  arcs.push_back({person, (person + 1) % people});
  arcs.push_back({person, (person + 2) % people});
  if (person % 10 == 0) arcs.push_back({person, (person * 2654435761 >> 7) % people});
}

/// A vertex that is reached tells its number, and each neighbour takes one that it hears of.
struct hops {
  using value = std::uint64_t;  // the number of arcs from the source
  using message = std::uint64_t;
  using combine = far::minimum;
  static constexpr bool takes_one = true;

  static message send(std::uint64_t person) { return person; }
  static bool apply(value& distance, message, int round) {
    distance = static_cast<std::uint64_t>(round);
    return true;
  }
};

}  // namespace

int main() {
  far::run([](far::world& world) {
    std::vector<far::arc> mine;  // of any people: make_graph sends each arc where it belongs
    for (auto p = static_cast<std::uint64_t>(world.rank()); p < people;
         p += static_cast<std::uint64_t>(world.size())) {
      add_acquaintances(p, mine);
    }
    const far::csr_graph graph = far::make_graph(world, people, mine, {}, {.undirected = true});

    far::vertex_engine<hops> engine(world, graph);
    if (engine.owns(0)) engine.start(0, 0);
    const far::engine_rounds rounds = engine.run();

    std::uint64_t farthest = 0;  // everyone is reached
    for (const std::uint64_t distance : engine.values()) farthest = std::max(farthest, distance);
    farthest = far::allreduce(world, farthest, far::maximum());
    if (world.rank() == 0) {
      std::printf("%llu edges; everyone is at most %llu hops from person 0\n",
                  static_cast<unsigned long long>(graph.edges),
                  static_cast<unsigned long long>(farthest));
      std::printf("%d rounds were pulled, %d pushed\n", rounds.pulled, rounds.pushed);
    }
  });
}
