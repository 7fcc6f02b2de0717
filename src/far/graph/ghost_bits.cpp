#include "far/graph/ghost_bits.hpp"

#include <algorithm>
#include <utility>

namespace far::graphs {

ghost_bits::ghost_bits(const world& world, const csr_graph& graph)
    : own_(graph.own()),
      routes_(world, graph),
      landing_(world, routes_.words_before(routes_.ranks()), routes_.owners()),
      bits_((own_ + graph.ghosts.size() + 63) / 64) {
  for (const auto& n : routes_.neighbours()) {
    piece one;
    for (const std::uint32_t v : n.wanted) one.wanted.add(v);
    one.packed.resize(one.wanted.packed_words());
    pieces_.push_back(std::move(one));
  }
}

void ghost_bits::bring(std::span<const std::uint64_t> own) {
  auto next = pieces_.begin();
  for (const auto& n : routes_.neighbours()) {
    piece& one = *next++;
    one.wanted.pack(own.data(), one.packed.data());
    landing_.send(n.rank, n.words, one.packed);
  }
  const auto rest = std::ranges::copy(own, bits_.begin()).out;
  std::fill(rest, bits_.end(), 0);
  landing_.turn();
  for (std::size_t r = 0; r < routes_.ranks(); ++r) {
    const std::uint64_t begin = routes_.group(r);
    place_bits(landing_.current().data() + routes_.words_before(r), routes_.group(r + 1) - begin,
               bits_.data(), own_ + begin);
  }
}

}  // namespace far::graphs
