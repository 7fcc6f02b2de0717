// What ghosts get from their owners, in both ways, round after round.

#include <cstdint>
#include <vector>

#include "far/graph/ghost_array.hpp"
#include "far/graph/ghost_bits.hpp"
#include "far/graph/ghost_exchange.hpp"
#include "far/graph/test_arcs.hpp"
#include "far/team/team.hpp"
#include "test/support/jobs.hpp"

namespace far::graphs {
namespace {

constexpr int ghost_rounds = 4;

class ghosts_test : public test::on_ranks {
 protected:
  ghosts_test() {
    seeds = 20;
    allowed = test::run_size::any;
  }

  /// body(world, graph) for some graphs.
  void on_graphs(const std::function<void(const world&, const csr_graph&)>& body) {
    run([&](world& w) {
      for (const std::uint64_t vertices : {1U, 9U, 300U}) {
        const auto arcs = testing::random_arcs(vertices, vertices, 2 * vertices);
        const csr_graph graph = make_graph(w, vertices, testing::share_of(w, arcs));
        body(w, graph);
      }
    });
  }

  template <class Channel>
  static void expect_values(const world& w, const csr_graph& graph, Channel& channel) {
    const auto value = [](int round, std::uint64_t vertex) {
      return static_cast<double>(vertex * 100 + static_cast<std::uint64_t>(round));
    };
    for (int round = 0; round < ghost_rounds; ++round) {
      for (std::size_t v = 0; v < graph.own(); ++v) {
        channel.next()[v] = value(round, graph.first(w.rank()) + v);
      }
      channel.bring();
      for (std::uint32_t c = 0; c < graph.own() + graph.ghosts.size(); ++c) {
        ASSERT_EQ(channel.values()[c], value(round, testing::vertex_of(graph, w.rank(), c)));
      }
      barrier(w);
    }
  }

  template <class Channel>
  static void expect_bits(const world& w, const csr_graph& graph, Channel& channel) {
    const auto bit = [](int round, std::uint64_t vertex) {
      return (vertex * 2654435761U >> (round + 3) & 1) != 0;
    };
    for (int round = 0; round < ghost_rounds; ++round) {
      std::vector<std::uint64_t> own((graph.own() + 63) / 64);
      for (std::size_t v = 0; v < graph.own(); ++v) {
        if (bit(round, graph.first(w.rank()) + v)) own[v / 64] |= std::uint64_t{1} << v % 64;
      }
      channel.bring(own);
      for (std::uint32_t c = 0; c < graph.own() + graph.ghosts.size(); ++c) {
        ASSERT_EQ(channel[c], bit(round, testing::vertex_of(graph, w.rank(), c))) << c;
      }
      barrier(w);
    }
  }

  /// Small chunks, and the protocol also where ranks share memory.
  static cached_array_options small_chunks() { return {.chunk = 16, .force_protocol = true}; }
};

TEST_P(ghosts_test, values_come_from_their_owners) {
  on_graphs([](const world& w, const csr_graph& graph) {
    ghost_exchange<double> exchange(w, graph);
    expect_values(w, graph, exchange);
  });
}

TEST_P(ghosts_test, bits_come_from_their_owners) {
  on_graphs([](const world& w, const csr_graph& graph) {
    ghost_bits bits(w, graph);
    expect_bits(w, graph, bits);
  });
}

TEST_P(ghosts_test, arrays_bring_the_same) {
  seeds = 3;
  on_graphs([](const world& w, const csr_graph& graph) {
    ghost_array<double> values(w, graph, small_chunks());
    expect_values(w, graph, values);
    ghost_array_bits bits(w, graph, small_chunks());
    expect_bits(w, graph, bits);
  });
}

TEST_P(ghosts_test, values_of_ghosts_are_added_to_their_owners) {
  on_graphs([](const world& w, const csr_graph& graph) {
    const ghost_exchange<std::uint64_t> exchange(w, graph);
    std::vector<std::uint64_t> values(graph.own() + graph.ghosts.size(), 1);
    exchange.add_to_owners(values);
    std::vector<std::uint64_t> all(graph.vertices);
    for (const std::uint64_t ghost : graph.ghosts) ++all[ghost];
    allreduce(w, all);
    for (std::size_t v = 0; v < graph.own(); ++v) {
      ASSERT_EQ(values[v], 1 + all[graph.first(w.rank()) + v]);
    }
  });
}

INSTANTIATE_FAR_MODES_ON(ghosts_test, 1, 2, 3, 4, 8);

}  // namespace
}  // namespace far::graphs
