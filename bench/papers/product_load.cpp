#include "bench/papers/product_load.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "bench/papers/two_sided.hpp"

namespace far::bench {
namespace {

constexpr int grid_rows = 2;
constexpr int grid_columns = 4;

/// One process' place, and the extents of its blocks.
struct blocks {
  blocks(const world& world, const product_size& size)
      : row(world.rank() / grid_columns),
        column(world.rank() % grid_columns),
        rows(size.rows / grid_rows),
        columns(size.columns / grid_columns),
        inner_of_a(size.inner / grid_columns),
        inner_of_b(size.inner / grid_rows) {}

  [[nodiscard]] static int rank_at(int row, int column) { return row * grid_columns + column; }
  /// The process of this row that has column k of A, and of this column that has row k of B.
  [[nodiscard]] int owner_of_a(std::uint64_t k) const {
    return rank_at(row, static_cast<int>(k / inner_of_a));
  }
  [[nodiscard]] int owner_of_b(std::uint64_t k) const {
    return rank_at(static_cast<int>(k / inner_of_b), column);
  }

  int row, column;
  std::uint64_t rows, columns;           ///< of the block of C
  std::uint64_t inner_of_a, inner_of_b;  ///< columns of the block of A, rows of that of B
};

/// Columns k .. k + width - 1 of A, which one process of each row has, and rows of B.
struct chunk {
  std::uint64_t k;
  std::uint64_t width;
};

std::vector<chunk> chunks_of(const blocks& of, std::uint64_t inner, std::uint64_t width) {
  std::vector<chunk> all;
  for (std::uint64_t k = 0; k < inner;) {
    const std::uint64_t rest =
        std::min(of.inner_of_a - k % of.inner_of_a, of.inner_of_b - k % of.inner_of_b);
    all.push_back({k, std::min(width, rest)});
    k += all.back().width;
  }
  return all;
}

void multiply(const world& world, const product_size& size, const blocks& mine,
              std::uint64_t width) {
  const double flops = 2 * static_cast<double>(mine.rows * mine.columns * width);
  world.compute(static_cast<std::uint64_t>(flops * size.flop_ns));
}

/// Runs body(view) on all processes, and returns the time that it takes.
template <class Prepare>
double time_of(transfer_jobs& on, const std::string& what, bool service, Prepare prepare) {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = 0;
  on.run_on({product_ranks, product_ranks_per_node, service}, what, [&](world& world) {
    prepare(world, [&](const auto& body) {
      barrier(world);
      first = std::min(first, world.now());
      body();
      last = std::max(last, world.now());
      barrier(world);
    });
  });
  return static_cast<double>(last - first);
}

/// A line of processes passes on what its `root`-th one has.
void pass_along(two_sided& messages, std::span<const int> line, int me, int root,
                std::span<std::byte> panel) {
  const int count = static_cast<int>(line.size());
  const auto at = [&](int place) { return line[static_cast<std::size_t>(place % count)]; };
  if (me != root) messages.receive(at(me + count - 1), panel);
  if ((me + 1) % count != root) messages.send(at(me + 1), panel);
}

}  // namespace

double product_by_messages(transfer_jobs& on, const std::string& what, const product_size& size,
                           std::uint64_t panel) {
  return time_of(on, what, false, [&](world& world, const auto& timed) {
    const blocks mine(world, size);
    two_sided messages(world, work_ns_of(on.profile()));
    const auto panel_of = [&](std::uint64_t elements) {
      return world.fabric().local(
          allocate_local<std::byte>(world, elements * sizeof(double)).address());
    };
    std::byte* const of_a = panel_of(mine.rows * panel);
    std::byte* const of_b = panel_of(mine.columns * panel);
    std::array<int, grid_columns> row{};
    std::array<int, grid_rows> column{};
    for (int i = 0; i < grid_columns; ++i)
      row[static_cast<std::size_t>(i)] = blocks::rank_at(mine.row, i);
    for (int i = 0; i < grid_rows; ++i)
      column[static_cast<std::size_t>(i)] = blocks::rank_at(i, mine.column);
    timed([&] {
      for (const chunk& c : chunks_of(mine, size.inner, panel)) {
        const std::span<std::byte> a(of_a, mine.rows * c.width * sizeof(double));
        const std::span<std::byte> b(of_b, mine.columns * c.width * sizeof(double));
        const int root_of_a = static_cast<int>(c.k / mine.inner_of_a);
        const int root_of_b = static_cast<int>(c.k / mine.inner_of_b);
        if (mine.column == root_of_a) messages.charge_copy(a.size(), mine.rows);
        if (mine.row == root_of_b) messages.charge_copy(b.size(), c.width);
        pass_along(messages, row, mine.column, root_of_a, a);
        pass_along(messages, column, mine.row, root_of_b, b);
        multiply(world, size, mine, c.width);
      }
    });
  });
}

namespace {

/// Two chunks' room for parts of A and B.
class chunk_buffers {
 public:
  chunk_buffers(const world& world, const blocks& mine, std::uint64_t width) {
    for (auto& [a, b] : both_) {
      a = memory_of(world, mine.rows * width);
      b = memory_of(world, mine.columns * width);
    }
  }
  struct room {
    double* a;
    double* b;
  };
  [[nodiscard]] const room& of(std::size_t turn) const { return both_[turn % both_.size()]; }

 private:
  static double* memory_of(const world& world, std::uint64_t elements) {
    const ptr<double> place = allocate_local<double>(world, elements);
    return reinterpret_cast<double*>(world.fabric().local(place.address()));
  }
  std::array<room, 2> both_{};
};

}  // namespace

double product_one_sided(transfer_jobs& on, const std::string& what, const product_size& size,
                         std::uint64_t width, section_protocol how) {
  return time_of(on, what, true, [&](world& world, const auto& timed) {
    const blocks mine(world, size);
    const auto a = allocate<double>(world, mine.rows * mine.inner_of_a);
    const auto b = allocate<double>(world, mine.inner_of_b * mine.columns);
    const std::vector<chunk> all = chunks_of(mine, size.inner, width);
    const chunk_buffers buffers(world, mine, width);
    const auto protocol_to = [&](int owner) {
      return world.node_of(owner) == world.node_of(world.rank()) ? section_protocol::automatic
                                                                 : how;
    };
    const auto first = static_cast<std::size_t>(mine.row + mine.column) * all.size() / grid_columns;
    const auto at = [&](std::size_t turn) { return all[(first + turn) % all.size()]; };
    const auto start = [&](std::size_t turn) {
      const chunk c = at(turn);
      std::vector<future<void>> arriving;
      const int owner_a = mine.owner_of_a(c.k);
      if (owner_a != world.rank()) {
        const auto from = a.on(owner_a) + static_cast<std::int64_t>(c.k % mine.inner_of_a);
        arriving.push_back(get_async(world, patch(from, mine.rows, c.width, mine.inner_of_a),
                                     patch(buffers.of(turn).a, mine.rows, c.width),
                                     protocol_to(owner_a)));
      }
      const int owner_b = mine.owner_of_b(c.k);
      if (owner_b != world.rank()) {
        const auto from =
            b.on(owner_b) + static_cast<std::int64_t>(c.k % mine.inner_of_b * mine.columns);
        arriving.push_back(get_async(world, patch(from, c.width, mine.columns),
                                     patch(buffers.of(turn).b, c.width, mine.columns),
                                     protocol_to(owner_b)));
      }
      return when_all(world, std::move(arriving));
    };
    timed([&] {
      future<void> next = start(0);
      for (std::size_t turn = 0; turn < all.size(); ++turn) {
        next.get();
        if (turn + 1 < all.size()) next = start(turn + 1);
        multiply(world, size, mine, at(turn).width);
      }
    });
  });
}

}  // namespace far::bench
