#pragma once
// The directory of a rank's own regions: which ranks have copies, and what they may do with them.
//
// Every rank may write its copy of a region, several at a time: what it has changed goes to the
// home when one of its threads synchronizes (E3: multiple writers). Copies are of two kinds:
//
//   kept    its rank uses it until the home revokes it      (the paper's cluster-wide read-only)
//   listed  each thread uses it until it synchronizes next  (the paper's local read-only, modified)
//
// A region without an entry has no foreign copies (home-only).
//
// Invariants (all under part::mutex):
//   1. A change is acknowledged to its writer only when no other rank has a kept copy that lacks
//   it:
//      each has answered its revocation. The writer's release waits for the acknowledgement. So a
//      thread that synchronizes with it later finds no stale copy that is kept.
//   2. A thread of the home that may write the region is told of the first copy that is granted: at
//      its next release it says that the region has changed. Before that, what it writes is seen by
//      whoever fetches, without a message.
//   3. A writer's own copy stays current as long as nobody else has changed the region since it was
//      fetched; then it need not be fetched again.
//   4. Only a revocation that its rank has answered makes a kept copy listed. A verdict on a change
//      may make a listed one kept, but not the reverse: it may be under way while others change the
//      region.
//   5. What a message says about a copy names the fetch that brought it. One that is late is
//   ignored.
//
// Source: oo-dsm-rdma.txt, section 5.1. It differs: there, a copy of a region that turns out to be
// written is dropped by its reader at the next synchronization in any case; nothing says how the
// next thread to enter a monitor is kept from a copy that is cluster-wide read-only at its rank.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "far/object/outbox.hpp"

namespace far::objects {

struct part;

/// A writer waits until its changes may be acknowledged: a rank, or a thread of the home.
struct pending_change {
  fabric::reply_token token;  ///< of a rank; a default one stands for a thread
  int writer = 0;
  std::vector<std::uint64_t> regions;  ///< offsets
  int awaited = 0;                     ///< revocations of all regions, not answered yet
  bool done = false;                   ///< of a thread's
};

class region_directory {
 public:
  explicit region_directory(part& of) noexcept : part_(&of) {}

  /// A rank fetches a region, or a part of it; `number` is that of the fetch. Returns whether it
  /// may keep the copy.
  bool fetched(std::uint64_t offset, int rank, std::uint64_t number);
  /// A rank has dropped the copy that this fetch brought (the paper's one-user-less message).
  void left(std::uint64_t offset, int rank, std::uint64_t number);
  /// A region has been changed by a rank, or by a thread of this one. The change is in the memory.
  void changed(outbox& out, std::uint64_t offset, int writer);
  /// Ends the changes, or makes them wait for revocations. The directory owns `change` until then
  /// if it is a rank's.
  void finish(outbox& out, pending_change* change);
  /// A thread no longer waits for its change.
  void forget(const pending_change& change);
  /// A rank has answered a revocation.
  void revoked(outbox& out, std::uint64_t offset);
  /// For a collection: no rank keeps a copy any more, and no changes are in flight.
  void forget_users() { entries_.clear(); }
  [[nodiscard]] bool has_copies(std::uint64_t offset) const {
    return entries_.find(offset) != entries_.end();
  }

 private:
  struct user {
    int rank;
    std::uint64_t number;
    bool kept;
    bool current;
  };
  struct entry {
    std::vector<user> users;
    std::vector<pending_change*> waiting;  ///< for the revocations below
    int revoking = 0;
    bool changes = false;   ///< it is written; copies are listed
    int quiet_fetches = 0;  ///< since it was written last
    int last_writer = -1;
    int writes_in_turn = 0;  ///< by the last writer, without another's in between
  };

  void conclude(outbox& out, pending_change* change);
  [[nodiscard]] bool verdict(std::uint64_t offset, int writer);
  void drop_if_unused(std::uint64_t offset);

  part* part_;
  std::unordered_map<std::uint64_t, entry> entries_;
};

}  // namespace far::objects
