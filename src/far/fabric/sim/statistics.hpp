#pragma once

#include <cstdint>

namespace far::fabric::sim {

/// What all ranks of a simulated job did together.
struct statistics {
  std::uint64_t puts = 0;
  std::uint64_t gets = 0;
  std::uint64_t atomics = 0;
  std::uint64_t signals = 0;
  std::uint64_t messages = 0;
  std::uint64_t replies = 0;
  std::uint64_t put_bytes = 0;
  std::uint64_t get_bytes = 0;
  std::uint64_t message_bytes = 0;  ///< of messages and replies, including landed data

  [[nodiscard]] std::uint64_t operations() const noexcept {
    return puts + gets + atomics + messages + replies;
  }
};

}  // namespace far::fabric::sim
