#pragma once
// The replies to stats, with the names that memcached's clients read.

#include "bindings/kv/counters.hpp"
#include "bindings/kv/server.hpp"

namespace far::kv {

/// Sums over all ranks.
struct statistics {
  count_values counts{};
  store_counts items{};

  void add(const store_counts& of_rank) noexcept;
};

/// Writes the reply to stats, without its end.
void write_statistics(const server& here, const statistics& totals, output& out);

}  // namespace far::kv
