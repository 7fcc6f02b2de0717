#pragma once
// Times of commands as seconds of the store.

#include <cstdint>

#include "bindings/kv/backend.hpp"

namespace far::kv {

/// 0: never. Negative: has expired. Up to 30 days: from now. Beyond: a Unix time.
[[nodiscard]] inline store_second expiry_of(backend& here, std::int32_t time) {
  constexpr std::int32_t longest_span = 60 * 60 * 24 * 30;
  constexpr store_second past = 1;
  if (time == 0) return 0;
  if (time < 0) return past;
  if (time <= longest_span) return here.now_s() + static_cast<store_second>(time);
  const std::int64_t start = here.start_time();
  return time <= start ? past : static_cast<store_second>(time - start);
}

}  // namespace far::kv
