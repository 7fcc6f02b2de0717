#pragma once
// One rank's part of a cached array: its elements, its cache, and the directory of its chunks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "far/array/cached/cache.hpp"
#include "far/array/cached/element_locks.hpp"
#include "far/array/cached/home.hpp"
#include "far/array/cached/staging_area.hpp"
#include "far/array/chunk_map.hpp"
#include "far/homes/part.hpp"
#include "far/memory/memory.hpp"
#include "far/world/world.hpp"

namespace far {

struct cached_array_options;
class collective_scope;

namespace cached {

/// What cached_array makes a part of.
struct part_settings {
  detail::chunk_map map;
  std::size_t element_bytes = 0;
  cache_limits limits;
  bool coherent = false;
};

/// Threads: `mutex` guards cache, home, locks and staging. Handlers take it, so it is held for
/// short times only.
struct part : homes::part, std::enable_shared_from_this<part> {
  using outbox_type = outbox;

  part(const world& world, const part_settings& settings);

  [[nodiscard]] bool is_home_of(std::uint64_t chunk) const noexcept {
    return chunk >= map.first_chunk(rank) && chunk < map.first_chunk(rank + 1);
  }
  /// Memory of any chunk, where `coherent`.
  [[nodiscard]] std::byte* coherent_memory(std::uint64_t chunk) const noexcept;
  /// All of a rank's elements there.
  [[nodiscard]] plain_elements elements_of(int owner) const noexcept;
  /// Memory of an own chunk, and its address.
  [[nodiscard]] std::byte* home_memory(std::uint64_t chunk) const noexcept;
  [[nodiscard]] fabric::address home_address(std::uint64_t chunk) const noexcept;
  /// The place of element i at its home.
  [[nodiscard]] ptr<std::byte> place_of(std::uint64_t i) const noexcept {
    const int owner = map.owner(i);
    return elements.on(owner) + static_cast<std::int64_t>((i - map.begin(owner)) * element_bytes);
  }
  [[nodiscard]] std::size_t bytes_of(std::uint64_t chunk) const noexcept {
    return static_cast<std::size_t>(map.length_of_chunk(chunk)) * element_bytes;
  }

  rank_state* state;
  detail::chunk_map map;
  std::size_t element_bytes;
  bool coherent;             ///< the whole job is one coherent memory: nothing is cached
  ptr<std::byte> elements;   ///< symmetric: this rank's elements
  std::uint64_t slot_bytes;  ///< of a whole chunk, rounded up to cache lines
  ptr<std::byte> slots;      ///< local: the cache's memory
  std::byte* slot_memory;    ///< the same, for plain access
  ptr<std::uint64_t> probe;  ///< symmetric: a word to read, which says how long that takes
  std::size_t inline_bytes;  ///< data of so many bytes travel in messages, others one-sided
  cache lines;
  home directory;
  element_locks locks;
  staging_area staging;
};

/// What an array's elements are.
struct element_kind {
  std::size_t bytes;
  bool is_word;    ///< one instruction accesses them
  bool is_atomic;  ///< far::atomic_ref does
};

/// Collective: makes an array's parts. Errors: as cached_array.
[[nodiscard]] std::shared_ptr<part> make_part(const world& world, std::uint64_t n,
                                              const element_kind& kind,
                                              const cached_array_options& options);
/// Collective, unless an exception is destroying the array: ends the protocol and frees memory.
void release_part(const world& world, part& of, const collective_scope& scope) noexcept;

/// A record for one thread, which is closed when the last view that shares it is destroyed.
[[nodiscard]] std::shared_ptr<thread_record> open_record(const std::shared_ptr<part>& of);

/// What a rank has decided about caching.
[[nodiscard]] caching_choices choices_of(part& of);
[[nodiscard]] std::string explain(part& of);

}  // namespace cached
}  // namespace far
