#pragma once
// A ring of records with many producers and one consumer at a time. It is designed for one
// cache-line transfer per small message.
//
// A record takes one or more cells, which a producer claims in one step by moving `tail`. Every
// cell has a head and a body. The head of a record's first cell contains its header, and also its
// payload if that is short; a longer payload fills the bodies of its cells, which are contiguous.
// The first word is the stamp {position : 48, cells : 16}, stored last: a record is complete when
// the stamp at the consumer's position has that position. So the consumer needs no shared counter
// to detect it, and the producer needs none of the consumer's lines to write it.
//
// Each head has its own pair of cache lines, and heads are not in the order of their positions.
// Processors prefetch the other line of a pair, and the next line of a pattern. Here such a
// prefetch takes away a line that the other side is about to write, or polls. On an AMD EPYC a
// round trip of two messages took 98 ns through two fixed lines and 148 ns through heads in a
// row. It took 72 to 98 ns through heads in the order of the triangular numbers, which visit every
// head once if the capacity is a power of two.
//
// Invariants:
//   1. The first word of a head is always a stamp or zero.
//   2. Positions in stamps start at the capacity and never repeat, so a stamp of an earlier lap
//      differs.
//   3. `head` moves only over consumed records; cells behind it belong to the producers again.
//      It is published once per quarter of the ring. A producer that finds the ring full can rely
//      on a later publication, because no record is longer than half the ring.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "far/base/check.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/message.hpp"
#include "far/fabric/shm/layout.hpp"

namespace far::fabric::shm {

/// The first bytes of a record. Requests and forwards use all fields; replies use stamp, bytes,
/// serial, slot and context.
struct record_header {
  std::uint64_t stamp;
  std::uint32_t bytes;   ///< of the payload, which follows the header and the landings
  std::uint32_t serial;  ///< of the request's slot
  std::uint16_t slot;    ///< no_slot: one-way
  std::uint16_t handler;
  std::uint16_t context;  ///< the requester's
  std::uint16_t landings;
  std::int32_t source;  ///< rank
  std::uint32_t reply_bytes;
};
static_assert(sizeof(record_header) == 32);

inline constexpr std::uint16_t no_slot = 0xffff;
/// Max bytes after a header.
inline constexpr std::size_t max_record_bytes = max_payload + max_landings * sizeof(landing);

/// A record's header and a short payload.
struct alignas(2 * cache_line) record_head {
  record_header header;
  std::array<std::byte, 2 * cache_line - sizeof(record_header)> bytes;
};
static_assert(sizeof(record_head) == head_bytes);

inline constexpr std::size_t short_bytes = sizeof(record_head::bytes);

/// Number of cells of a record with `bytes` bytes after its header.
constexpr std::uint64_t cells_for(std::size_t bytes) noexcept {
  return bytes <= short_bytes ? 1 : (bytes + body_bytes - 1) / body_bytes;
}

/// One end's view of a ring. Cheap to construct; each producer of a ring has its own.
class message_ring {
 public:
  /// `memory`: bytes_of_ring(capacity) bytes, the heads before the bodies.
  message_ring(ring_header& header, std::byte* memory, std::uint64_t capacity) noexcept
      : header_(&header), memory_(memory), capacity_(capacity) {}

  // -- producers

  /// Writes one record and returns true. Returns false if there is no space; then the next
  /// publication of space wakes all ranks.
  [[gnu::always_inline]] bool push(const record_header& header, payload first, payload second,
                                   payload third = {}) noexcept {
    const std::size_t bytes = first.size() + second.size() + third.size();
    const std::uint64_t count = cells_for(bytes);
    std::uint64_t position = 0;
    if (!claim(count, position)) return false;
    record_head& to = head(position);
    write_header(to.header, header);
    std::byte* at = bytes <= short_bytes ? to.bytes.data() : body(position);
    if (!first.empty()) at = append(at, first);
    if (!second.empty()) at = append(at, second);
    if (!third.empty()) append(at, third);
    // Not a read-modify-write, so that the stamp reaches the line together with the rest.
    stamp(position).store((position + capacity_) << 16 | count, std::memory_order_release);
    full_fence();  // the caller reads the target's `sleeping` next (doorbell.hpp)
    return true;
  }

 private:
  friend class ring_consumer;

  bool claim(std::uint64_t count, std::uint64_t& position) noexcept {
    std::uint64_t tail = header_->tail.load(std::memory_order_relaxed);
    for (;;) {
      // Acquire: the consumer's reads of the cells come before it released them.
      if (beyond(tail + count, header_->head_seen.load(std::memory_order_acquire))) {
        if (!recheck(tail + count)) return false;
        tail = header_->tail.load(std::memory_order_relaxed);
      } else if (header_->tail.compare_exchange_weak(tail, tail + count,
                                                     std::memory_order_relaxed)) {
        position = tail;
        return true;
      }
    }
  }

  /// Whether cells up to `end` overrun a ring emptied up to `head`. The comparison is signed,
  /// because a stale tail may lie behind a newer head; then the compare-and-swap fails and retries.
  [[nodiscard]] bool beyond(std::uint64_t end, std::uint64_t head) const noexcept {
    return static_cast<std::int64_t>(end - head) > static_cast<std::int64_t>(capacity_);
  }

  bool recheck(std::uint64_t end) noexcept {
    std::uint64_t head = header_->head.load(std::memory_order_acquire);
    if (beyond(end, head)) {
      header_->space_wanted.store(1, std::memory_order_seq_cst);
      head = header_->head.load(std::memory_order_seq_cst);
    }
    // Monotonic, so that a late producer does not hide space from the others.
    std::uint64_t seen = header_->head_seen.load(std::memory_order_relaxed);
    while (seen < head &&
           !header_->head_seen.compare_exchange_weak(seen, head, std::memory_order_acq_rel)) {
    }
    return !beyond(end, head);
  }

  [[nodiscard]] record_head& head(std::uint64_t position) const noexcept {
    const std::uint64_t step = position & (capacity_ - 1);  // the same order in every lap
    const std::uint64_t place = step * (step + 1) / 2 & (capacity_ - 1);
    return reinterpret_cast<record_head*>(memory_)[place];
  }
  [[nodiscard]] std::atomic<std::uint64_t>& stamp(std::uint64_t position) const noexcept {
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(&head(position));
  }
  [[nodiscard]] std::byte* bodies() const noexcept { return memory_ + capacity_ * head_bytes; }
  [[nodiscard]] std::byte* body(std::uint64_t position) const noexcept {
    return bodies() + (position & (capacity_ - 1)) * body_bytes;
  }
  [[nodiscard]] std::byte* end() const noexcept { return bodies() + capacity_ * body_bytes; }

  /// Writes all fields except the stamp. It copies them one by one, because the fields of a new
  /// header are still in registers: a copy of its bytes would wait until they reach memory.
  static void write_header(record_header& to, const record_header& from) noexcept {
    to.bytes = from.bytes;
    to.serial = from.serial;
    to.slot = from.slot;
    to.handler = from.handler;
    to.context = from.context;
    to.landings = from.landings;
    to.source = from.source;
    to.reply_bytes = from.reply_bytes;
  }

  /// Writes a part and returns where the next part goes. Bodies wrap at the ring's end.
  std::byte* append(std::byte* to, payload part) const noexcept {
    const auto run = std::min(part.size(), static_cast<std::size_t>(end() - to));
    copy_short(to, part.data(), run);
    if (run == part.size()) return to + run;
    copy_short(bodies(), part.data() + run, part.size() - run);
    return bodies() + (part.size() - run);
  }

  /// A memcpy that is fast for a few words.
  static void copy_short(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    if (bytes > 32) {
      std::memcpy(to, from, bytes);
      return;
    }
    std::size_t at = 0;
    for (; at + 8 <= bytes; at += 8) std::memcpy(to + at, from + at, 8);
    for (; at < bytes; ++at) to[at] = from[at];
  }

  ring_header* header_;
  std::byte* memory_;
  std::uint64_t capacity_;  // cells, a power of two
};

/// The consumer's end. One thread at a time uses it, but any thread may call ready().
class ring_consumer {
 public:
  ring_consumer(ring_header& header, std::byte* memory, std::uint64_t capacity) noexcept
      : ring_(header, memory, capacity),
        head_(header.head.load(std::memory_order_relaxed)),
        published_(head()) {}
  /// The next consumer starts where this one ended.
  ~ring_consumer() { ring_.header_->head.store(head(), std::memory_order_release); }
  ring_consumer(const ring_consumer&) = delete;
  ring_consumer& operator=(const ring_consumer&) = delete;

  /// Whether a complete record has arrived.
  [[nodiscard]] bool ready() const noexcept {
    // Sequentially consistent for the sleeper's last check (doorbell.hpp); a plain load on x86.
    const std::uint64_t position = head();
    const std::uint64_t stamp = ring_.stamp(position).load(std::memory_order_seq_cst);
    return stamp >> 16 == position + ring_.capacity_;
  }

  /// The record at the head, which must be ready. Sets `behind` to what follows the header: in
  /// place or, for a record that wraps, copied to `scratch`, which has max_record_bytes.
  const record_header& front(payload& behind, std::byte* scratch) noexcept {
    record_ = &ring_.head(head());
    const record_header& header = record_->header;
    const std::size_t bytes = header.bytes + header.landings * sizeof(landing);
    if (bytes <= short_bytes) [[likely]] {
      behind = {record_->bytes.data(), bytes};
      return header;
    }
    FAR_CHECK(bytes <= max_record_bytes, "a message arrived malformed");
    const std::byte* start = ring_.body(head());
    const auto run = static_cast<std::size_t>(ring_.end() - start);
    if (bytes <= run) {
      behind = {start, bytes};
    } else {
      std::memcpy(scratch, start, run);
      std::memcpy(scratch + run, ring_.bodies(), bytes - run);
      behind = {scratch, bytes};
    }
    return header;
  }

  /// Releases the record that front() returned. True if it published space that a producer waits
  /// for.
  bool pop() noexcept {
    const std::uint64_t next = head() + (record_->header.stamp & 0xffff);
    head_.store(next, std::memory_order_relaxed);
    if (next - published_ < ring_.capacity_ / 4) return false;
    published_ = next;
    ring_.header_->head.store(next, std::memory_order_seq_cst);
    return ring_.header_->space_wanted.load(std::memory_order_seq_cst) != 0 &&
           ring_.header_->space_wanted.exchange(0, std::memory_order_seq_cst) != 0;
  }

 private:
  [[nodiscard]] std::uint64_t head() const noexcept {
    return head_.load(std::memory_order_relaxed);
  }

  message_ring ring_;
  std::atomic<std::uint64_t> head_;  // the consumer's; atomic for threads that call ready()
  std::uint64_t published_;
  const record_head* record_ = nullptr;
};

}  // namespace far::fabric::shm
