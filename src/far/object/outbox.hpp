#pragma once
// What a step of the protocol has to send. Steps run under the part's mutex and only note it; flush
// sends it afterwards, without the mutex.

#include <cstdint>
#include <vector>

#include "far/base/unique_function.hpp"
#include "far/fabric/message.hpp"
#include "far/object/copy/copy_memory.hpp"

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

/// Changes of a region, as runs (packet_format.hpp), in pieces that fit in packets.
using change_pieces = std::vector<std::vector<std::byte>>;

/// Changes to write over a copy in place (in_place.hpp).
struct copy_write {
  int rank = 0;
  std::uint64_t offset = 0;
  std::uint64_t number = 0;  ///< of the fetch that has brought the copy
  copies_address copies;
  bool has_twin = false;  ///< when it was last seen
  change_pieces changes;
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
  bool lands = false;  ///< is written one-sided into the requester's buffer
};

struct thread_work;
struct outbox;

/// What is to be done under the mutex when something has happened.
using waiting_step = base::unique_function<void(outbox&)>;

struct outbox {
  std::vector<revocation> revocations;
  std::vector<update_packet> updates;
  std::vector<recalled_regions> recalls;
  std::vector<copy_write> writes;
  std::vector<held_reply> replies;
  bool wakes = false;  ///< threads of this rank that wait for a change of the part

  [[nodiscard]] bool is_empty() const noexcept {
    return revocations.empty() && updates.empty() && writes.empty() && recalls.empty() &&
           replies.empty() && !wakes;
  }
  /// Sends everything. On a thread's context this may wait for credit; on a lane's it never waits.
  /// `mine`: the thread's, if it is a thread's context and there may be writes or recalls.
  void flush(part& of, fabric::context& context, thread_work* mine = nullptr);
};

/// Writes into copies, and recalls, on a thread's context. The thread waits for their end, since
/// nobody else makes progress there, and sends what they leave, since a completion must not wait
/// for credit (thread_access::end_work).
struct thread_work {
  std::uint32_t in_flight = 0;
  std::vector<outbox> left;
};
/// For the completion of one of them, or of a lane's: `mine` is null then.
void end_step(part& of, fabric::context& context, thread_work* mine, outbox&& out);

}  // namespace far::objects
