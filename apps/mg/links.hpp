#pragma once
// How the ranks of the solver communicate: the seam between the two variants.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/mg/blocks.hpp"

namespace far::apps::mg {

/// A cut level's two fields whose ghost rows are exchanged.
enum class channel : std::uint8_t { solution, residual };
inline constexpr int channel_count = 2;

/// Where ghost rows of one direction arrive at a rank: two landing places for each level, channel
/// and direction, which exchanges use in turn. Of the same size on all ranks.
///
/// Why two are enough: a rank starts exchange e + 2 of a channel after it has received all rows of
/// exchange e + 1. A neighbor sends those only when it no longer reads the ghosts of exchange e,
/// and neighbors are neighbors of each other.
/// Checked by: mg_ghost_exchange_test.neighbors_are_never_too_early
class landing_places {
 public:
  /// For levels 0 (the finest) .. levels - 1 of a cube of n^3.
  landing_places(const block_grid& grid, int n, int levels);

  [[nodiscard]] int levels() const noexcept { return static_cast<int>(sizes_.size()); }
  /// Numbers in all.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The first number of a landing place for exchange `number`.
  [[nodiscard]] std::size_t offset(int level, channel of, int direction,
                                   std::uint64_t number) const noexcept;

  /// A number for each level, channel and direction, and how many there are.
  [[nodiscard]] int index(int level, channel of, int direction) const noexcept {
    return (level * channel_count + static_cast<int>(of)) * direction_count + direction;
  }
  [[nodiscard]] int index_count() const noexcept {
    return levels() * channel_count * direction_count;
  }

 private:
  struct level_sizes {
    std::size_t begin;
    std::size_t before[direction_count];  // numbers of one set of the directions before
    std::size_t one_set;
  };
  std::vector<level_sizes> sizes_;
  std::size_t size_ = 0;
};

/// One rank's end. All ranks call the same functions in the same order; exchanges are numbered
/// from 1 for each level and channel.
class links {
 public:
  virtual ~links() = default;

  /// This rank's memory of all landing places.
  [[nodiscard]] virtual double* landing() noexcept = 0;
  /// The ghost rows of `direction` of this exchange will come from rank `from`: called before
  /// anything is sent.
  virtual void expect(int level, channel of, int direction, std::uint64_t number, int from,
                      std::size_t count) = 0;
  /// Sends rows to be the ghosts of rank `to` in `direction`, as it sees it. They must not change
  /// until the exchange is complete.
  virtual void send(int level, channel of, int direction, std::uint64_t number, int to,
                    std::span<const double> rows) = 0;
  /// Waits until the expected rows have arrived, and the memory of sent rows may change.
  virtual void complete(int level, channel of, std::uint64_t number) = 0;

  /// Collective: the lists of all ranks, of equal lengths, in the order of ranks.
  virtual void allgather(std::span<const double> mine, std::span<double> all) = 0;
  /// Collective.
  [[nodiscard]] virtual double sum(double value) = 0;
  virtual void barrier() = 0;

  links() = default;
  links(const links&) = delete;
  links& operator=(const links&) = delete;
};

}  // namespace far::apps::mg
