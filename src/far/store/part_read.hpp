#pragma once
// Reads items of a part that plain instructions reach, without its lock.
//
// A reader takes the version of the key's chain, looks the item up, copies it, and takes the
// version again. If it is the same, no item of the chain was changed, moved or removed meanwhile,
// so what it has copied is the item; if not, it reads again. So a reader may meanwhile see
// anything: it follows no place and no size beyond the part.
//
// A reader writes one thing: the item's uses, by a compare-and-swap of the whole entry, so that it
// never changes another.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "far/store/item.hpp"
#include "far/store/part_memory.hpp"
#include "far/store/request.hpp"

namespace far::stores {

[[nodiscard]] item_info info_of(const item_header& header, entry at) noexcept;

/// Whether the item at a place has this key, as far as a reader sees.
[[nodiscard]] inline bool has_key(const std::byte* at, std::string_view key) noexcept {
  // By words: keys begin at a multiple of 8, and what follows one is part of the item, too.
  using word = std::uint64_t;
  std::size_t left = key.size();
  const char* wanted = key.data();
  for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word), wanted += sizeof(word)) {
    word expected;
    std::memcpy(&expected, wanted, sizeof expected);
    if (rma::load_word<word>(at) != expected) return false;
  }
  if (left == 0) return true;
  word expected = 0;
  std::memcpy(&expected, wanted, left);
  const word mask = (word{1} << (8 * left)) - 1;
  return ((rma::load_word<word>(at) ^ expected) & mask) == 0;
}

enum class read_result : std::uint8_t { absent, found, gave_up };

/// place(info) returns where the value's bytes go, or null; it is called again if the item has
/// changed meanwhile. now() is the store's second. rest() is called between two looks, and returns
/// whether to look again. Cost: two or three cache misses.
template <class Now, class Rest, class Place>
read_result read_item(const part_memory& part, key_hash hash, std::string_view key, bool is_use,
                      Now&& now, Rest&& rest, Place&& place) {
  const part_state& state = part.state();
  for (bool again = false;; again = true) {
    if (again && !rest()) return read_result::gave_up;
    const std::uint64_t number = part_memory::bucket_of(hash, load(state.buckets));
    bucket& first = part.bucket_at(number);
    const bucket_word seen{load(first.word)};
    if (seen.is_changing()) [[unlikely]]
      continue;
    // A bucket that has been split since.
    if ((hash.bits & ((std::uint64_t{1} << seen.level()) - 1)) != number) [[unlikely]]
      continue;

    std::uint64_t* word = nullptr;
    entry found;
    item_header header;
    bucket* one = &first;
    const auto look = [&] {
      for (std::uint64_t& candidate : one->entries) {
        found = entry(load(candidate));
        if (found.tag() != hash.tag() || found.is_empty()) continue;
        const std::uint64_t end = (found.place() + found.grains()) * grain_bytes;
        if (end > part.shape().bytes()) continue;
        header = part.header(found.place());
        if (header.key_bytes != key.size() || header.grains() > found.grains()) continue;
        if (!has_key(part.key(found.place()), key)) continue;
        word = &candidate;
        return true;
      }
      return false;
    };
    bool is_sound = true;
    for (std::uint64_t next = seen.next(); !look() && next != 0;) {
      if (next > bucket_word::max_next ||
          next * sizeof(bucket) > part.shape().segments * part.shape().segment_bytes) {
        is_sound = false;
        break;
      }
      one = &part.overflow(next);
      next = bucket_word{load(one->word)}.next();
      // Chains that change are not followed for ever.
      if (load(first.word) != seen.bits) break;
    }
    const bool is_there = word != nullptr && (header.expires == 0 || !header.has_expired(now()));
    if (is_there) {
      if (char* const to = place(info_of(header, found)); to != nullptr) {
        fabric::copy_bytes(to, part.value(found.place(), header), header.value_bytes);
      }
    }
    fabric::acquire_fence();
    if (!is_sound || load(first.word) != seen.bits) [[unlikely]]
      continue;
    if (is_there && is_use && found.used().word() != found.word()) {
      std::uint64_t expected = found.word();
      (void)rma::atomic_word<std::uint64_t>(reinterpret_cast<std::byte*>(word))
          .compare_exchange_strong(expected, found.used().word(), std::memory_order_relaxed);
    }
    return is_there ? read_result::found : read_result::absent;
  }
}

}  // namespace far::stores
