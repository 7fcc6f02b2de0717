// Degrees of the vertices of a graph, in a hash table in the segments: all ranks count the ends of
// their edges at the same time. Then they look up vertices in a phase without changes, in which
// each lookup is one transfer.
//
//   far run -n 4 example_degrees

#include <cstdint>
#include <cstdio>

#include <far/far.hpp>

namespace {

constexpr std::uint64_t vertices = 1000;
constexpr std::uint64_t edges = 8000;

/// The end of an edge: computed here; a real program would read it from a file.
std::uint64_t end_of(std::uint64_t edge) { return edge * edge % vertices; }

}  // namespace

int main() {
  far::run([](far::world& world) {
    // Reserve space for all keys: a table in the segments does not grow.
    const far::hash_map<std::uint64_t, int> degrees(world, vertices);
    const auto rank = static_cast<std::uint64_t>(world.rank());
    const auto size = static_cast<std::uint64_t>(world.size());
    for (std::uint64_t edge = rank; edge < edges; edge += size) {
      degrees.add_or_insert(end_of(edge), 1);
    }

    std::uint64_t found = 0;
    {
      const auto all = degrees.reading();  // collective: from here all ranks only look up
      for (std::uint64_t vertex = rank; vertex < vertices; vertex += size) {
        if (const auto degree = all.find(vertex)) found += static_cast<std::uint64_t>(*degree);
      }
    }  // and to here
    const std::uint64_t sum = far::allreduce(world, found);
    const std::size_t distinct = degrees.size();
    if (world.rank() == 0) {
      std::printf("%zu vertices are ends of %llu edges\n", distinct,
                  static_cast<unsigned long long>(sum));
    }
  });
}
