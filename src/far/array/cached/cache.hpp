#pragma once
// A rank's copies of chunks, and its rights to them: the holder's side of the protocol.
//
// Invariants (all under part::mutex):
//   1. A chunk's word never grants more than the line's right, and nothing that a revocation takes.
//   2. A right is given up only when no thread accesses the chunk under it and no pin holds it.
//   3. A recall names the request by which this rank got the right. If that is still unanswered,
//      the grant is in flight, and the recall waits for it. If it is neither this nor the line's,
//      the copy has been dropped. (The home recalls only what it has granted, and grants to a rank
//      again only after the recall's answer.)
//   4. After a grant, one thread that waited for it has its access before a recall is answered, so
//      ranks that compete for a chunk all make progress.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "far/array/cached/access.hpp"
#include "far/array/cached/locality.hpp"
#include "far/array/cached/outbox.hpp"
#include "far/array/operators.hpp"
#include "far/world/world.hpp"

namespace far::cached {

struct part;

/// Options of a cached array's memory.
struct cache_limits {
  std::uint64_t slots = 0;          ///< lines of one chunk each
  std::uint64_t low_percent = 30;   ///< fewer free slots start evictions
  std::uint64_t high_percent = 50;  ///< until so many are free
  std::uint64_t prefetch = 0;       ///< chunks requested ahead of a thread with a stride
  caching how = caching::always;
  bool is_timed = true;  ///< the clock shows what accesses take
};

struct revocation {
  right from = right::none;
  right keep = right::none;
  bool by_home = false;  ///< this rank is the chunk's home, else `token` gets the answer
  fabric::reply_token token;
  bool eviction = false;     ///< may be refused
  std::uint64_t number = 0;  ///< of the request by which this rank got the right, if not by_home
};

/// A right that a thread needs.
struct claim {
  right what = right::none;
  const operation* op = nullptr;
  bool one_element = false;  ///< right::direct does as well
  bool operator==(const claim&) const = default;
};

/// What a rank knows of a chunk that it has touched.
struct line {
  std::byte* data = nullptr;  ///< of the elements: home memory or a slot; null: none here
  int slot = -1;
  bool is_home = false;
  bool cold = false;        ///< not accessed since the clock hand was here
  bool evicting = false;    ///< the home has been asked to recall it, or it is about to be dropped
  bool fresh = false;       ///< granted, and no waiting thread has had its access yet
  bool watched = false;     ///< its fill is: accesses are counted, and not published
  bool may_choose = false;  ///< the request for `wanted` leaves the choice to the home
  std::uint64_t uses = 0;   ///< of a watched fill
  std::uint64_t waited_ns = 0;  ///< for it
  int one_sided = 0;            ///< accesses to the home's memory in flight
  right has = right::none;
  right wanted = right::none;  ///< requested from the home
  std::uint64_t number = 0;    ///< of the request that brought `has`; 0: none did
  std::uint64_t wanted_number = 0;
  const operation* op = nullptr;
  const operation* wanted_op = nullptr;
  std::vector<claim> waiting;      ///< of threads
  std::array<int, rights> pins{};  ///< by right
  std::vector<int> operand_slots;  ///< by thread record; -1: none
  std::optional<revocation> revoked;

  /// The number of pins, of all kinds, but for quick ones, which stand in the threads' records.
  [[nodiscard]] int pinned() const noexcept { return std::accumulate(pins.begin(), pins.end(), 0); }
};

class cache {
 public:
  cache(part& of, const cache_limits& limits);

  [[nodiscard]] chunk_table& table() noexcept { return table_; }
  [[nodiscard]] std::uint64_t slots() const noexcept { return limits_.slots; }
  [[nodiscard]] thread_record* open_record();
  void close_record(const thread_record& record);

  /// Where an acquired chunk is.
  struct place {
    std::byte* data = nullptr;  ///< null: in the home's memory, one-sided, until leave_home
    bool is_value = true;       ///< the data are elements, not this thread's operands
    bool is_measured = false;   ///< leave_home wants to know what the access took
  };
  /// The slow path: waits until this rank has the right. The mutex is held before and after, but
  /// not while it waits. Errors: rank_failed; bad_argument if pins fill the cache, or in a function
  /// of another rank if the right is not here.
  place acquire(std::unique_lock<std::mutex>& lock, outbox& out, const world& world,
                thread_record& me, std::uint64_t chunk, const claim& wanted);
  /// Requests the right without waiting; false if there is no free slot.
  bool prefetch(outbox& out, std::uint64_t chunk, const claim& wanted);
  /// After acquire and the access: the right may go now.
  void leave(outbox& out, std::uint64_t chunk);
  /// Whether this rank may access elements of the chunk in the home's memory, and wants to.
  [[nodiscard]] bool goes_past(std::uint64_t chunk) const;
  /// The same; if so, begins such an access.
  [[nodiscard]] bool enter_home(std::uint64_t chunk);
  /// After such an access, which took so many nanoseconds (0: not measured): the right may go now.
  void leave_home(outbox& out, std::uint64_t chunk, std::uint64_t took);
  /// A thread got a notice.
  void answer_notice(outbox& out, thread_record& me);

  void pin(thread_record& me, std::uint64_t chunk, right what);
  void unpin(outbox& out, thread_record& me, std::uint64_t chunk, right what);

  // What handlers call.

  /// The home has granted a right. `answered`: the number of the request, or 0. `op`: of
  /// right::operate; null: that of the request.
  void granted(outbox& out, std::uint64_t chunk, right what, std::span<const std::byte> data,
               std::uint64_t number, std::uint64_t answered, const operation* op = nullptr);
  /// The home would rather have the chunk cached than accessed in its memory.
  void refused(outbox& out, std::uint64_t chunk);
  void recalled(outbox& out, std::uint64_t chunk, const revocation& what);
  void free_slot(int slot);
  /// Whether a thread waits for any slot.
  [[nodiscard]] bool waits_for_slot() const noexcept;

  // What the home does with its own rights.

  [[nodiscard]] claim own_claim(std::uint64_t chunk);
  /// Whether an eviction that this rank has requested may still take place; if not, forgets it.
  [[nodiscard]] bool may_evict_own(std::uint64_t chunk);
  /// Revokes the home's own right. True if it has taken effect at once; else revoked_at_home will
  /// name the chunk.
  [[nodiscard]] bool revoke_own(outbox& out, std::uint64_t chunk, right from, right keep);
  /// The home grants a right to itself. `answered`: the number of a request, or 0.
  void grant_own(outbox& out, std::uint64_t chunk, right what, const operation* op,
                 std::uint64_t answered);
  void told(std::uint64_t chunk, bool direct) { locality_.told(chunk, direct); }

  [[nodiscard]] const locality& regions() const noexcept { return locality_; }

 private:
  static std::size_t index(right what) noexcept { return static_cast<std::size_t>(what); }
  line& find(std::uint64_t chunk);
  /// There are no quick pins: while `evicting`, the chunk is not published.
  [[nodiscard]] static bool may_evict(const line& l) noexcept {
    return l.evicting && !l.fresh && l.pinned() == 0;
  }
  /// Whether a thread waits for the line to change, or for any line that may be evicted. Who begins
  /// to wait later sees what has changed now: while nobody waits, nobody need be woken.
  [[nodiscard]] bool is_awaited(const line& l) const noexcept {
    return !l.waiting.empty() || waits_for_slot();
  }
  [[nodiscard]] static bool includes(const line& l, right what, const operation* op) noexcept;
  [[nodiscard]] static bool covers(const line& l, const claim& wanted) noexcept;
  [[nodiscard]] bool leaves_direct(std::uint64_t chunk, const line& l,
                                   const claim& wanted) const noexcept;
  [[nodiscard]] std::uint64_t bytes_before(std::uint64_t chunk) const noexcept;
  void publish(std::uint64_t chunk, const line& l) noexcept;
  void withdraw(std::uint64_t chunk) noexcept;
  [[nodiscard]] bool is_accessed(std::uint64_t chunk, right kept) noexcept;
  [[nodiscard]] bool is_named(std::uint64_t chunk) const noexcept;
  [[nodiscard]] std::size_t number_of(const thread_record& record) const noexcept;
  [[nodiscard]] place acquire_here(std::uint64_t chunk, const claim& wanted);
  place enter(outbox& out, std::uint64_t chunk, line& l, thread_record& me, const claim& wanted);
  std::byte* operand_line_of(outbox& out, std::uint64_t chunk, line& l, thread_record& me,
                             bool published);
  void request_ahead(outbox& out, std::uint64_t chunk, thread_record& me, const claim& wanted);
  bool request_for(outbox& out, std::uint64_t chunk, line& l, const claim& wanted);
  void request_region(outbox& out, std::uint64_t chunk);
  void measure_home(std::unique_lock<std::mutex>& lock, outbox& out, const world& world,
                    std::uint64_t chunk);
  void count_wait(std::uint64_t chunk, line& l, std::uint64_t ns);
  [[nodiscard]] bool may_publish(std::uint64_t chunk, line& l);
  void end_watch(std::uint64_t chunk, line& l);
  bool request(outbox& out, std::uint64_t chunk, line& l, const claim& wanted);
  bool try_revoke(outbox& out, std::uint64_t chunk, line& l);
  void finish(outbox& out, std::uint64_t chunk, line& l);
  void merge_operands(line& l, std::byte* into);
  void retry_revocations(outbox& out);
  void drop_if_unused(std::uint64_t chunk);
  [[nodiscard]] std::string why_never(const thread_record& me, std::uint64_t chunk,
                                      const claim& wanted, bool needs_slot);

  int take_slot(outbox& out, std::uint64_t chunk);
  void evict_some(outbox& out);
  [[nodiscard]] bool choose_victim(std::uint64_t chunk);
  void evict(outbox& out, std::vector<std::uint64_t>& victims);
  [[nodiscard]] bool is_full_of_pins() const;
  [[nodiscard]] bool others_unpin(const thread_record& me) const;
  [[nodiscard]] std::byte* memory_of(int slot) const noexcept;

  part* part_;
  cache_limits limits_;
  bool asymmetric_;
  chunk_table table_;
  std::vector<std::unique_ptr<thread_record>> records_;  // by number; null: closed
  std::unordered_map<std::uint64_t, line> lines_;
  std::uint64_t requests_ = 0;           // made so far
  std::vector<std::uint64_t> revoking_;  // chunks whose revocation waits
  locality locality_;

  std::vector<int> free_slots_;
  std::vector<std::uint64_t> chunk_of_slot_;  // + 1; 0: free
  std::uint64_t evictions_ = 0;               // requested, whose slots are not free yet
  std::size_t hand_ = 0;
};

}  // namespace far::cached
