#include "far/rpc/serialize.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::wire {

void throw_truncated(const char* what, std::uint64_t needed, std::size_t left) {
  throw fabric_error(fmt::format(
      "a message was truncated or damaged: {} of {} bytes should follow, but {} are left", what,
      needed, left));
}

void throw_malformed(const char* what) {
  throw fabric_error(
      fmt::format("a message was damaged, or was sent by a rank of another build: {}", what));
}

std::size_t reader::length(std::size_t bytes_each, const char* what) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    unsigned char byte = 0;
    raw(&byte, 1, "a length");
    const auto digit = static_cast<std::uint64_t>(byte & 0x7f);
    if (shift > 63 || (shift == 63 && digit > 1)) throw_malformed("a length above 2^64");
    value |= digit << shift;
    if ((byte & 0x80) == 0) break;
  }
  if (value > left_.size() / bytes_each) {
    // Saturate: the product of a damaged count may overflow.
    const std::uint64_t max = ~std::uint64_t{0} / bytes_each;
    throw_truncated(what, value > max ? ~std::uint64_t{0} : value * bytes_each, left_.size());
  }
  return value;
}

}  // namespace far::wire
