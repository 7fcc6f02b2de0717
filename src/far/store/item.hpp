#pragma once
// How an item lies in memory: a header, the key, the value, in whole grains. And its entry in the
// index, one word.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "far/base/hash.hpp"
#include "far/store/request.hpp"

namespace far::stores {

/// Items begin at multiples of this, and their sizes are counted in it.
inline constexpr std::uint64_t grain_bytes = 16;

[[nodiscard]] constexpr std::uint64_t grains_of(std::uint64_t bytes) noexcept {
  return (bytes + grain_bytes - 1) / grain_bytes;
}

struct item_header {
  std::uint64_t cas = 0;
  store_second expires = 0;
  store_second accessed = 0;
  std::uint32_t flags = 0;
  std::uint32_t value_bytes : 20 = 0;
  std::uint32_t key_bytes : 8 = 0;
  std::uint32_t is_dead : 1 = 0;  ///< no entry leads to it any more
  std::uint32_t is_stale : 1 = 0;
  std::uint32_t is_won : 1 = 0;
  std::uint32_t binary_key : 1 = 0;

  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return sizeof(item_header) + key_bytes + value_bytes;
  }
  [[nodiscard]] std::uint64_t grains() const noexcept { return grains_of(bytes()); }
  [[nodiscard]] bool has_expired(store_second now) const noexcept {
    return expires != 0 && expires <= now;
  }
};
static_assert(sizeof(item_header) == 24);

/// The largest item whose grains an entry can count, and whose value a header can.
inline constexpr std::uint64_t max_item_bytes = 0xffff * grain_bytes;

/// An entry of the index: where an item is, how large, and how often it was used. 0: none.
///
///     bits 0 to 35    grains from the beginning of the part
///     bit  36         ranks of other machines may have copies (sharers.hpp)
///     bits 37, 38     uses since the item came or was kept, up to 3
///     bit  39         a get has found it since it was stored
///     bits 40 to 55   grains of the item
///     bits 56 to 63   a tag of the key's hash
class entry {
 public:
  static constexpr std::uint64_t most_uses = 3;

  constexpr entry() noexcept = default;
  constexpr explicit entry(std::uint64_t word) noexcept : word_(word) {}
  constexpr entry(std::uint8_t tag, std::uint64_t place, std::uint64_t grains) noexcept
      : word_(std::uint64_t{tag} << 56 | grains << 40 | place) {}

  [[nodiscard]] constexpr std::uint64_t word() const noexcept { return word_; }
  [[nodiscard]] constexpr bool is_empty() const noexcept { return word_ == 0; }
  [[nodiscard]] constexpr std::uint8_t tag() const noexcept {
    return static_cast<std::uint8_t>(word_ >> 56);
  }
  [[nodiscard]] constexpr std::uint64_t place() const noexcept {
    return word_ & ((std::uint64_t{1} << 36) - 1);
  }
  [[nodiscard]] constexpr bool is_shared() const noexcept { return (word_ & shared_bit) != 0; }
  [[nodiscard]] constexpr std::uint64_t grains() const noexcept { return word_ >> 40 & 0xffff; }
  [[nodiscard]] constexpr std::uint64_t uses() const noexcept { return word_ >> 37 & most_uses; }
  [[nodiscard]] constexpr bool was_fetched() const noexcept { return (word_ & fetched_bit) != 0; }

  /// After one more use.
  [[nodiscard]] constexpr entry used() const noexcept {
    return with_uses(std::min(uses() + 1, most_uses)).with_fetched();
  }
  [[nodiscard]] constexpr entry with_uses(std::uint64_t uses) const noexcept {
    return entry((word_ & ~(most_uses << 37)) | uses << 37);
  }
  [[nodiscard]] constexpr entry with_shared(bool shared) const noexcept {
    return entry((word_ & ~shared_bit) | (shared ? shared_bit : 0));
  }
  /// The item elsewhere, or another one of the same key; its marks stay.
  [[nodiscard]] constexpr entry moved_to(std::uint64_t place, std::uint64_t grains) const noexcept {
    return entry(entry(tag(), place, grains).word_ |
                 (word_ & (most_uses << 37 | fetched_bit | shared_bit)));
  }
  [[nodiscard]] constexpr entry not_fetched() const noexcept { return entry(word_ & ~fetched_bit); }

 private:
  static constexpr std::uint64_t shared_bit = std::uint64_t{1} << 36;
  static constexpr std::uint64_t fetched_bit = std::uint64_t{1} << 39;
  [[nodiscard]] constexpr entry with_fetched() const noexcept { return entry(word_ | fetched_bit); }

  std::uint64_t word_ = 0;
};

/// A key's hash, and which bits of it say what. The home is chosen by the highest bits, the bucket
/// by the lowest.
struct key_hash {
  std::uint64_t bits;

  explicit key_hash(std::string_view key) noexcept
      : bits(base::hash_bytes(key.data(), key.size())) {}
  explicit key_hash(std::uint64_t hash) noexcept : bits(hash) {}

  [[nodiscard]] int home(int ranks) const noexcept {
    __extension__ using wide = unsigned __int128;
    return static_cast<int>((static_cast<wide>(bits) * static_cast<unsigned>(ranks)) >> 64);
  }
  [[nodiscard]] std::uint8_t tag() const noexcept { return static_cast<std::uint8_t>(bits >> 32); }
  [[nodiscard]] std::uint16_t fingerprint() const noexcept {  ///< not 0
    return static_cast<std::uint16_t>(bits >> 32 | 1);
  }
};

}  // namespace far::stores
