#pragma once
// SHMEM_SYMMETRIC_SIZE, and its older name SMA_SYMMETRIC_SIZE: the capacity of the symmetric heap,
// as OpenSHMEM writes it. Apart from the library, because `far run` reads it too.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <far/base/error.hpp>

namespace far::shmem {

/// The bytes that the text asks for: a number, which may have a fraction, and a unit of a power of
/// 1024; what follows the unit is ignored, as the specification says.
/// Errors: bad_argument naming `what`.
[[nodiscard]] inline std::uint64_t parse_symmetric_size(const std::string& text,
                                                        const std::string& what) {
  constexpr double most = 1e18;
  const char* const begin = text.c_str();
  char* end = nullptr;
  const bool starts_well = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
  const bool is_hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  double value = starts_well && !is_hexadecimal ? std::strtod(begin, &end) : -1;
  constexpr const char* units = "kmgt";
  if (end != nullptr && end != begin && *end != '\0') {
    double scale = 0;
    double next = 1024;
    for (const char* unit = units; *unit != '\0'; ++unit, next *= 1024) {
      if ((*end | 0x20) == *unit) scale = next;
    }
    value = scale == 0 ? -1 : value * scale;
  }
  if (end == begin || !(value >= 0 && value < most)) {
    throw bad_argument(what + ": cannot read \"" + text +
                       "\" as a size: want a number, with k, m, g or t, such as 512m");
  }
  return static_cast<std::uint64_t>(std::ceil(value));
}

/// What the environment asks for, at least 1 MiB and whole pages; 0: nothing.
/// Errors: bad_argument.
[[nodiscard]] inline std::uint64_t asked_symmetric_size() {
  for (const char* const name : {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"}) {
    const char* const text = std::getenv(name);
    if (text == nullptr) continue;
    constexpr std::uint64_t mib = 1024 * 1024;
    return (parse_symmetric_size(text, name) + mib) / mib * mib;  // and room for its bookkeeping
  }
  return 0;
}

}  // namespace far::shmem
