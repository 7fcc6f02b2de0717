#pragma once
// The operations of a cached array's views that are the same for all types of elements.

#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "far/array/blocks.hpp"
#include "far/array/cached/pin.hpp"
#include "far/array/cached/thread_access.hpp"
#include "far/array/element_mutex.hpp"
#include "far/world/world.hpp"

namespace far::cached {

/// The base of far::cached_view, which documents it.
class any_view {
 public:
  any_view(const far::world& world, std::shared_ptr<part> of) : access_(world, std::move(of)) {}
  explicit any_view(const thread_access& access) : access_(access) {}

  [[nodiscard]] const far::world& world() const noexcept { return access_.world(); }

  [[nodiscard]] std::uint64_t size() const noexcept { return map().size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// The number of elements in a chunk, the unit of caching.
  [[nodiscard]] std::uint64_t chunk_size() const noexcept { return map().chunk_size(); }
  /// The rank that holds element i, its home.
  [[nodiscard]] int owner(std::uint64_t i) const {
    check(i);
    return map().owner(i);
  }
  /// The global indices of this rank's part: [local_begin, local_end).
  [[nodiscard]] std::uint64_t local_begin() const noexcept { return map().begin(world().rank()); }
  [[nodiscard]] std::uint64_t local_end() const noexcept { return map().end(world().rank()); }
  [[nodiscard]] auto local_indices() const { return std::views::iota(local_begin(), local_end()); }

  /// Requests the chunks of `count` elements for reading, without waiting. A hint: it stops where
  /// the cache has no room.
  void prefetch(std::uint64_t first, std::uint64_t count) const {
    check_range(first, count);
    if (count == 0) return;
    access_.prefetch(map().find(first).chunk, map().find(first + count - 1).chunk + 1,
                     {right::read, nullptr, true});
  }

  /// What this rank has decided about caching, for all its threads.
  /// Checked by: cached_access_test.random_accesses_go_past_the_cache
  [[nodiscard]] caching_choices choices() const { return choices_of(access_.part()); }
  /// The same for people: what was measured, and what follows from it.
  /// Checked by: cached_access_test.random_accesses_go_past_the_cache
  [[nodiscard]] std::string explain() const { return cached::explain(access_.part()); }

  /// The lock of element i: Lockable and SharedLockable. It is apart from the element's accesses:
  /// only those who use it are excluded.
  /// Cost: a message to the home and one back; unlocking sends one.
  /// Checked by: cached_array_test.locks_exclude
  [[nodiscard]] element_mutex lock_of(std::uint64_t i) const {
    return element_mutex(world(), access_.part().id, owner(i), i);
  }

 protected:
  [[nodiscard]] const thread_access& access() const noexcept { return access_; }
  [[nodiscard]] const far::detail::chunk_map& map() const noexcept { return access_.part().map; }

  void check(std::uint64_t i) const {
    if (i >= size()) [[unlikely]]
      far::detail::throw_index(i, size());
  }
  void check_range(std::uint64_t first, std::uint64_t count) const {
    if (count > size() || first > size() - count) [[unlikely]]
      far::detail::throw_range(first, count, size());
  }
  [[nodiscard]] std::uint64_t chunk_of(std::uint64_t i) const {
    check(i);
    return map().find(i).chunk;
  }
  [[nodiscard]] chunk_range chunk_at(std::uint64_t i) const {
    const std::uint64_t chunk = chunk_of(i);
    return {chunk, map().begin_of_chunk(chunk), map().length_of_chunk(chunk)};
  }
  void request(std::span<const std::uint64_t> indices, right what, const operation* op) const {
    std::vector<std::uint64_t> chunks;
    for (const std::uint64_t i : indices) chunks.push_back(chunk_of(i));
    access_.prefetch(std::move(chunks), {what, op, true});
  }

  thread_access access_;
};

}  // namespace far::cached
