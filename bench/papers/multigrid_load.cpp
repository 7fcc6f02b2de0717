#include "bench/papers/multigrid_load.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bench/papers/two_sided.hpp"
#include "far/far.hpp"
#include "far/sections/copy_charge.hpp"

namespace far::bench {
namespace {

constexpr int top_level = 8;  // 256 points in each dimension
constexpr int dimensions = 3;

// Operations for each point that is computed, of the benchmark's loops with shared partial sums.
// 2 residuals, one smoothing and one interpolation on the finest grid, and all on the coarser ones:
// 58 for each point of the finest grid.
constexpr double residual_flops = 15;
constexpr double smoothing_flops = 16;
constexpr double restriction_flops = 20;  // for each point of the coarser grid
constexpr double interpolation_flops = 4;

/// One process' part of one level.
struct part {
  bool is_active = false;
  std::array<std::uint64_t, dimensions> points{};
  std::array<int, dimensions> low{}, high{};  ///< neighbours; this process if not distributed

  [[nodiscard]] double all_points() const {
    return static_cast<double>(points[0] * points[1] * points[2]);
  }
};

/// The processes in three dimensions, the last of which is halved first.
class process_grid {
 public:
  explicit process_grid(int ranks) {
    for (int d = dimensions - 1; ranks > 1; ranks /= 2, d = (d + dimensions - 1) % dimensions) {
      extents_[static_cast<std::size_t>(d)] *= 2;
    }
  }

  [[nodiscard]] part part_of(int rank, int level) const {
    part result;
    result.is_active = true;
    std::array<int, dimensions> at = coordinates(rank);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const int points = 1 << level;
      const int active = std::min(extents_[d], points);
      const int apart = extents_[d] / active;
      result.points[d] = static_cast<std::uint64_t>(points / active);
      result.is_active &= at[d] % apart == 0;
      const auto neighbour = [&](int step) {
        std::array<int, dimensions> there = at;
        there[d] = (at[d] + step * apart + extents_[d]) % extents_[d];
        return there[0] + extents_[0] * (there[1] + extents_[1] * there[2]);
      };
      result.low[d] = neighbour(-1);
      result.high[d] = neighbour(+1);
    }
    return result;
  }

 private:
  [[nodiscard]] std::array<int, dimensions> coordinates(int rank) const {
    return {rank % extents_[0], rank / extents_[0] % extents_[1],
            rank / (extents_[0] * extents_[1])};
  }

  std::array<int, dimensions> extents_{1, 1, 1};
};

/// A face: contiguous once it is packed.
struct face {
  std::uint64_t rows;  ///< in the grid
  std::uint64_t bytes;
};

/// Faces include the ghost points of the dimensions before.
face face_of(const part& of, std::size_t dimension) {
  const auto& n = of.points;
  switch (dimension) {
    case 0:
      return {n[1] * n[2], n[1] * n[2] * sizeof(double)};
    case 1:
      return {n[2], (n[0] + 2) * n[2] * sizeof(double)};
    default:
      return {n[1] + 2, (n[0] + 2) * (n[1] + 2) * sizeof(double)};
  }
}

/// Moves a face to each of two neighbours, and gets one from each.
class face_mover {
 public:
  face_mover(world& world, std::uint64_t max_bytes, face_transfer how, std::uint64_t work_ns)
      : world_(world),
        how_(how),
        max_bytes_(max_bytes),
        incoming_(allocate<std::byte>(world, buffers * max_bytes)),
        outgoing_(allocate<std::byte>(world, buffers * max_bytes)),
        arrived_(allocate<std::uint64_t>(world, sides)),
        unused_(allocate<std::uint64_t>(world)) {
    if (how == face_transfer::messages) messages_.emplace(world, work_ns);
    barrier(world);
  }

  void exchange(int low, int high, const face& of) {
    how_ == face_transfer::messages ? by_messages(low, high, of) : one_sided(low, high, of);
  }

 private:
  // A neighbour may be one exchange ahead, so buffers are used in turn.
  static constexpr std::uint64_t turns = 2, sides = 2, buffers = turns * sides;
  static constexpr std::uint64_t low_side = 0, high_side = 1;

  [[nodiscard]] ptr<std::byte> buffer(ptr<std::byte> all, std::uint64_t side) const {
    return all + static_cast<std::int64_t>((exchanges_ % turns * sides + side) * max_bytes_);
  }
  [[nodiscard]] std::span<std::byte> memory(ptr<std::byte> all, std::uint64_t side,
                                            const face& of) const {
    return {world_.fabric().local(buffer(all, side).address()), of.bytes};
  }
  void charge_copy(const face& of) const { sections::copy_charge::add(world_, of.bytes, of.rows); }

  void by_messages(int low, int high, const face& of) {
    const two_sided::request from_low =
        messages_->start_receive(low, memory(incoming_, low_side, of));
    const two_sided::request from_high =
        messages_->start_receive(high, memory(incoming_, high_side, of));
    for (const auto& [to, side] : {std::pair{high, high_side}, std::pair{low, low_side}}) {
      charge_copy(of);
      messages_->send(to, memory(outgoing_, side, of));
    }
    for (const two_sided::request& r : {from_low, from_high}) {
      messages_->wait(r);
      charge_copy(of);
    }
    ++exchanges_;
  }

  void one_sided(int low, int high, const face& of) {
    std::vector<future<void>> last = std::exchange(sending_[exchanges_ % turns], {});
    when_all(world_, std::move(last)).get();  // whose buffers are used again
    std::vector<future<void>>& sending = sending_[exchanges_ % turns];
    for (const auto& [to, side] : {std::pair{high, high_side}, std::pair{low, low_side}}) {
      charge_copy(of);
      sending.push_back(start(to, side, of));
    }
    if (how_ == face_transfer::buffered) signal_after_buffers(low, high, sending);
    for (const std::uint64_t side : {low_side, high_side}) {
      wait_signal(world_, arrived_ + static_cast<std::int64_t>(side),
                  at_least{expected_[side] += 1});
      charge_copy(of);
    }
    ++exchanges_;
  }

  /// What arrives from the high side's neighbour lies on its low side, and the other way round.
  [[nodiscard]] signal signal_at(int to, std::uint64_t side) const {
    const auto there = static_cast<std::int64_t>(1 - side);
    return signal_of((arrived_ + there).on(to), 1, signal::kind::add);
  }
  future<void> start(int to, std::uint64_t side, const face& of) {
    const std::span<const std::byte> from = memory(outgoing_, side, of);
    const ptr<std::byte> there = buffer(incoming_, 1 - side).on(to);
    if (how_ == face_transfer::zero_copy)
      return put_async(world_, there, from, signal_at(to, side));
    const bool is_near = world_.node_of(to) == world_.node_of(world_.rank());
    return put_async(world_, patch(there, 1, of.bytes), patch(from.data(), 1, of.bytes),
                     is_near ? section_protocol::automatic : section_protocol::packed);
  }
  /// Buffered puts carry no signals, so these go once the puts are complete.
  void signal_after_buffers(int low, int high, std::vector<future<void>>& sending) {
    for (future<void>& f : sending) f.get();
    sending.clear();
    const auto* const word =
        reinterpret_cast<std::uint64_t*>(world_.fabric().local(unused_.address()));
    for (const auto& [to, side] : {std::pair{high, high_side}, std::pair{low, low_side}}) {
      sending.push_back(put_async(world_, unused_.on(to), std::span(word, 1), signal_at(to, side)));
    }
  }

  world& world_;
  face_transfer how_;
  std::uint64_t max_bytes_;
  ptr<std::byte> incoming_, outgoing_;
  ptr<std::uint64_t> arrived_;  ///< faces, from each side
  ptr<std::uint64_t> unused_;
  std::optional<two_sided> messages_;
  std::array<std::uint64_t, sides> expected_{};
  std::array<std::vector<future<void>>, turns> sending_;
  std::uint64_t exchanges_ = 0;
};

/// One process.
class multigrid {
 public:
  multigrid(world& world, double flop_ns, face_mover& faces)
      : world_(world), flop_ns_(flop_ns), faces_(faces) {
    const process_grid all(world.size());
    for (int level = 0; level <= top_level; ++level) {
      parts_.push_back(all.part_of(world.rank(), level));
    }
  }

  void iterate() {
    for (int level = top_level - 1; level >= 1; --level) step(level, restriction_flops);
    step(1, smoothing_flops);
    for (int level = 2; level <= top_level; ++level) {
      compute(level, interpolation_flops);
      step(level, residual_flops);
      step(level, smoothing_flops);
    }
    step(top_level, residual_flops);
  }

 private:
  void compute(int level, double flops) {
    const part& mine = parts_[static_cast<std::size_t>(level)];
    if (!mine.is_active) return;
    world_.compute(static_cast<std::uint64_t>(mine.all_points() * flops * flop_ns_));
  }
  /// Computes, and exchanges ghost points.
  void step(int level, double flops) {
    const part& mine = parts_[static_cast<std::size_t>(level)];
    if (!mine.is_active) return;
    compute(level, flops);
    for (std::size_t d = 0; d < dimensions; ++d) {
      if (mine.low[d] == world_.rank()) continue;
      faces_.exchange(mine.low[d], mine.high[d], face_of(mine, d));
    }
  }

  world& world_;
  double flop_ns_;
  face_mover& faces_;
  std::vector<part> parts_;
};

std::uint64_t max_face_bytes(int ranks) {
  const part whole = process_grid(ranks).part_of(0, top_level);
  std::uint64_t most = 0;
  for (std::size_t d = 0; d < dimensions; ++d) most = std::max(most, face_of(whole, d).bytes);
  return most;
}

}  // namespace

double multigrid_time(transfer_jobs& on, const std::string& what, const multigrid_size& size,
                      face_transfer how) {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = 0;
  const transfer_place place{size.ranks, 2, how != face_transfer::messages};
  on.run_on(place, what, [&](world& world) {
    face_mover faces(world, max_face_bytes(size.ranks), how, work_ns_of(on.profile()));
    multigrid mine(world, size.flop_ns, faces);
    barrier(world);
    first = std::min(first, world.now());
    for (int i = 0; i < size.iterations; ++i) mine.iterate();
    last = std::max(last, world.now());
    barrier(world);
  });
  return static_cast<double>(last - first);
}

}  // namespace far::bench
