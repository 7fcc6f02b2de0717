#pragma once
// Table 1 and figures 2 to 7, 9 and 10 of armci-host-assisted on a simulated machine; and what
// section 4.3 says of atomics.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/harness/figure.hpp"
#include "bench/papers/transfer_jobs.hpp"
#include "bench/papers/transfer_loads.hpp"

namespace far::bench {

/// The sizes in bytes of the figures.
struct transfer_places {
  std::vector<std::uint64_t> contiguous;
  std::vector<std::uint64_t> squares;  ///< of squares of doubles; they have at most so many bytes
  std::vector<std::uint64_t> registered;
};
/// `quick`: few, to see that it works. Both end with 1 MB.
[[nodiscard]] transfer_places transfer_places_of(bool quick);

/// The names of curves.
namespace transfer_names {

inline constexpr const char* put = "far::put";
inline constexpr const char* get = "far::get";
inline constexpr const char* many = "many in flight";
inline constexpr const char* messages = "message passing";
inline constexpr const char* zero_copy = "zero-copy";
inline constexpr const char* buffered = "buffered";
inline constexpr const char* pipelined = "pipelined";
inline constexpr const char* per_segment = "zero-copy, a get for each row";
inline constexpr const char* assisted = "host-assisted";
inline constexpr const char* automatic = "automatic";
inline constexpr const char* registering = "registration";
inline constexpr const char* copying = "copy";

}  // namespace transfer_names

struct transfer_results {
  double put_ns = 0;      ///< table 1: 8 bytes
  double get_ns = 0;      ///< table 1
  double message_ns = 0;  ///< table 1
  atomic_times atomics;   ///< section 4.3
  figure memory;          ///< figure 2
  figure puts;            ///< figure 3
  figure gets;            ///< figure 4
  figure idle;            ///< figure 5
  figure busy;            ///< figure 6
  figure overlap;         ///< figure 7a
  figure overlap_2d;      ///< figure 7b
  figure idle_2d;         ///< figure 9
  figure busy_2d;         ///< figure 10
  /// What a computation does not hide of a contiguous zero-copy get, at each place of figure 7a.
  std::vector<double> exposed_ns;
};

/// The number of jobs, for the progress bar.
inline constexpr std::size_t transfer_figure_jobs = 29;
[[nodiscard]] transfer_results measure_transfer_figures(transfer_jobs& on,
                                                        const transfer_places& at);

}  // namespace far::bench
