#pragma once
// Which collectives a member has called. A fingerprint of them travels in the words that members
// exchange anyway, so that members that meet in different calls notice it. The last calls are kept
// in the member's block, where others read them to say what differs.

#include <cstddef>
#include <cstdint>

#include "far/base/language.hpp"

namespace far::detail {

/// One call, as its member notes it:
///
///     what:  63 [ number : 32 ] 32   27 [ root + 1 : 20 ] 8   7 [ collective : 8 ] 0
///     size:  63 [ bytes of an element : 24 ] 40   39 [ elements : 40 ] 0
///
/// Numbers begin at 1, so `what` of an empty note is 0. Larger sizes are cut off.
struct call_note {
  std::uint64_t what = 0;
  std::uint64_t size = 0;

  [[nodiscard]] std::uint32_t number() const noexcept {
    return static_cast<std::uint32_t>(what >> 32);
  }
  [[nodiscard]] unsigned collective() const noexcept { return what & 0xff; }
  /// -1: none.
  [[nodiscard]] int root() const noexcept { return static_cast<int>(what >> 8 & 0xfffff) - 1; }
  [[nodiscard]] std::uint64_t element_bytes() const noexcept { return size >> 40; }
  [[nodiscard]] std::uint64_t elements() const noexcept { return size & 0xff'ffff'ffff; }
  friend bool operator==(const call_note&, const call_note&) = default;
};
static_assert(sizeof(call_note) == 16);

class call_trail {
 public:
  static constexpr int code_bits = 20;
  static constexpr int code_shift = 64 - code_bits;
  static constexpr std::uint32_t kept = 32;  ///< calls

  /// Notes the next call, also at `ring`, which has `kept` notes.
  void add(std::byte* ring, unsigned collective, int root, std::uint64_t element_bytes,
           std::uint64_t elements) noexcept {
    const call_note next{
        std::uint64_t{++calls_} << 32 | static_cast<std::uint64_t>(root + 1) << 8 | collective,
        element_bytes << 40 | (elements & 0xff'ffff'ffff)};
    hash_ =
        (hash_ ^ (next.what & 0xffff'ffff) ^ next.size * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    hash_ ^= hash_ >> 32;
    // A reader that sees `what` sees the size.
    auto* const place = reinterpret_cast<call_note*>(ring) + calls_ % kept;
    __atomic_store_n(&place->size, next.size, __ATOMIC_RELAXED);
    __atomic_store_n(&place->what, next.what, __ATOMIC_RELEASE);
  }
  [[nodiscard]] std::uint32_t calls() const noexcept { return calls_; }
  /// A fingerprint of all calls so far, of code_bits bits.
  [[nodiscard]] std::uint64_t code() const noexcept { return hash_ >> code_shift; }

 private:
  std::uint64_t hash_ = 0;
  std::uint32_t calls_ = 0;
};

}  // namespace far::detail
