#pragma once
// The directory of a rank's own regions: which ranks have copies, and what they may do with them.
//
// Every rank may write its copy of a region, several at a time: what it has changed goes to the
// home when one of its threads synchronizes (E3: multiple writers). Copies are of two kinds:
//
//   kept    its rank uses it until the home revokes it      (the paper's cluster-wide read-only)
//   listed  each thread uses it until it synchronizes next  (the paper's local read-only, modified)
//
// A region without an entry has no foreign copies (home-only). What becomes of kept copies when the
// region is changed, is its protocol: they are revoked, or updated (E6), by the words that have
// changed. Listed ones are forgotten in any case.
//
// Invariants (all under part::mutex):
//   1. A change is acknowledged to its writer only when no other rank has a kept copy that lacks
//      it: each has answered its revocation or its update. The writer's release waits for the
//      acknowledgement, or here, where it is given (followed_changes.hpp). So a thread that
//      synchronizes with it later finds no stale copy that is kept.
//   2. A thread of the home that may write the region is told of the first copy that is granted: at
//      its next release it says that the region has changed. Before that, what it writes is seen by
//      whoever fetches, without a message. One that waits (part::waits) loses the right
//      instead, unless it has been told and not published since: no copy lacks what it has written.
//   3. A writer's own copy stays current as long as nobody else has changed the region since it was
//      fetched; then it need not be fetched again. A change that it is sent leaves it current.
//   4. A copy that is kept at its rank is kept here, too. Only a revocation or an update that its
//      rank has answered makes a kept copy listed. A verdict on a change may make a listed one
//      kept, but not the reverse: it may be under way while others change the region.
//   5. What a message says about a copy names the fetch that brought it. One that is late is
//      ignored.
//   6. While no thread of the home may write the region, its memory is what each kept copy is once
//      the updates under way have arrived, but for what that copy's rank has changed itself. So
//      what a kept copy is fetched from is read under the mutex, and no copy becomes kept while a
//      thread of the home may write.
//   7. When the first thread of the home may write, a twin of the memory is made; changes by others
//      go into the twin, too. What differs from it is what kept copies lack. Where there is no
//      twin, they are revoked.
//   8. Updates of a copy by message are numbered in the order in which the memory was changed.
//   9. While an update of a copy is written in place, no other one of the copy is under way: later
//      changes wait, and go together when it has ended. While one by message is under way, others
//      go by message.
//
// A region that one rank alone uses migrates to it, its owner. What migrates are the data: the
// address, the monitor, volatile fields and this directory stay at the home. Threads of the owner
// write without telling anyone; the memory here is then old.
//
//  10. A region has an owner only if that rank's copy is kept, and the only one that the home
//      knows, and no thread of the home may read or write without asking; under part::mutex all of
//      this stays so until the owner has given the region back. It migrates by the answer to a
//      change, when no other answer is outstanding, updates have not been chosen, and the monitor
//      is free. So no copy of a region with an owner is sent an update, or written in place.
//  11. If a rank owns a region, the home's entry names it. The entry may also name a rank that does
//      not own the region yet (copy_table.hpp, 10).
//  12. Whoever needs the data waits until the home has recalled them: fetches of other ranks,
//      threads of the home, collections, and the owner itself before it drops its copy. A recall is
//      answered by a handler, which waits for nothing. While it is under way, nobody becomes owner.
//  13. Changes that the owner's threads send while the region is being recalled are later than what
//      it gives back; they wait here until that is in the memory. Changes of listed copies
//      that the home does not know (granted_object.hpp) recall the region, and wait likewise.
//
// Source: oo-dsm-rdma.txt, sections 5.1 and 5.2. It differs: there, a copy of a region that turns
// out to be written is dropped by its reader at the next synchronization in any case; nothing says
// how the next thread to enter a monitor is kept from a copy that is cluster-wide read-only at its
// rank, or that has not been updated yet; and all ranks are sent updates. There, the home itself
// migrates, with its directory and its monitor (docs/decisions/0011-object-migration.md).

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "far/fabric/verbs.hpp"
#include "far/object/home/migration_choice.hpp"
#include "far/object/home/protocol_choice.hpp"
#include "far/object/options.hpp"
#include "far/object/outbox.hpp"

namespace far::objects {

struct part;

/// A writer waits until its changes may be acknowledged: a rank, or a thread of the home.
struct pending_change {
  fabric::reply_token token;  ///< of a rank; a default one stands for a thread
  int writer = 0;
  std::vector<std::uint64_t> regions;  ///< offsets
  std::vector<std::uint64_t> numbers;  ///< of the fetches of a rank's copies of them
  int awaited = 0;                     ///< regions with messages to copies that are not answered
  std::uint64_t followed = 0;          ///< of a rank's: by a monitor message (followed_changes.hpp)
  bool done = false;                   ///< of a thread's
};

/// What is known of a region.
struct region_account {
  object_protocol chosen = object_protocol::automatic;
  bool updates = false;    ///< kept copies are updated
  bool reachable = false;  ///< copies are where homes can write them, if ranks have had the memory
  std::uint32_t written = 0;     ///< updates of copies that have been written in place
  std::uint32_t by_message = 0;  ///< updates of copies that have been messages
  std::uint32_t kept = 0;
  std::uint32_t listed = 0;
  std::uint32_t changes = 0;  ///< that came while there were copies
  std::uint32_t sent = 0;     ///< updates that were sent, or would have been
  double cost = 0;            ///< of these, in fetches
  std::uint32_t read = 0;     ///< of these: have spared a fetch, or would have
  std::uint32_t left = 0;     ///< ranks that have read no more
  std::int32_t owner = -1;    ///< the rank to which it has migrated; -1: none
  std::uint32_t moves = 0;    ///< how often it has migrated
  bool judged = false;        ///< by what is known of itself, not of its type
};

/// What a writer is told of its copy.
enum class change_verdict : std::uint8_t {
  forget,  ///< threads forget it when they synchronize
  keep,
  own,  ///< the region has migrated to its rank
};
class region_directory {
 public:
  explicit region_directory(part& of) noexcept : part_(&of) {}

  /// A rank fetches a region, or a part of it; `number` is that of the fetch. Returns whether it
  /// may keep the copy; then the memory must be read before the mutex is released.
  [[nodiscard]] bool fetched(std::uint64_t offset, int rank, std::uint64_t number,
                             copies_address copies);
  /// A monitor's grant is to bring a region to a rank. Returns whether it may; then no copy of the
  /// rank counts (granted_object.hpp).
  [[nodiscard]] bool grant_untracked(std::uint64_t offset, int rank);
  /// A rank has dropped the copy that this fetch brought (the paper's one-user-less message).
  void left(std::uint64_t offset, int rank, std::uint64_t number);
  /// A thread of this rank is about to get the right to write a region.
  void begin_own_write(std::uint64_t offset);
  /// One of a region's writers has sent its changes, together with those of other regions:
  /// `regions` in all. The change is in the memory. `goes_on`: another packet of the same
  /// publication has counted.
  void written_by_rank(outbox& out, std::uint64_t offset, int writer, fabric::payload runs,
                       std::size_t regions, bool goes_on);
  /// A thread of this rank, which is a writer too, has changed a region, together with others, and
  /// no longer may write it.
  void written_at_home(outbox& out, std::uint64_t offset, std::size_t regions);
  /// Ends the changes, or makes them wait for answers. The directory owns `change` until then if it
  /// is a rank's.
  void finish(outbox& out, pending_change* change);
  /// A thread no longer waits for its change.
  void forget(const pending_change& change);
  /// A rank has answered a revocation.
  void revoked(outbox& out, std::uint64_t offset);
  /// For a collection: no rank keeps a copy any more, and no changes are in flight.
  void forget_users();
  /// Regions have been freed.
  void forget_freed();
  /// A rank has answered an update.
  void updated(outbox& out, const update_item& item, int rank, update_answer answer);
  /// A write into a copy has ended; if it is not done, nothing has been written.
  void written(outbox& out, copy_write&& write, bool done);
  /// Whether a thread of this rank that has written a region says so at its next release: there are
  /// copies, or copies that are fetched later shall find no thread that may write, so that they can
  /// be updated.
  [[nodiscard]] bool is_watched(std::uint64_t offset) const {
    const auto found = entries_.find(offset);
    if (found == entries_.end()) return false;
    const entry& e = found->second;
    // A rank that was granted the region untracked may still read the copy before, until it
    // answers.
    return !e.users.empty() || e.unanswered > 0 || e.choice.updates();
  }

  // -- migration

  /// The rank to which a region has migrated, or -1.
  [[nodiscard]] int owner(std::uint64_t offset) const;
  /// Whether the memory lacks what a region's owner may have changed. If its owner itself asks for
  /// it, it has forgotten its copy; then the region is not away, unless it is being recalled.
  [[nodiscard]] bool is_away(std::uint64_t offset, int asking) const;
  /// Whether an owner has been asked to give a region back, and has not done so yet.
  [[nodiscard]] bool is_recalled(std::uint64_t offset) const;
  /// Whether any region has migrated.
  [[nodiscard]] bool has_away() const noexcept { return away_ > 0; }
  /// Takes a region back. `for_another`: because its owner is not its only user any more.
  void recall(outbox& out, std::uint64_t offset, bool for_another);
  /// Runs a step, under the mutex, when a region that is being recalled has come back.
  void when_back(std::uint64_t offset, waiting_step step);
  /// The owner has given regions back; what it has changed is in the memory.
  void recalled(outbox& out, const std::vector<std::uint64_t>& offsets);
  /// Takes all regions back, and runs a step then.
  void recall_all(outbox& out, waiting_step then);

  /// `automatic`: by what is observed.
  void choose(std::uint64_t offset, object_protocol protocol);
  [[nodiscard]] region_account account(std::uint64_t offset) const;

 private:
  struct user {
    int rank;
    std::uint64_t number;
    std::uint32_t sequence = 0;  ///< of its next update
    bool kept = false;
    bool current = false;
    copies_address copies = {};  ///< the rank's copies, if this rank can write them
    bool has_twin = false;       ///< when its word was last seen
    int messages = 0;            ///< updates of it that are not answered
    std::uint16_t skipped = 0;   ///< updates in place since the last message
  };
  /// A copy that is being written in place, and what comes after that. It outlives its user.
  struct write_under_way {
    int rank;
    std::uint64_t number;
    change_pieces next;
  };
  struct entry {
    entry(object_protocol usual, type_habit& type, std::uint32_t migrate_after) noexcept
        : choice(usual, type), migration(migrate_after) {}

    std::vector<user> users;
    std::vector<pending_change*> waiting;  ///< for the answers below
    std::vector<write_under_way> writes;
    std::uint32_t written = 0;
    std::uint32_t by_message = 0;
    int unanswered = 0;     ///< revocations and updates; what comes after a write counts once
    bool changes = false;   ///< it is written; new copies are listed
    int quiet_fetches = 0;  ///< since it was written last
    int last_writer = -1;
    int writes_in_turn = 0;  ///< by the last writer, without another's in between
    protocol_choice choice;
    std::unique_ptr<std::byte[]> twin;  ///< invariant 7
    migration_choice migration;
    int owner = -1;
    bool is_recalled = false;
    std::vector<waiting_step> waiting_steps;  ///< while it is recalled
  };

  [[nodiscard]] entry& make_entry(std::uint64_t offset);
  void revoke_or_update(outbox& out, std::uint64_t offset, entry& e, int writer,
                        const change_pieces* changes);
  [[nodiscard]] change_pieces take_own_changes(std::uint64_t offset, entry& e) const;
  void send_changes(outbox& out, std::uint64_t offset, entry& e, user& u, change_pieces changes);
  void send_message(outbox& out, std::uint64_t offset, entry& e, user& u,
                    const change_pieces& changes);
  void answered(outbox& out, std::uint64_t offset, entry& e);
  void conclude(outbox& out, pending_change* change);
  [[nodiscard]] change_verdict verdict(std::uint64_t offset, int writer, std::uint64_t number);
  [[nodiscard]] bool migrates(std::uint64_t offset, const entry& e, int writer);
  void end_migration(entry& e);
  void drop_if_unused(std::uint64_t offset);

  part* part_;
  std::unordered_map<std::uint64_t, entry> entries_;
  std::size_t away_ = 0;                                  // entries with an owner
  std::vector<waiting_step> all_back_;                    // when there is none
  std::unordered_map<std::uint32_t, type_habit> habits_;  ///< by type; its addresses are stable
};

}  // namespace far::objects
