#pragma once
// How often far::store has what is asked for.

#include <cstddef>
#include <cstdint>

#include "bench/kv/request_streams.hpp"

namespace far::bench {

struct store_hits {
  double percent = 0;     ///< of the counted requests; what misses is put
  std::size_t items = 0;  ///< at the end, when the store is full
};

/// The hits of a store of one rank with room for about `items` items of 24 and 64 bytes.
[[nodiscard]] store_hits hits_of_store(const request_stream& stream, std::size_t items);

}  // namespace far::bench
