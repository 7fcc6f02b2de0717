#include "far/model/measure_bulk.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "far/memory/allocate.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/call.hpp"
#include "far/team/barrier.hpp"
#include "far/team/reduce.hpp"

namespace far::model {
namespace {

constexpr std::size_t large = 64 << 10;  // bytes; a transfer of twice as many takes longer by them
constexpr std::size_t many = 64;         // operations in flight together
constexpr std::size_t small = 8;         // bytes of each
constexpr std::size_t piece = 1 << 10;   // bytes of larger ones
constexpr std::size_t row_bytes = 64;
constexpr std::size_t rows = large / row_bytes;

/// Each figure is a difference of two times.
class bulk_bed {
 public:
  explicit bulk_bed(const world& world)
      : world_(world),
        there_(allocate<std::byte>(world, 2 * large)),
        here_(2 * large),
        copy_(2 * large) {
    barrier(world);
  }
  /// Collective, at the end.
  void release() {
    barrier(world_);
    deallocate(world_, there_);
  }
  bulk_bed(const bulk_bed&) = delete;
  bulk_bed& operator=(const bulk_bed&) = delete;

  [[nodiscard]] double measure(bulk_cost what, int rank) {
    switch (what) {
      case bulk_cost::put_byte:
        return per_byte([&](std::size_t bytes) { put(world_, there_.on(rank), part(bytes)); });
      case bulk_cost::get_byte:
        return per_byte([&](std::size_t bytes) { get(world_, there_.on(rank), part(bytes)); });
      case bulk_cost::next_put:
        return one_more([&](std::size_t n) { put_pieces(rank, n, small); });
      case bulk_cost::next_get:
        return one_more([&](std::size_t n) { get_pieces(rank, n, small); });
      case bulk_cost::listed_put_byte:
        return listed_byte([&](std::size_t bytes) { put_pieces(rank, many, bytes); });
      case bulk_cost::listed_get_byte:
        return listed_byte([&](std::size_t bytes) { get_pieces(rank, many, bytes); });
      case bulk_cost::next_message:
        return one_more([&](std::size_t n) { call(rank, n); });
      case bulk_cost::copied_byte:
        return copied_byte();
      case bulk_cost::copied_row:
        return copied_row();
    }
    return 0;
  }

 private:
  template <class Work>
  double time_of(const Work& work) {
    const std::uint64_t begin = world_.now();
    work();
    return static_cast<double>(world_.now() - begin);
  }
  template <class Transfer>
  double per_byte(const Transfer& transfer) {
    const double one = time_of([&] { transfer(large); });
    return (time_of([&] { transfer(2 * large); }) - one) / large;
  }
  template <class Operations>
  double one_more(const Operations& operations) {
    const double one = time_of([&] { operations(1); });
    return (time_of([&] { operations(many); }) - one) / (many - 1);
  }
  [[nodiscard]] std::span<std::byte> part(std::size_t bytes) noexcept {
    return std::span(here_).first(bytes);
  }

  template <class Transfers>
  double listed_byte(const Transfers& transfers) {
    const double of_small = time_of([&] { transfers(small); });
    return (time_of([&] { transfers(piece); }) - of_small) / (many * (piece - small));
  }

  void put_pieces(int rank, std::size_t n, std::size_t bytes) {
    std::vector<put_part> parts;
    for (std::size_t i = 0; i < n; ++i)
      parts.push_back({place_of(rank, i), &here_[i * piece], bytes});
    put(world_, parts);
  }
  void get_pieces(int rank, std::size_t n, std::size_t bytes) {
    std::vector<get_part> parts;
    for (std::size_t i = 0; i < n; ++i)
      parts.push_back({place_of(rank, i), &here_[i * piece], bytes});
    get(world_, parts);
  }
  [[nodiscard]] fabric::address place_of(int rank, std::size_t i) const noexcept {
    return (there_.on(rank) + static_cast<std::int64_t>((piece + row_bytes) * i)).address();
  }
  void call(int rank, std::size_t n) {
    std::vector<future<int>> calls;
    for (std::size_t i = 0; i < n; ++i) {
      calls.push_back(rpc(
          world_, rank, [](const world&, int number) { return number; }, 1));
    }
    for (future<int>& c : calls) c.get();
  }

  /// A simulated processor copies only by the figures of its machine.
  [[nodiscard]] std::optional<double> figure(std::string_view name) const {
    if (!world_.fabric().simulated()) return {};
    return static_cast<double>(world_.fabric().work_cost_ps(name)) / 1000;
  }
  double copied_byte() {
    if (const auto kilobyte = figure("copied_kilobyte")) return *kilobyte / 1024;
    return per_byte([&](std::size_t bytes) { copy(bytes, bytes); });
  }
  double copied_row() {
    if (const auto row = figure("copied_row")) return *row;
    const double whole = time_of([&] { copy(large, large); });
    return (time_of([&] { copy(large, row_bytes); }) - whole) / rows;
  }
  /// In rows, which lie apart if there are several.
  void copy(std::size_t bytes, std::size_t row) {
    for (std::size_t at = 0; at < bytes; at += row) {
      std::memcpy(&copy_[at], &here_[row == bytes ? 0 : 2 * at], row);
    }
    asm volatile("" : : "r"(copy_.data()) : "memory");
  }

  const world& world_;
  ptr<std::byte> there_;
  std::vector<std::byte> here_;
  std::vector<std::byte> copy_;
};

/// The next rank at that distance, or -1.
int target_at(const world& world, distance apart) {
  for (int i = 0; i < world.size(); ++i) {
    const int rank = (world.rank() + i) % world.size();
    if (distance_to(world, rank) == apart) return rank;
  }
  return -1;
}

}  // namespace

void measure_bulk(const world& world, costs_by_distance& costs,
                  base::function_ref<void(std::string_view)> tell) {
  const int rounds = world.fabric().simulated() ? 3 : 21;
  bulk_bed bed(world);
  for (std::size_t k = 0; k < bulk_cost_kinds; ++k) {
    const auto what = static_cast<bulk_cost>(k);
    tell(name_of(what));
    for (const distance d : all_distances) {
      if (!at(costs, d)) continue;
      const int target = target_at(world, d);
      std::vector<double> seen;
      for (int round = 0; round < rounds; ++round) {
        barrier(world);
        // The mean over the ranks that have such a target.
        std::array<double, 2> sums{target < 0 ? 0 : bed.measure(what, target),
                                   target < 0 ? 0. : 1.};
        allreduce(world, sums);
        seen.push_back(sums[0] / sums[1]);
      }
      const auto middle = seen.begin() + rounds / 2;
      std::ranges::nth_element(seen, middle);
      at(costs, d)->bulk.of(what) = std::max(*middle, 0.0);
    }
  }
  bed.release();
}

}  // namespace far::model
