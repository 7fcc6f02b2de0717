#pragma once
// Buffers for outgoing packets. Most packets are small, so there are two sizes; free buffers of
// both are kept for reuse.

#include <ucp/api/ucp.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "far/fabric/ucx/wire.hpp"

namespace far::fabric::ucx {

class packet_pool;

/// A packet that is filled from its front.
struct packet {
  packet_pool* pool = nullptr;
  std::size_t room = 0;
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
  /// Returns a buffer with space for `bytes`, at most max_packet.
  packet_buffer take(std::size_t bytes) {
    ++in_use_;
    const std::size_t room = bytes <= small_bytes ? small_bytes : max_packet;
    auto& kept = kept_of(room);
    if (kept.empty()) {
      auto made = std::make_unique<packet>();
      made->pool = this;
      made->room = room;
      made->bytes = std::make_unique_for_overwrite<std::byte[]>(room);
      return packet_buffer(made.release());
    }
    packet_buffer result(kept.back().release());
    kept.pop_back();
    result->used = 0;
    return result;
  }
  void release(packet* used) {
    --in_use_;
    kept_of(used->room).emplace_back(used);
  }
  /// Number of packets that are being filled, wait to be sent, or are in use by UCX.
  [[nodiscard]] int in_use() const noexcept { return in_use_; }

 private:
  static constexpr std::size_t small_bytes = 256;

  std::vector<std::unique_ptr<packet>>& kept_of(std::size_t room) noexcept {
    return kept_[room == small_bytes ? 1 : 0];
  }

  std::array<std::vector<std::unique_ptr<packet>>, 2> kept_;
  int in_use_ = 0;
};

/// A UCX datatype that makes UCX copy packets into its own buffer. Otherwise TCP sends a packet as
/// a list of pieces, which takes the system some 5 % longer.
struct copied_packets {
  ucp_datatype_t type = 0;

  copied_packets() = default;
  copied_packets(const copied_packets&) = delete;
  copied_packets& operator=(const copied_packets&) = delete;
  ~copied_packets() {
    if (type != 0) ucp_dt_destroy(type);
  }
  ucs_status_t open();
};

inline void packet_return::operator()(packet* used) const noexcept { used->pool->release(used); }

}  // namespace far::fabric::ucx
