#pragma once

#include <cstddef>
#include <cstdint>

namespace far::bench {

/// Random places in an array of 2^Bits words. The default is 2^20 words: 8 MB, more than a core's
/// private caches. Libfar's loops, the baselines and peers/mpi_peer.c generate them in the same
/// way: a multiplication, an addition and a shift, in registers, so that the next place never waits
/// for memory. Each object has another sequence, so that short rounds together reach all words.
template <int Bits = 20>
class random_places {
 public:
  static constexpr std::size_t words = std::size_t{1} << Bits;

  random_places() noexcept : state_(next_start_ += 0x9e3779b97f4a7c15u) {}

  std::int64_t operator()() noexcept {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int64_t>(state_ >> (64 - Bits));
  }

 private:
  static inline std::uint64_t next_start_ = 1;
  std::uint64_t state_;
};

}  // namespace far::bench
