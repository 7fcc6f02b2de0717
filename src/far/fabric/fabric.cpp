#include "far/fabric/fabric.hpp"

#include <functional>
#include <string>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::fabric {

address fabric::address_of(const void* memory) const noexcept {
  const auto* byte = static_cast<const std::byte*>(memory);
  if (static_data_ != nullptr && std::less_equal<>{}(static_data_, byte) &&
      std::less<>{}(byte, static_data_ + (layout_.bytes[static_segment] - static_data_offset))) {
    return {rank_, static_segment,
            static_data_offset + static_cast<std::uint64_t>(byte - static_data_)};
  }
  for (int segment = 0; segment < address::max_segments; ++segment) {
    const auto s = static_cast<std::size_t>(segment);
    const std::byte* begin = own_ + layout_.begin[s];
    if (std::less_equal<>{}(begin, byte) && std::less<>{}(byte, begin + layout_.bytes[s])) {
      return {rank_, segment, static_cast<std::uint64_t>(byte - begin)};
    }
  }
  return {};
}

void fabric::check_bounds(address a, std::uint64_t bytes) const {
  if (a.rank() >= size_) {
    throw out_of_bounds(
        fmt::format("access to rank {} of a job of {} ranks: the pointer is null, stale or corrupt",
                    a.rank(), size_));
  }
  try {
    check_bounds(a, bytes, extent(a.rank(), a.segment()));
  } catch (const out_of_bounds&) {
    check_job();  // of a failed one, ranks leave, and release their memory
    throw;
  }
}

void fabric::check_bounds(address a, std::uint64_t bytes, std::uint64_t extent) const {
  if (a.offset() != 0 && bytes <= extent && a.offset() <= extent - bytes) return;
  const std::string what = fmt::format("access to {} bytes at offset {} of segment {} of rank {}",
                                       bytes, a.offset(), a.segment(), a.rank());
  if (a.offset() == 0) throw out_of_bounds(what + ": the pointer is null");
  std::string where = describe_access == nullptr ? "" : describe_access(*this, a, bytes);
  if (where.empty()) where = fmt::format("of which {} bytes are allocated", extent);
  throw out_of_bounds(
      fmt::format("{}, {}: check the index, and that the memory was not freed", what, where));
}

}  // namespace far::fabric
