#pragma once
// The accesses to a table of which its operations (bucket_table.hpp) consist. waiting_access waits
// for each access, for callers that may wait; started_access returns futures, for callers that may
// not. For memory that plain instructions reach, see direct_access.hpp.
//
// `patience` and `turn` are the states that `rest` keeps during one wait: for a bucket that others
// have locked, and for the readers of a locked one. They are not members of the access, so that the
// access itself stays in registers.

#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <utility>

#include "far/containers/map/bucket_table.hpp"
#include "far/containers/map/bucket_wait.hpp"
#include "far/fabric/context.hpp"
#include "far/memory/ptr.hpp"
#include "far/rma/async.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/call.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// One rank's part of a table. `buckets` is a power of two. Can be sent in messages.
template <class K, class V>
struct table_part {
  ptr<bucket<K, V>> first;
  std::uint64_t buckets = 0;
};

/// Common to waiting_access and started_access.
template <class K, class V>
class table_access {
 public:
  using key_type = K;
  using value_type = V;
  // Whether other ranks may look up keys, or change the table, at the same time.
  static constexpr bool is_read = true;
  static constexpr bool is_changed = true;

  table_access(const far::world& world, const table_part<K, V>& part) noexcept
      : world_(world.borrowed()), part_(part) {}

  [[nodiscard]] std::uint64_t mask() const noexcept { return part_.buckets - 1; }
  /// The rank that performs the operation; the buckets that it locks name it.
  [[nodiscard]] int rank() const noexcept { return world_.rank(); }
  [[nodiscard]] const far::world& world() const noexcept { return world_; }
  /// The rank whose buckets these are.
  [[nodiscard]] int home() const noexcept { return part_.first.rank(); }

 protected:
  using bucket_type = bucket<K, V>;

  [[nodiscard]] ptr<bucket_type> at(std::uint64_t index) const noexcept {
    return part_.first + static_cast<std::int64_t>(index);
  }
  [[nodiscard]] atomic_ref<std::uint64_t> flag(std::uint64_t index) const noexcept {
    return {world_, reinterpret_pointer_cast<std::uint64_t>(at(index))};
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
  far::world world_;
  table_part<K, V> part_;
};

/// Accesses that are complete when they return.
template <class K, class V>
class waiting_access : public table_access<K, V> {
 public:
  using operations = waited_operations;
  using patience = bucket_wait<waiting_access>;
  using turn = fabric::turn;
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
  /// Not waited for; complete after this context's next flush.
  void add_late(std::uint64_t index, std::uint64_t change) const {
    (void)this->flag(index).add_async(change);
  }
  [[nodiscard]] bool key_is(std::uint64_t index, const K& wanted) const {
    return get(this->world(), this->key(index)) == wanted;
  }
  [[nodiscard]] table_item<K, V> read(std::uint64_t index) const {
    return get(this->world(), this->item(index));
  }
  [[nodiscard]] bucket<K, V> read_all(std::uint64_t index) const {
    return get(this->world(), this->at(index));
  }
  void write(std::uint64_t index, const table_item<K, V>& item) const {
    put(this->world(), this->item(index), item);
  }
  void write_value(std::uint64_t index, const V& value) const {
    put(this->world(), this->value(index), value);
  }
  void add_value(std::uint64_t index, const V& more) const {
    atomic_ref<V>(this->world(), this->value(index)).add(more);
  }
  /// Waits for a bucket. Returns false if the caller must not wait.
  [[nodiscard]] bool rest(patience& state, std::uint64_t index) const {
    state.rest(*this, index);
    return true;
  }
  /// The same for who has locked one, and waits for its readers.
  [[nodiscard]] bool rest(turn& state) const {
    this->world().context().await_turn(state);
    return true;
  }
};

/// Who uses a started_access. This decides what happens at a bucket that is in use, and when late
/// additions are complete.
enum class started_for : std::uint8_t {
  /// The function of a call, which must not wait: it answers `busy`. Late additions are waited for
  /// as well, because the caller may continue to a barrier, which does not flush the context here.
  call,
  /// The caller of a one-sided operation. It pauses by a call to itself, which returns with its
  /// progress and lets other threads run meanwhile. Late additions are complete after this
  /// context's next flush.
  caller,
};

/// Accesses that return futures: a routine continues when they are ready.
template <class K, class V>
class started_access : public table_access<K, V> {
 public:
  using operations = started_operations;
  using patience = no_bucket_wait;
  using turn = no_bucket_wait;

  started_access(const world& world, const table_part<K, V>& part, started_for whom) noexcept
      : table_access<K, V>(world, part), used_by_(whom) {}

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
    return used_by_ == started_for::call ? std::move(added) : ready_future(this->world());
  }
  [[nodiscard]] future<bool> key_is(std::uint64_t index, const K& wanted) const {
    return get_async(this->world(), this->key(index)).then([wanted](const K& key) {
      return key == wanted;
    });
  }
  [[nodiscard]] future<table_item<K, V>> read(std::uint64_t index) const {
    return get_async(this->world(), this->item(index));
  }
  [[nodiscard]] future<bucket<K, V>> read_all(std::uint64_t index) const {
    return get_async(this->world(), this->at(index));
  }
  [[nodiscard]] future<void> write(std::uint64_t index, const table_item<K, V>& item) const {
    return put_async(this->world(), this->item(index), item);
  }
  [[nodiscard]] future<void> write_value(std::uint64_t index, const V& value) const {
    return put_async(this->world(), this->value(index), value);
  }
  [[nodiscard]] future<void> add_value(std::uint64_t index, const V& more) const {
    return atomic_ref<V>(this->world(), this->value(index)).add_async(more);
  }
  [[nodiscard]] future<bool> rest(patience&, std::uint64_t) const { return rest(); }
  [[nodiscard]] future<bool> rest(turn&) const { return rest(); }

 private:
  [[nodiscard]] future<bool> rest() const {
    if (used_by_ == started_for::call) return ready_future(this->world(), false);
    return rpc(this->world(), this->rank(), [] {
      std::this_thread::yield();
      return true;
    });
  }

  started_for used_by_;
};

/// Accesses in a phase in which no rank looks up keys. Nobody waits for readers, and unlocking a
/// bucket is not awaited, so all accesses of the phase must be of this kind: those of functions
/// that are called, too.
template <class Access>
struct unread_access : Access {
  using Access::Access;
  static constexpr bool is_read = false;
};

/// Accesses in a phase in which no rank changes the table.
template <class Access>
struct unchanged_access : Access {
  using Access::Access;
  static constexpr bool is_changed = false;
};

}  // namespace far::containers
