#pragma once
// What a step of the protocol has to send. Steps run under the part's mutex and only note it; flush
// sends it afterwards, without the mutex.

#include <cstdint>
#include <vector>

#include "far/fabric/message.hpp"

namespace far::objects {

struct part;

/// To a rank that has a copy which it may keep over synchronization: it may no longer.
struct revocation {
  int rank = 0;
  std::uint64_t offset = 0;
};

/// A copy that an update is for: the region, and the fetch that has brought it.
struct update_item {
  std::uint64_t offset = 0;
  std::uint64_t number = 0;
  std::size_t cost = 0;  ///< cost_of_update
};

/// Changes of regions of which a rank keeps copies (packet_format.hpp).
struct update_packet {
  int rank = 0;
  std::vector<std::byte> bytes;
  std::vector<update_item> items;
};

/// What a rank has done with an update.
enum class update_answer : std::uint8_t {
  refused,  ///< the copy is not kept
  applied,
  read,  ///< applied, and the copy has been read since the update before
  left,  ///< nobody has read the copy for long, and it has been dropped
};

/// Regions that have migrated to a rank and come back (recall.hpp).
struct recalled_regions {
  int rank = 0;
  std::vector<std::uint64_t> offsets;
};

/// A reply that was held back. `bytes`: a verdict for each region, the answer of a monitor, or what
/// has been fetched.
struct held_reply {
  fabric::reply_token token;
  std::vector<std::byte> bytes;
  bool lands = false;  ///< in the memory of who asks
};

struct outbox {
  std::vector<revocation> revocations;
  std::vector<update_packet> updates;
  std::vector<recalled_regions> recalls;
  std::vector<held_reply> replies;
  bool wakes = false;  ///< threads of this rank that wait for a change of the part

  [[nodiscard]] bool is_empty() const noexcept {
    return revocations.empty() && updates.empty() && recalls.empty() && replies.empty() && !wakes;
  }
  /// Sends everything. On a thread's context this may wait for credit; on a lane's it never waits.
  void flush(part& of, fabric::context& context);
};

}  // namespace far::objects
