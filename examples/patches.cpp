// Patches of a matrix that rank 0 holds: every rank puts one, adds to one that they all share, and
// gets a column.
//
//   far run -n 4 example_patches

#include <array>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include <far/far.hpp>

int main() {
  far::run([](far::world& world) {
    constexpr std::uint64_t n = 64;  // rows and columns of the matrix
    const auto matrix = far::allocate<double>(world, n * n).on(0);
    far::barrier(world);

    // Two rows of 8 elements, n elements apart there, adjacent here.
    const std::vector<double> mine(2 * 8, world.rank() + 1.0);
    const auto corner = matrix + static_cast<std::int64_t>(2 * n) * (world.rank() % 16);
    far::put(world, far::patch(corner, 2, 8, n), far::patch(mine.data(), 2, 8));

    // A section by its indices: y += 0.5 x, by all ranks at the same place.
    const auto all = far::dense(matrix, std::array<std::uint64_t, 2>{n, n});
    const auto shared = far::section_of(all, {40, 40}, {4, 4});
    const std::vector<double> ones(4 * 4, 1.0);
    far::accumulate(world, shared, 0.5, far::patch(ones.data(), 4, 4));
    far::barrier(world);

    // A list of segments: the diagonal, into one vector.
    std::vector<far::remote_segment<double>> diagonal;
    for (std::uint64_t i = 0; i < n; ++i) {
      diagonal.push_back({matrix + static_cast<std::int64_t>(i * (n + 1)), 1});
    }
    std::vector<double> values(n);
    far::get(world, diagonal, std::vector<std::span<double>>{values});

    // A patch of every rank's matrix, all under way at the same time.
    std::vector<double> halo(16 * static_cast<std::size_t>(world.size()));
    far::transfer_group pending(world);
    for (int rank = 0; rank < world.size(); ++rank) {
      pending.get(far::patch(matrix.on(rank), 2, 8, n), far::patch(halo.data() + 16 * rank, 2, 8));
    }
    pending.wait(0);  // those on rank 0 only
    pending.wait();

    if (world.rank() == 0) {
      std::printf("%d ranks: the diagonal begins with %g and has %g at 41\n", world.size(),
                  values[0], values[41]);
      std::fputs(
          far::explain(world, far::section_operation::put, shared, far::patch(ones.data(), 4, 4))
              .c_str(),
          stdout);
    }
    far::barrier(world);
  });
}
