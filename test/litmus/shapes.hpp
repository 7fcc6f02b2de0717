#pragma once
// The classic shapes of litmus programs, without the kinds of their accesses.

#include <cstdint>
#include <string_view>
#include <vector>

namespace far::litmus {

/// An access of a shape: writes `value`, or reads if it is 0.
struct access {
  std::uint8_t place;
  std::uint8_t value;
};

struct shape {
  std::string_view name;
  std::vector<std::vector<access>> threads;
  bool symmetric = false;  // the second half mirrors the first
};

/// Places by number.
inline constexpr std::uint8_t x = 0;
inline constexpr std::uint8_t y = 1;
inline constexpr std::uint8_t z = 2;

[[nodiscard]] const std::vector<shape>& shapes();

}  // namespace far::litmus
