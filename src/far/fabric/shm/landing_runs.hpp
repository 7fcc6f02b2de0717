#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "far/base/error.hpp"
#include "far/fabric/message.hpp"

namespace far::fabric::shm {

/// Splits a reply's data into contiguous runs for the landings of its request. Calls
/// run(to, from, bytes) for each.
template <class Run>
void for_each_run(const reply_token& token, std::span<const gather> data, Run&& run) {
  std::size_t at = 0;
  std::uint64_t used = 0;  // bytes of landing `at`
  for (const gather& piece : data) {
    const auto* from = static_cast<const std::byte*>(piece.from);
    for (std::size_t left = piece.bytes; left > 0;) {
      if (at >= token.landing_count) {
        throw bad_argument("a reply has more data than its request has landings");
      }
      const landing& to = token.landings[at];
      const std::size_t bytes = std::min<std::size_t>(left, to.bytes - used);
      if (bytes > 0) run(to.to + static_cast<std::int64_t>(used), from, bytes);
      from += bytes;
      left -= bytes;
      used += bytes;
      if (used == to.bytes) {
        ++at;
        used = 0;
      }
    }
  }
}

}  // namespace far::fabric::shm
