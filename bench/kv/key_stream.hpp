#pragma once
// The keys, values and operations with which stores and servers are measured.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/zipf.hpp"
#include "far/base/random.hpp"

namespace far::bench {

inline constexpr std::size_t kv_keys = 100'000;
inline constexpr std::size_t kv_value_bytes = 64;
inline constexpr int kv_get_percent = 95;

/// "user" and a number: 24 bytes.
[[nodiscard]] inline std::string kv_key(std::size_t number) {
  return fmt::format("user{:020}", number);
}

struct kv_operation {
  std::uint32_t key = 0;
  bool is_put = false;
};

/// Operations on keys by a scrambled Zipf distribution (0.99, as in YCSB).
struct key_stream {
  std::vector<std::string> keys;
  std::vector<kv_operation> operations;

  explicit key_stream(std::size_t count) {
    for (std::size_t i = 0; i < kv_keys; ++i) keys.push_back(kv_key(i));
    base::random random(1);
    for (const std::uint64_t key : scrambled_zipf(kv_keys, .99, count, 1)) {
      operations.push_back({static_cast<std::uint32_t>(key), random.below(100) >= kv_get_percent});
    }
  }
};

}  // namespace far::bench
