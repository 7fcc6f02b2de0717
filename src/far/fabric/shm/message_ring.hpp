#pragma once
// A ring of records, many producers, one consumer at a time, made for one cache-line transfer
// per small message.
//
// A record takes whole 64-byte cells, claimed in one go by moving `tail`. Its first word is the
// stamp {position : 48, cells : 16}, stored last: a record is whole when the stamp at the head's
// cell carries the head's position, so the consumer needs no shared counter to see it, and the
// producer needs none of the consumer's lines to write it.
//
// Invariants:
//   1. The first word of a cell is only ever a stamp, zero, or payload of a record not yet
//      consumed: the consumer zeroes the first words of a record's inner cells before it gives
//      them back. So no old payload can pass for a stamp.
//   2. Positions start at the capacity and never repeat, so a stamp of an earlier lap differs.
//   3. `head` moves only over consumed records, and cells behind it are the producers' again.
//      It is published each quarter of the ring: a producer that finds the ring full can be sure
//      of a later publication, as no record is longer than half the ring.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "far/fabric/message.hpp"
#include "far/fabric/shm/layout.hpp"

namespace far::fabric::shm {

/// The first bytes of a record. Requests and forwards use all fields, replies the first row.
struct record_header {
  std::uint64_t stamp;
  std::uint32_t bytes;   ///< of payload, behind header and landings
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

/// Cells that a record of `bytes` behind its header takes.
constexpr std::uint64_t cells_for(std::size_t bytes) noexcept {
  return (sizeof(record_header) + bytes + cache_line - 1) / cache_line;
}

/// One end's view of a ring. Cheap to make; producers of one ring each have their own.
class message_ring {
 public:
  message_ring(ring_header& header, std::byte* cells, std::uint64_t capacity) noexcept
      : header_(&header), cells_(cells), capacity_(capacity) {}

  // -- producers

  /// Writes one record and returns true, or finds no room and returns false; a publication of
  /// room will then wake every rank's sleepers.
  bool push(record_header header, payload first, payload second, payload third = {}) noexcept {
    const std::uint64_t count = cells_for(first.size() + second.size() + third.size());
    std::uint64_t position = 0;
    if (!claim(count, position)) return false;
    write(position, header, first, second, third);
    // Sequentially consistent: the caller reads the target's `sleeping` next (bell.hpp).
    stamp_at(position).store((position + capacity_) << 16 | count, std::memory_order_seq_cst);
    // The next record's line was last read by the consumer: fetch it for writing meanwhile.
    __builtin_prefetch(cell(position + count), 1);
    return true;
  }

 private:
  friend class ring_consumer;

  bool claim(std::uint64_t count, std::uint64_t& position) noexcept {
    std::uint64_t tail = header_->tail.load(std::memory_order_relaxed);
    for (;;) {
      // Acquires what the consumer had read before it gave the cells back.
      if (beyond(tail + count, header_->head_seen.load(std::memory_order_acquire))) {
        if (!look_again(tail + count)) return false;
        tail = header_->tail.load(std::memory_order_relaxed);
      } else if (header_->tail.compare_exchange_weak(tail, tail + count,
                                                     std::memory_order_relaxed)) {
        position = tail;
        return true;
      }
    }
  }

  /// Whether cells up to `end` overrun a ring emptied up to `head`. Signed, as a stale tail may
  /// lie behind a newer head; the compare-and-swap then fails and tries again.
  [[nodiscard]] bool beyond(std::uint64_t end, std::uint64_t head) const noexcept {
    return static_cast<std::int64_t>(end - head) > static_cast<std::int64_t>(capacity_);
  }

  bool look_again(std::uint64_t end) noexcept {
    std::uint64_t head = header_->head.load(std::memory_order_acquire);
    if (beyond(end, head)) {
      header_->room_wanted.store(1, std::memory_order_seq_cst);
      head = header_->head.load(std::memory_order_seq_cst);
    }
    // Monotonic, so that a late producer does not hide room from the others.
    std::uint64_t seen = header_->head_seen.load(std::memory_order_relaxed);
    while (seen < head &&
           !header_->head_seen.compare_exchange_weak(seen, head, std::memory_order_acq_rel)) {
    }
    return !beyond(end, head);
  }

  [[nodiscard]] std::byte* cell(std::uint64_t position) const noexcept {
    return cells_ + (position & (capacity_ - 1)) * cache_line;
  }
  [[nodiscard]] std::atomic<std::uint64_t>& stamp_at(std::uint64_t position) const noexcept {
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(cell(position));
  }

  void write(std::uint64_t position, const record_header& header, payload first, payload second,
             payload third) noexcept {
    std::byte* start = cell(position);
    constexpr std::size_t stamp_bytes = sizeof(header.stamp);
    std::memcpy(start + stamp_bytes, reinterpret_cast<const std::byte*>(&header) + stamp_bytes,
                sizeof(header) - stamp_bytes);
    std::byte* const ring_end = cells_ + capacity_ * cache_line;
    std::byte* to = start + sizeof(header);
    for (payload part : {first, second, third}) {
      while (!part.empty()) {
        if (to == ring_end) to = cells_;
        const auto run = std::min(part.size(), static_cast<std::size_t>(ring_end - to));
        std::memcpy(to, part.data(), run);
        to += run;
        part = part.subspan(run);
      }
    }
  }

  ring_header* header_;
  std::byte* cells_;
  std::uint64_t capacity_;  // cells, a power of two
};

/// The consuming end. One thread at a time, but any may ask whether it is ready().
class ring_consumer {
 public:
  ring_consumer(ring_header& header, std::byte* cells, std::uint64_t capacity) noexcept
      : ring_(header, cells, capacity),
        head_(header.head.load(std::memory_order_relaxed)),
        published_(head()) {}
  /// The next consumer starts where this one ended.
  ~ring_consumer() { ring_.header_->head.store(head(), std::memory_order_release); }
  ring_consumer(const ring_consumer&) = delete;
  ring_consumer& operator=(const ring_consumer&) = delete;

  /// Whether a whole record is there.
  [[nodiscard]] bool ready() const noexcept {
    // Sequentially consistent for the sleeper's last look (bell.hpp); a plain load on x86.
    const std::uint64_t stamp = ring_.stamp_at(head()).load(std::memory_order_seq_cst);
    return stamp >> 16 == head() + ring_.capacity_;
  }

  /// The record at the head, which must be ready. `behind` is what follows the header: in place,
  /// or, for a record that wraps, in `scratch`.
  const record_header& front(payload& behind, std::byte* scratch) noexcept {
    const auto& header = *reinterpret_cast<const record_header*>(ring_.cell(head()));
    const std::size_t bytes = header.bytes + header.landings * sizeof(landing);
    const std::byte* start = ring_.cell(head()) + sizeof(record_header);
    const auto run = static_cast<std::size_t>(ring_.cells_ + ring_.capacity_ * cache_line - start);
    if (bytes <= run) {
      behind = {start, bytes};
    } else {
      std::memcpy(scratch, start, run);
      std::memcpy(scratch + run, ring_.cells_, bytes - run);
      behind = {scratch, bytes};
    }
    return header;
  }

  /// Gives the record back. True when room was published that a producer asked for.
  bool pop() noexcept {
    const std::uint64_t position = head();
    const std::uint64_t count = ring_.stamp_at(position).load(std::memory_order_relaxed) & 0xffff;
    for (std::uint64_t inner = 1; inner < count; ++inner) {
      ring_.stamp_at(position + inner).store(0, std::memory_order_relaxed);
    }
    const std::uint64_t next = position + count;
    head_.store(next, std::memory_order_relaxed);
    if (next - published_ < ring_.capacity_ / 4) return false;
    published_ = next;
    ring_.header_->head.store(next, std::memory_order_seq_cst);
    return ring_.header_->room_wanted.load(std::memory_order_seq_cst) != 0 &&
           ring_.header_->room_wanted.exchange(0, std::memory_order_seq_cst) != 0;
  }

 private:
  [[nodiscard]] std::uint64_t head() const noexcept {
    return head_.load(std::memory_order_relaxed);
  }

  message_ring ring_;
  std::atomic<std::uint64_t> head_;  // the consumer's; atomic for those that ask ready()
  std::uint64_t published_;
};

}  // namespace far::fabric::shm
