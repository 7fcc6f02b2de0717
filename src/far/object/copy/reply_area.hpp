#pragma once
// Memory of a thread in which replies to its fetches land, one at a time.

#include <cstddef>
#include <cstdint>

#include "far/memory/ptr.hpp"
#include "far/object/heap/region.hpp"
#include "far/object/messages.hpp"
#include "far/world/world.hpp"

namespace far::objects {

/// Space for a reply's header and the largest region.
class reply_area {
 public:
  static constexpr std::uint64_t bytes = sizeof(fetch_reply) + max_region_bytes;

  /// Gets the memory, at the first call. False if there is none.
  [[nodiscard]] bool claim(const world& world);
  /// Frees it. No reply may be in flight.
  void release(const world& world);

  [[nodiscard]] fabric::landing landing() const noexcept { return {memory_.address(), bytes}; }
  [[nodiscard]] const std::byte* data() const noexcept { return data_; }

 private:
  ptr<std::byte> memory_;
  std::byte* data_ = nullptr;
  bool refused_ = false;
};

}  // namespace far::objects
