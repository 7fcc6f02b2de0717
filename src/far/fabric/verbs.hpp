#pragma once
// Arguments of the five verbs: parts of transfers, signals, atomic operations, completions.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "far/fabric/address.hpp"

namespace far::fabric {

/// Counts operations in flight; done at zero.
///
/// The issuer owns it and must not move it until it is done. Only the thread of the context on
/// which the operations were issued accesses it, so it is not atomic.
/// `on_done` is called once, when the count falls to zero: inside the issuing call if the
/// operations finish at once, else inside progress of that context. It may start operations
/// but must not wait, and it may destroy the completion.
struct completion {
  std::uint32_t pending = 0;
  void (*on_done)(completion&) noexcept = nullptr;

  [[nodiscard]] bool done() const noexcept { return pending == 0; }

  /// For fabrics: an operation starts, an operation ends.
  void begin() noexcept { ++pending; }
  void end() noexcept {
    if (--pending == 0 && on_done != nullptr) on_done(*this);
  }
};

/// One part of a put: `bytes` bytes from `from`, any memory of the caller, to `to`.
struct put_part {
  address to;
  const void* from = nullptr;
  std::size_t bytes = 0;
};

/// One part of a get: `bytes` bytes from `from` to `to`, any memory of the caller.
struct get_part {
  address from;
  void* to = nullptr;
  std::size_t bytes = 0;
};

/// A change to one aligned 8-byte word on the target of a put, made after the payload is
/// visible there. It wakes contexts that wait there. `word.rank()` is the put's target.
struct signal {
  enum class kind : std::uint8_t { set, add };
  address word;
  std::uint64_t value = 0;
  kind how = kind::set;
};

/// What amo does to its word. `load` and `store` exist because put and get are not atomic with
/// respect to the other operations.
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

/// What performs an allocation's atomics: the processors or the network interface. Operations
/// are atomic only with respect to operations of the same domain.
enum class amo_domain : std::uint8_t { cpu, nic };

/// One atomic operation on an aligned word of 4 or 8 bytes.
struct amo_request {
  address word;
  amo_op op = amo_op::load;
  std::uint8_t bytes = 8;          ///< 4 or 8
  std::uint8_t fetched_bytes = 8;  ///< how many `fetched` receives: `bytes`, or 8 (zero-extended)
  bool is_signed = false;          ///< how min and max compare
  bool wake = false;               ///< wakes contexts that wait on the target
  bool loose = false;              ///< non-fetching, and no flush waits for it
  amo_domain domain = amo_domain::cpu;  ///< of the allocation
  std::uint64_t operand = 0;            ///< new value, addend, mask, bound
  std::uint64_t compare = 0;            ///< compare_swap only
  void* fetched = nullptr;              ///< receives the old value; null: non-fetching
};

/// For fabrics: stores the old value that a fetching operation has found.
inline void store_fetched(std::uint64_t old, void* fetched, std::size_t bytes) noexcept {
  if (bytes == sizeof(old)) {
    std::memcpy(fetched, &old, sizeof(old));
  } else {
    const auto half = static_cast<std::uint32_t>(old);
    std::memcpy(fetched, &half, sizeof(half));
  }
}

/// A piece of memory in the requester's own segments that receives data of a reply.
struct landing {
  address to;
  std::uint64_t bytes = 0;
};

/// A piece of the replier's own memory, from which data of a reply come.
struct gather {
  const void* from = nullptr;
  std::size_t bytes = 0;
};

using payload = std::span<const std::byte>;

/// Arguments of flush. Every rank; or every rank and besides the operations of all other contexts
/// that threads of this rank have opened: those started before, in the sense of axiom 11.
inline constexpr int all_ranks = -1;
inline constexpr int every_context = -2;

}  // namespace far::fabric
