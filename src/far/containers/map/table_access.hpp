#pragma once
// The accesses to a table that its operations (bucket_table.hpp) are made of: waited for, one by
// one, by who asks from afar; or as futures, for who may not wait. Those to memory that plain
// instructions reach: direct_access.hpp.
//
// `patience`: what `rest` keeps of one wait. Not in the access itself, which so stays in registers.

#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <utility>

#include "far/containers/map/bucket_table.hpp"
#include "far/fabric/context.hpp"
#include "far/memory/ptr.hpp"
#include "far/rma/async.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/call.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// One rank's part of a table: so many buckets, a power of two. Travels in messages.
template <class K, class V>
struct table_part {
  ptr<bucket<K, V>> first;
  std::uint64_t buckets = 0;
};

/// What both kinds of accesses have.
template <class K, class V>
class table_access {
 public:
  using key_type = K;
  using value_type = V;
  // Whether anybody may look for keys, or change anything, at the same time.
  static constexpr bool is_read = true;
  static constexpr bool is_changed = true;

  table_access(const world& view, const table_part<K, V>& part) noexcept
      : view_(view), part_(part) {}

  [[nodiscard]] std::uint64_t mask() const noexcept { return part_.buckets - 1; }
  /// Who performs the operation: the name on what it takes.
  [[nodiscard]] int rank() const noexcept { return view_.rank(); }

 protected:
  using bucket_type = bucket<K, V>;

  [[nodiscard]] const world& view() const noexcept { return view_; }
  [[nodiscard]] ptr<bucket_type> at(std::uint64_t index) const noexcept {
    return part_.first + static_cast<std::int64_t>(index);
  }
  [[nodiscard]] atomic_ref<std::uint64_t> flag(std::uint64_t index) const noexcept {
    return {view_, reinterpret_pointer_cast<std::uint64_t>(at(index))};
  }
  template <class T>
  [[nodiscard]] ptr<T> field(std::uint64_t index, std::size_t offset) const noexcept {
    return reinterpret_pointer_cast<T>(reinterpret_pointer_cast<std::byte>(at(index)) +
                                       static_cast<std::int64_t>(offset));
  }
  [[nodiscard]] ptr<table_item<K, V>> item(std::uint64_t index) const noexcept {
    return field<table_item<K, V>>(index, offsetof(bucket_type, item));
  }
  [[nodiscard]] ptr<K> key(std::uint64_t index) const noexcept {
    return field<K>(index, offsetof(bucket_type, item.key));
  }
  [[nodiscard]] ptr<V> value(std::uint64_t index) const noexcept {
    return field<V>(index, offsetof(bucket_type, item.value));
  }

 private:
  world view_;
  table_part<K, V> part_;
};

/// Accesses that are complete when they return.
template <class K, class V>
class waiting_access : public table_access<K, V> {
 public:
  using operations = waited_operations;
  using patience = fabric::backoff;
  using table_access<K, V>::table_access;

  [[nodiscard]] std::uint64_t load(std::uint64_t index) const { return this->flag(index).load(); }
  [[nodiscard]] std::uint64_t exchange(std::uint64_t index, std::uint64_t expected,
                                       std::uint64_t desired) const {
    this->flag(index).compare_exchange(expected, desired);
    return expected;
  }
  [[nodiscard]] std::uint64_t add(std::uint64_t index, std::uint64_t change) const {
    return this->flag(index).fetch_add(change);
  }
  /// Not awaited, but by this context's next flush.
  void add_late(std::uint64_t index, std::uint64_t change) const {
    (void)this->flag(index).add_async(change);
  }
  [[nodiscard]] bool key_is(std::uint64_t index, const K& wanted) const {
    return get(this->view(), this->key(index)) == wanted;
  }
  [[nodiscard]] table_item<K, V> read(std::uint64_t index) const {
    return get(this->view(), this->item(index));
  }
  [[nodiscard]] bucket<K, V> read_all(std::uint64_t index) const {
    return get(this->view(), this->at(index));
  }
  void write(std::uint64_t index, const table_item<K, V>& item) const {
    put(this->view(), this->item(index), item);
  }
  void write_value(std::uint64_t index, const V& value) const {
    put(this->view(), this->value(index), value);
  }
  void add_value(std::uint64_t index, const V& more) const {
    atomic_ref<V>(this->view(), this->value(index)).add(more);
  }
  /// Lets others get on. False where that may not be waited for.
  [[nodiscard]] bool rest(patience& state) const {
    this->view().context().pause(state);
    return true;
  }
};

/// What started accesses do that meet a bucket another works on, and when what they add late is
/// there.
enum class started_for : std::uint8_t {
  /// A call's function, which may not wait: it answers `busy`. What is added late is awaited as
  /// well: who has called may go on to a barrier, which does not flush the context here.
  call,
  /// Who asks from afar: rests by a call to itself, which comes back with its progress, and lets
  /// other threads run meanwhile. Late additions are there after this context's next flush.
  asker,
};

/// Accesses that are started: a routine goes on as they become ready.
template <class K, class V>
class started_access : public table_access<K, V> {
 public:
  using operations = started_operations;
  struct patience {};

  started_access(const world& view, const table_part<K, V>& part, started_for whom) noexcept
      : table_access<K, V>(view, part), whom_(whom) {}

  [[nodiscard]] future<std::uint64_t> load(std::uint64_t index) const {
    return this->flag(index).load_async();
  }
  [[nodiscard]] future<std::uint64_t> exchange(std::uint64_t index, std::uint64_t expected,
                                               std::uint64_t desired) const {
    return this->flag(index).compare_exchange_async(expected, desired);
  }
  [[nodiscard]] future<std::uint64_t> add(std::uint64_t index, std::uint64_t change) const {
    return this->flag(index).fetch_add_async(change);
  }
  [[nodiscard]] future<void> add_late(std::uint64_t index, std::uint64_t change) const {
    future<void> added = this->flag(index).add_async(change);
    return whom_ == started_for::call ? std::move(added) : ready_future(this->view());
  }
  [[nodiscard]] future<bool> key_is(std::uint64_t index, const K& wanted) const {
    return get_async(this->view(), this->key(index)).then([wanted](const K& key) {
      return key == wanted;
    });
  }
  [[nodiscard]] future<table_item<K, V>> read(std::uint64_t index) const {
    return get_async(this->view(), this->item(index));
  }
  [[nodiscard]] future<bucket<K, V>> read_all(std::uint64_t index) const {
    return get_async(this->view(), this->at(index));
  }
  [[nodiscard]] future<void> write(std::uint64_t index, const table_item<K, V>& item) const {
    return put_async(this->view(), this->item(index), item);
  }
  [[nodiscard]] future<void> write_value(std::uint64_t index, const V& value) const {
    return put_async(this->view(), this->value(index), value);
  }
  [[nodiscard]] future<void> add_value(std::uint64_t index, const V& more) const {
    return atomic_ref<V>(this->view(), this->value(index)).add_async(more);
  }
  [[nodiscard]] future<bool> rest(patience&) const {
    if (whom_ == started_for::call) return ready_future(this->view(), false);
    return rpc(this->view(), this->rank(), [] {
      std::this_thread::yield();
      return true;
    });
  }

 private:
  started_for whom_;
};

/// Accesses while nobody looks for keys.
template <class Access>
struct unread_access : Access {
  using Access::Access;
  static constexpr bool is_read = false;
};

/// Accesses while nobody changes anything.
template <class Access>
struct unchanged_access : Access {
  using Access::Access;
  static constexpr bool is_changed = false;
};

}  // namespace far::containers
