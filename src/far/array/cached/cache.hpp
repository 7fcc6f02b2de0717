#pragma once
// A rank's copies of chunks, and its rights to them: the holder's side of the protocol.
//
// Invariants (all under part::mutex):
//   1. A chunk's word never grants more than the line's right, and nothing that a revocation takes.
//   2. A right is given up only when no thread accesses the chunk under it and no pin holds it.
//   3. A recall that names a right which this rank does not have yet is for a grant in flight: it
//      waits for the grant. (The home recalls only what it has granted, and grants to a rank again
//      only after the recall's answer.)
//   4. After a grant, one thread that waited for it has its access before a recall is answered, so
//      ranks that compete for a chunk all make progress.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "far/array/cached/access.hpp"
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
};

struct revocation {
  right from = right::none;
  right keep = right::none;
  bool by_home = false;  ///< this rank is the chunk's home, else `token` gets the answer
  fabric::reply_token token;
  bool eviction = false;  ///< may be refused
};

/// A right that a thread waits for.
struct claim {
  right what = right::none;
  const operation* op = nullptr;
  bool operator==(const claim&) const = default;
};

/// What a rank knows of a chunk that it has touched.
struct line {
  std::byte* data = nullptr;  ///< of the elements: home memory or a slot; null: none here
  int slot = -1;
  bool is_home = false;
  bool cold = false;      ///< not accessed since the clock hand was here
  bool evicting = false;  ///< the home has been asked to recall it
  bool fresh = false;     ///< granted, and no waiting thread has had its access yet
  right has = right::none;
  right wanted = right::none;  ///< requested from the home
  const operation* op = nullptr;
  const operation* wanted_op = nullptr;
  std::vector<claim> waiting;      ///< of threads
  std::array<int, 4> pins{};       ///< by right
  std::vector<int> operand_slots;  ///< by thread record; -1: none
  std::optional<revocation> revoked;

  /// The number of pins, of all kinds.
  [[nodiscard]] int pinned() const noexcept { return std::accumulate(pins.begin(), pins.end(), 0); }
};

class cache {
 public:
  cache(part& of, const cache_limits& limits);

  [[nodiscard]] chunk_table& table() noexcept { return table_; }
  [[nodiscard]] std::uint64_t slots() const noexcept { return limits_.slots; }
  [[nodiscard]] std::shared_ptr<thread_record> open_record();
  void close_record(const std::shared_ptr<thread_record>& record);

  /// The slow path: waits until this rank has the right, and returns the chunk's data, or for
  /// `operate` the thread's operand line unless the rank may write. The mutex is held before and
  /// after, but not while it waits. Errors: rank_failed; bad_argument if pins fill the cache.
  std::byte* acquire(std::unique_lock<std::mutex>& lock, outbox& out, const world& view,
                     thread_record& me, std::uint64_t chunk, right what, const operation* op);
  /// Requests the right, if there is a free slot, without waiting.
  void prefetch(outbox& out, std::uint64_t chunk, right what, const operation* op);
  /// Whether the data of a chunk that may be operated on are its elements, not operands.
  [[nodiscard]] bool is_value(std::uint64_t chunk);
  /// After acquire and the access: the right may go now.
  void leave(outbox& out, std::uint64_t chunk);
  /// A thread got a notice.
  void answer_notice(outbox& out, thread_record& me);

  void pin(std::uint64_t chunk, right what) { ++lines_.at(chunk).pins[index(what)]; }
  void unpin(outbox& out, std::uint64_t chunk, right what);

  // What handlers call.

  void granted(outbox& out, std::uint64_t chunk, right what, std::span<const std::byte> data);
  void recalled(outbox& out, std::uint64_t chunk, const revocation& what);
  void free_slot(int slot);

  // What the home does with its own rights.

  [[nodiscard]] claim own_claim(std::uint64_t chunk);
  /// Whether an eviction that this rank has requested may still take place; if not, forgets it.
  [[nodiscard]] bool may_evict_own(std::uint64_t chunk);
  /// True if it has taken effect at once; else revoked_at_home will name the chunk.
  [[nodiscard]] bool revoke_own(outbox& out, std::uint64_t chunk, right from, right keep);
  void grant_own(outbox& out, std::uint64_t chunk, right what);

 private:
  static std::size_t index(right what) noexcept { return static_cast<std::size_t>(what); }
  line& find(std::uint64_t chunk);
  [[nodiscard]] static bool may_evict(const line& l) noexcept {
    return l.evicting && !l.fresh && l.pinned() == 0;
  }
  [[nodiscard]] static bool covers(const line& l, right what, const operation* op) noexcept;
  void publish(std::uint64_t chunk, const line& l) noexcept;
  void withdraw(std::uint64_t chunk) noexcept;
  [[nodiscard]] bool is_accessed(std::uint64_t chunk) noexcept;
  [[nodiscard]] std::size_t number_of(const thread_record& record) const noexcept;
  std::byte* operand_line_of(outbox& out, std::uint64_t chunk, line& l, thread_record& me);
  bool request(outbox& out, std::uint64_t chunk, line& l, right what, const operation* op);
  bool try_revoke(outbox& out, std::uint64_t chunk, line& l);
  void finish(outbox& out, std::uint64_t chunk, line& l);
  void merge_operands(line& l, std::byte* into);
  void retry_revocations(outbox& out);
  void drop_if_unused(std::uint64_t chunk);
  [[nodiscard]] std::string why_never(const thread_record& me, std::uint64_t chunk, right what,
                                      const operation* op, bool needs_slot);

  int take_slot(outbox& out, std::uint64_t chunk);
  void evict_some(outbox& out);
  bool evict(outbox& out, std::uint64_t chunk);
  [[nodiscard]] bool is_full_of_pins() const;
  [[nodiscard]] std::byte* memory_of(int slot) const noexcept;

  part* part_;
  cache_limits limits_;
  bool asymmetric_;
  chunk_table table_;
  std::vector<std::shared_ptr<thread_record>> records_;  // by number; null: closed
  std::unordered_map<std::uint64_t, line> lines_;
  std::vector<std::uint64_t> revoking_;  // chunks whose revocation waits

  std::vector<int> free_slots_;
  std::vector<std::uint64_t> chunk_of_slot_;  // + 1; 0: free
  std::uint64_t evictions_ = 0;               // requested, whose slots are not free yet
  std::size_t hand_ = 0;
};

}  // namespace far::cached
