#pragma once
// A rank's copies of foreign regions: the other side of the directory at their homes
// (region_directory.hpp).
//
// The threads of a rank share a copy. A copy is absent, or present and then kept or listed. While
// it is written, it has a twin: its content when it was fetched or flushed last.
//
// Invariants (all under part::mutex):
//   1. A thread's bit for reading is set only while the copy is present, and was kept, or was
//      fetched after the thread's last synchronization, when the bit was set. If the copy is
//      listed, it is on the thread's list, and the thread clears the bit when it synchronizes.
//   2. A thread's bit for writing is set only while the copy has a twin and the thread counts among
//      its writers. It is on the thread's list of modified copies.
//   3. Fetches and flushes of a copy exclude each other (`busy`): a fetch that were answered before
//      a diff arrives, and merged after it was made, would bring back old values.
//   4. A flush is over when the home has acknowledged the diff. A release waits for the flushes of
//      all that its thread may have written, by whichever thread they are made.
//   5. Only a fetch, or the verdict on a flush, makes a copy kept. Messages are not ordered: a
//      revocation that arrives while the copy is busy makes it listed when it no longer is.
//   6. The home is told that a copy is dropped only while it is listed, not busy, and no thread has
//      a bit for it, for reading or for writing; it is fetched again before it is used. Else a late
//      message could make the home forget a copy that a later answer has made kept.
//   7. An update is applied only to a kept copy, when all updates before it are, to the twin, too:
//      a foreign change must not be sent out again as one's own. Where that cannot be, the copy
//      becomes listed, and the home is told; then it stays so until it is fetched again (`missed`),
//      whatever the verdict on a flush is that the home has sent before it knew.
//   8. While the copy is compared with its twin, nobody else writes into the two. While changes are
//      on their way to the home, an update of the same fields is refused: the home may have applied
//      the two in either order.
//   9. A copy that its home can write in place is closed to it while it is fetched, compared or in
//      flight, gets its twin, is owned, or goes (update_word.hpp). So what is there stays where it
//      is while the home writes.
//  10. A copy is owned only while it is kept and not busy, and its home believes so. It becomes
//      owned when a flush is over that the home has answered so, unless the home has recalled the
//      region meanwhile, or another thread holds changes of it.
//  11. An owned copy has a twin: what the home has. So only what has been changed goes back, and a
//      volatile field at the home keeps its value. Threads that may write it have it on no list.
//  12. When the home recalls it, each thread that may write it is told, and the differences are
//      taken after a heavy fence. So either they include what the thread has written, or the thread
//      sees at its release that it has to send it.
//  13. An owned copy is not dropped; its rank first has the home recall it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "far/object/copy/copy_memory.hpp"
#include "far/object/copy/packet_format.hpp"
#include "far/object/thread_record.hpp"
#include "far/object/type.hpp"

namespace far::objects {

enum class busy_with : std::uint8_t { nothing, fetch, flush };

/// A twin is memory of its own, or where its home knows it (copy_memory.hpp).
struct twin_deleter {
  bool is_placed = false;
  void operator()(std::byte* twin) const noexcept {
    if (!is_placed) delete[] twin;
  }
};

struct copy {
  place at;
  const type_descriptor* type = nullptr;
  std::byte* data = nullptr;
  std::uint32_t length = 0;  ///< elements; 0: not known yet
  bool present = false;
  bool kept = false;
  busy_with busy = busy_with::nothing;
  bool revoked = false;        ///< while it was busy
  bool missed = false;         ///< it lacks an update
  bool owned = false;          ///< the region has migrated here
  bool granted = false;        ///< by the home, in the answers to the flush
  bool recalled = false;       ///< since the flush began
  std::uint64_t fetched = 0;   ///< when its last fetch began, as a time of part::clock
  std::uint64_t number = 0;    ///< of that fetch; 0: the home does not know the copy
  std::uint64_t begun = 0;     ///< when its last fetch or flush began, likewise
  int readers = 0;             ///< threads with a bit
  int writers = 0;             ///< threads with a bit for writing
  std::uint32_t sequence = 0;  ///< of the next update
  std::uint64_t unread = 0;    ///< what updates have cost since a thread has asked for it
  std::unique_ptr<std::byte[], twin_deleter> twin;
  std::byte* twin_place = nullptr;    ///< its home can write the copy and a twin here; null: cannot
  int packets = 0;                    ///< of the flush, that are not acknowledged
  bool sent = false;                  ///< all packets are
  bool changed = false;               ///< it has packets
  bool verdict = true;                ///< of all packets so far
  std::vector<packet_run> in_flight;  ///< what the flush has found

  [[nodiscard]] std::size_t bytes() const noexcept { return std::size_t{length} * type->size(); }

  /// The home writes no more in place. False if it is doing so; then its update must end first.
  [[nodiscard]] bool close() const noexcept {
    return twin_place == nullptr || update_word(twin_place).close();
  }
  /// The home may write in place, if the copy is kept, and neither owned nor busy.
  void offer() const noexcept {
    if (twin_place == nullptr || !kept || owned || busy != busy_with::nothing) return;
    update_word(twin_place).offer(number, twin != nullptr);
  }
  /// An unchanged copy of the data. The copy is closed.
  void make_twin();
};

class copy_table {
 public:
  /// `limit`: bytes of copies, as pages of memory. `reachable`: null, or the rank in whose segment
  /// copies lie, as far as there is room, so that homes can write them.
  copy_table(int ranks, std::uint64_t memory_of_rank, std::uint64_t limit, rank_state* reachable);

  /// The memory for copies of a rank's objects: as large as that rank's, used where there are
  /// copies.
  [[nodiscard]] std::byte* memory_of(int rank);
  /// For that rank: where it can write them.
  [[nodiscard]] copies_address address_for(int rank) const noexcept {
    return memory_[static_cast<std::size_t>(rank)].address();
  }
  /// The update word of a copy, for waiting; null: it has none.
  [[nodiscard]] fabric::address word_of(place at) const noexcept {
    const copies_address all = address_for(at.rank());
    return all ? all.word(at.offset(), memory_of_rank_) : fabric::address{};
  }
  /// Frees the memory that homes can write. None may do so any more.
  void release(rank_state& rank);
  [[nodiscard]] copy* find(place at) const;
  /// Makes an absent copy. Errors: out_of_memory.
  copy& make(place at, const type_descriptor& type);
  /// Before a fetched region of `bytes` bytes is written: makes room for it. Copies that go are
  /// appended to `dropped`. False if too many are in use.
  [[nodiscard]] bool claim_memory(copy& c, std::size_t bytes, std::vector<dropped_copy>& dropped);
  [[noreturn]] void throw_full() const;
  void erase(copy& c);
  /// Whether nobody has asked for a copy since it was given up.
  [[nodiscard]] bool is_given_up(const dropped_copy& d) const;
  /// Erases all copies without a twin. No thread has a bit for them.
  void erase_unchanged();
  /// A thread has a bit for the copy since this turn (part::release_epoch).
  void touch(const copy& c, std::uint64_t turn);
  /// Whether threads should give up rights that they do not use, so that a new turn begins: once
  /// for each eighth of the limit that they touch while less than a quarter is left, or no room for
  /// the largest region.
  [[nodiscard]] bool wants_room() noexcept {
    constexpr std::uint64_t largest = block_bytes / page_bytes;
    if (limit_ - pages_ >= std::max(limit_ / 4, largest) || touched_ < limit_ / 8) return false;
    touched_ = 0;
    return true;
  }

  /// Owned copies, at most so many, that nobody uses: blocks with such copies are not evicted.
  [[nodiscard]] std::vector<place> unused_owned(std::size_t most) const;

  template <class Visit>
  void for_each(Visit visit) {
    for (auto& [bits, c] : copies_) visit(*c);
  }
  /// All copies that a thread may have got a bit for in this turn or later, and others.
  /// `visit(copy)` says whether the thread keeps a bit, so that this finds the copy again.
  template <class Visit>
  void for_each_since(std::uint64_t turn, std::uint64_t now, Visit visit) {
    for (auto& [number, b] : blocks_) {
      if (b.turn < turn) continue;
      for (copy* const c : b.copies) {
        if (visit(*c)) b.turn = now;
      }
    }
  }

 private:
  static constexpr std::uint64_t page_bytes = 4096;
  struct block {
    std::vector<copy*> copies;
    std::uint32_t pages = 0;  ///< a bit for each page that has copies
    std::uint64_t turn = 0;   ///< the last one in which a thread has touched one
  };

  void evict(std::uint64_t pages, std::uint64_t except, std::vector<dropped_copy>& dropped);
  void erase(std::map<std::uint64_t, block>::iterator at);
  [[nodiscard]] static bool is_in_use(const block& b);
  [[nodiscard]] static bool close_all(const block& b);
  static std::uint64_t block_of(place at) noexcept { return at.bits() / block_bytes; }

  std::uint64_t memory_of_rank_;
  std::uint64_t limit_;        // in pages
  std::uint64_t pages_ = 0;    // that have copies
  std::uint64_t touched_ = 0;  // since wants_room
  rank_state* reachable_;
  std::vector<copy_memory> memory_;  // by rank
  std::unordered_map<std::uint64_t, std::unique_ptr<copy>> copies_;
  std::map<std::uint64_t, block> blocks_;
  std::uint64_t hand_ = 0;  // the clock's: a block
};

}  // namespace far::objects
