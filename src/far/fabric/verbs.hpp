#pragma once
// What the five verbs take: parts of transfers, signals, atomic operations, completions.

#include <cstddef>
#include <cstdint>
#include <span>

#include "far/fabric/address.hpp"

namespace far::fabric {

/// Counts the operations still under way; done at zero.
///
/// The issuer owns it and keeps it in place until it is done. It belongs to the context that
/// the operations were issued on, and only that context's thread touches it, so it is no atomic.
/// `on_done` is called once, when the count falls to zero: inside the issuing call if the
/// fabric finishes at once, else inside progress of that context. It may start operations
/// but must not wait, and it may destroy the completion.
struct completion {
  std::uint32_t pending = 0;
  void (*on_done)(completion&) noexcept = nullptr;

  [[nodiscard]] bool done() const noexcept { return pending == 0; }

  /// For fabrics: one operation more; one operation less.
  void begin() noexcept { ++pending; }
  void end() noexcept {
    if (--pending == 0 && on_done != nullptr) on_done(*this);
  }
};

/// One piece of a put: `bytes` from `from`, any memory of the caller, to `to`.
struct put_part {
  address to;
  const void* from = nullptr;
  std::size_t bytes = 0;
};

/// One piece of a get: `bytes` from `from` into `to`, any memory of the caller.
struct get_part {
  address from;
  void* to = nullptr;
  std::size_t bytes = 0;
};

/// A change to one aligned 8-byte word on the target of a put, made after the payload is
/// visible there. It wakes whoever waits there. `word.rank()` is the put's target.
struct signal {
  enum class kind : std::uint8_t { set, add };
  address word;
  std::uint64_t value = 0;
  kind how = kind::set;
};

/// What amo does to its word. `load` and `store` are here because put and get are not atomic
/// against the others.
enum class amo_op : std::uint8_t {
  load,
  store,
  add,
  bit_and,
  bit_or,
  bit_xor,
  swap,
  min,
  max,
  compare_swap
};

/// Who performs an allocation's atomics: the processors, or the network interface. Operations
/// are atomic within a domain only.
enum class amo_domain : std::uint8_t { cpu, nic };

/// One atomic operation on an aligned word of 4 or 8 bytes.
struct amo_request {
  address word;
  amo_op op = amo_op::load;
  std::uint8_t bytes = 8;               ///< 4 or 8
  bool is_signed = false;               ///< how min and max compare
  bool wake = false;                    ///< wakes whoever waits on the target
  bool loose = false;                   ///< not fetching, and no flush waits for it
  amo_domain domain = amo_domain::cpu;  ///< the allocation's
  std::uint64_t operand = 0;            ///< new value, addend, mask, bound
  std::uint64_t compare = 0;            ///< compare_swap only
  std::uint64_t* fetched = nullptr;     ///< where the old value goes; null: non-fetching
};

/// One piece of memory in the requester's own segments into which a reply's data go.
struct landing {
  address to;
  std::uint64_t bytes = 0;
};

/// One piece of the replier's own memory that a reply's data come from.
struct gather {
  const void* from = nullptr;
  std::size_t bytes = 0;
};

using payload = std::span<const std::byte>;

/// `rank` argument of flush: every rank.
inline constexpr int all_ranks = -1;

}  // namespace far::fabric
