#pragma once
// The accesses to a table (see table_access.hpp) in memory that plain instructions reach, atomics
// included: that of a rank on the same machine. Its location is looked up only once, because the
// speed of a hash_map on one machine depends on this path.

#include <cstddef>
#include <cstdint>

#include "far/containers/map/bucket_table.hpp"
#include "far/containers/map/bucket_wait.hpp"
#include "far/fabric/context.hpp"
#include "far/rma/direct.hpp"
#include "far/world/world.hpp"

namespace far::containers {

template <class K, class V>
class direct_access {
  using bucket_type = bucket<K, V>;

 public:
  using key_type = K;
  using value_type = V;
  using operations = waited_operations;
  using patience = bucket_wait<direct_access>;
  using turn = fabric::turn;
  static constexpr bool is_read = true;
  static constexpr bool is_changed = true;

  /// `world` outlives the access. `first`: the first bucket of `home`. The number of buckets is a
  /// power of two, `mask` + 1.
  direct_access(const far::world& world, int home, std::byte* first, std::uint64_t mask)
      : world_(&world), context_(&world.context()), home_(home), first_(first), mask_(mask) {}

  [[nodiscard]] std::uint64_t mask() const noexcept { return mask_; }
  [[nodiscard]] const far::world& world() const noexcept { return *world_; }
  [[nodiscard]] int home() const noexcept { return home_; }
  [[nodiscard]] int rank() const noexcept { return world_->rank(); }

  /// Prefetches the first bucket for keys of this hash. `Alone`: for writing; finds write too when
  /// they count themselves as readers.
  template <bool Alone>
  void prefetch(std::uint64_t hash) const noexcept {
    __builtin_prefetch(at(hash & mask_), Alone ? 1 : 0);
  }

  [[nodiscard]] std::uint64_t load(std::uint64_t index) const noexcept {
    return rma::load_word<std::uint64_t>(at(index));
  }
  [[nodiscard]] std::uint64_t exchange(std::uint64_t index, std::uint64_t expected,
                                       std::uint64_t desired) const noexcept {
    flag(index).compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                        std::memory_order_acquire);
    return expected;
  }
  [[nodiscard]] std::uint64_t add(std::uint64_t index, std::uint64_t change) const noexcept {
    return flag(index).fetch_add(change, std::memory_order_acq_rel);
  }
  void add_late(std::uint64_t index, std::uint64_t change) const noexcept {
    flag(index).fetch_add(change, std::memory_order_acq_rel);
  }
  [[nodiscard]] bool key_is(std::uint64_t index, const K& wanted) const noexcept {
    return load_object<K>(at(index) + key_offset) == wanted;
  }
  [[nodiscard]] table_item<K, V> read(std::uint64_t index) const noexcept {
    return {load_object<K>(at(index) + key_offset), load_object<V>(at(index) + value_offset)};
  }
  [[nodiscard]] bucket_type read_all(std::uint64_t index) const noexcept {
    return {load(index), read(index)};
  }
  void write(std::uint64_t index, const table_item<K, V>& item) const noexcept {
    store_object(at(index) + key_offset, item.key);
    store_object(at(index) + value_offset, item.value);
  }
  void write_value(std::uint64_t index, const V& value) const noexcept {
    store_object(at(index) + value_offset, value);
  }
  void add_value(std::uint64_t index, const V& more) const noexcept {
    rma::atomic_word<V>(at(index) + value_offset).fetch_add(more, std::memory_order_acq_rel);
  }
  /// Waits for a bucket.
  [[nodiscard]] bool rest(patience& state, std::uint64_t index) const {
    state.rest(*this, index);
    return true;
  }
  [[nodiscard]] bool rest(turn& state) const {
    context_->await_turn(state);
    return true;
  }

 private:
  static constexpr std::size_t key_offset = offsetof(bucket_type, item.key);
  static constexpr std::size_t value_offset = offsetof(bucket_type, item.value);
  template <class T>
  static constexpr bool is_whole_word = rma::is_word<T> && alignof(T) == sizeof(T);

  template <class T>
  [[nodiscard]] static T load_object(const std::byte* place) noexcept {
    if constexpr (is_whole_word<T>) {
      return rma::load_word<T>(place);
    } else {
      return rma::load_small<T>(place);
    }
  }
  template <class T>
  static void store_object(std::byte* place, const T& value) noexcept {
    if constexpr (is_whole_word<T>) {
      rma::store_word(place, value);
    } else {
      rma::store_small(place, value);
    }
  }
  [[nodiscard]] std::byte* at(std::uint64_t index) const noexcept {
    return first_ + index * sizeof(bucket_type);
  }
  [[nodiscard]] auto flag(std::uint64_t index) const noexcept {
    return rma::atomic_word<std::uint64_t>(at(index));
  }

  const far::world* world_;
  fabric::context* context_;  // read at once, since that finds out that the job has ended
  int home_;
  std::byte* first_;
  std::uint64_t mask_;
};

}  // namespace far::containers
