#pragma once
// Buffers of packets on their way out. Most are small; both sizes are kept for the next.

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "far/fabric/ucx/wire.hpp"

namespace far::fabric::ucx {

class packet_pool;

/// A packet to be filled from its front.
struct packet {
  packet_pool* pool = nullptr;
  bool small = false;
  std::size_t used = 0;
  std::unique_ptr<std::byte[]> bytes;

  void add(const void* from, std::size_t count) noexcept {
    if (count > 0) std::memcpy(bytes.get() + used, from, count);
    used += count;
  }
  template <class T>
  void add(const T& value) noexcept {
    add(&value, sizeof(value));
  }
  void add(payload part) noexcept { add(part.data(), part.size()); }
};

struct packet_return {
  inline void operator()(packet* used) const noexcept;
};
using packet_buffer = std::unique_ptr<packet, packet_return>;

class packet_pool {
 public:
  /// Room for `bytes`, at most max_packet.
  packet_buffer take(std::size_t bytes) {
    const bool small = bytes <= small_bytes;
    auto& kept = kept_[small ? 1 : 0];
    if (kept.empty()) {
      auto made = std::make_unique<packet>();
      made->pool = this;
      made->small = small;
      made->bytes = std::make_unique_for_overwrite<std::byte[]>(small ? small_bytes : max_packet);
      return packet_buffer(made.release());
    }
    packet_buffer result(kept.back().release());
    kept.pop_back();
    result->used = 0;
    return result;
  }
  void give_back(packet* used) { kept_[used->small ? 1 : 0].emplace_back(used); }

 private:
  static constexpr std::size_t small_bytes = 256;
  std::array<std::vector<std::unique_ptr<packet>>, 2> kept_;
};

inline void packet_return::operator()(packet* used) const noexcept { used->pool->give_back(used); }

}  // namespace far::fabric::ucx
