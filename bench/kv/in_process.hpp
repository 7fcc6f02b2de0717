#pragma once
// A cache in the process that uses it: far::store beside locked maps.

#include "bench/harness/statistics.hpp"

namespace far::bench {

/// Nanoseconds of an operation: 95 % gets of a value into a buffer, 5 % puts.
struct in_process_times {
  double store = 0;
  double maps = 0;  ///< 256 std::unordered_map, each with a std::mutex
  interval ratio;   ///< of both, in the same rounds
};

/// One rank with one thread; 100,000 keys of 24 bytes, values of 64, Zipf .99.
[[nodiscard]] in_process_times measure_in_process(bool quick);

}  // namespace far::bench
