#pragma once
// The operations of far::store, seen from one thread.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "far/rma/future.hpp"
#include "far/store/home_calls.hpp"
#include "far/store/part_read.hpp"
#include "far/store/part_walk.hpp"
#include "far/store/request.hpp"
#include "far/store/store_part.hpp"
#include "far/world/world.hpp"

namespace far {

/// What is kept with a value.
struct store_terms {
  std::uint32_t flags = 0;  ///< the program's own
  /// Until the item expires, in seconds of the store's clock. 0: never.
  std::chrono::seconds lifetime{0};
  /// If not 0, the value is stored only if the item has this CAS unique.
  std::uint64_t cas = 0;
};

/// One thread's view of a store, valid while the store lives; the store itself is that of the
/// thread that made it. Keys are 1 to 250 bytes of any kind. An item with its key and a header of
/// 24 bytes takes at most store_options::max_item_bytes.
///
/// Completion: a change is visible, to every operation that starts later, when it returns or its
///   future is ready.
/// Linearizes at: changes while the part is locked, gets where they take the version of the key's
///   chain for the first time. An eviction and an expiry are changes, too.
/// Cost: a get in memory of this machine two or three cache misses, a change one or two more and
/// the
///   lock of the home's part; else a message each way.
/// Progress: calls are served by the home's service thread.
/// Threads: belongs to the thread of its world.
/// Errors: rank_failed where it waits. What can be expected, such as a key that has no item, is a
///   result.
/// Checked by: store_test.equals_an_oracle, store_history_test.is_linearizable
class store_view {
 public:
  store_view(const world& world, stores::store_part& part) noexcept : world_(world), part_(&part) {}

  [[nodiscard]] const store_options& options() const noexcept { return part_->options; }
  /// The store's clock: seconds of the job, from 2 on.
  [[nodiscard]] store_second now_s() const { return stores::second_of(world_.fabric()); }
  /// The rank that keeps the key's item.
  [[nodiscard]] int home_of(std::string_view key) const noexcept {
    return stores::key_hash(key).home(world_.size());
  }
  /// Whether operations on the key are instructions on this machine's memory, which wait for no
  /// rank's progress.
  [[nodiscard]] bool is_here(std::string_view key) const noexcept {
    return part_->mapped_part(home_of(key)) != nullptr;
  }

  /// Copies an item's value to where place(const item_info&) says; null copies nothing. `place` is
  /// called again if the item changes meanwhile. Returns false if there is no item.
  template <class Place>
  bool read(std::string_view key, Place&& place) const {
    const stores::key_hash hash(key);
    const int home = hash.home(world_.size());
    const stores::part_memory* const part = part_->mapped_part(home);
    if (part == nullptr) [[unlikely]]
      return read_by_call(key, place);
    part_->work.charge(world_.unchecked_context(), 1);
    fabric::turn turn;
    const auto result = stores::read_item(
        *part, hash, key, true, [this] { return now_s(); },
        [&] {
          world_.context().await_turn(turn);
          return true;
        },
        place);
    return result == stores::read_result::found;
  }

  [[nodiscard]] std::optional<stored_item> get(std::string_view key) const {
    const stores::key_hash hash(key);
    const int home = hash.home(world_.size());
    return part_->mapped_part(home) != nullptr ? stores::read_here(world_, *part_, home, hash, key)
                                               : stores::read_remote(world_, *part_, home, key);
  }
  [[nodiscard]] bool contains(std::string_view key) const {
    return read(key, [](const item_info&) -> char* { return nullptr; });
  }

  /// Stores a value, whether or not the key has one. Returns the status, and the new CAS unique.
  store_reply put(std::string_view key, std::string_view value,
                  const store_terms& terms = {}) const {
    return execute(storing(store_verb::put, key, value, terms));
  }
  /// The same only if the key has none.
  store_reply add(std::string_view key, std::string_view value,
                  const store_terms& terms = {}) const {
    return execute(storing(store_verb::add, key, value, terms));
  }
  /// The same only if the key has one.
  store_reply replace(std::string_view key, std::string_view value,
                      const store_terms& terms = {}) const {
    return execute(storing(store_verb::replace, key, value, terms));
  }
  /// Adds bytes behind the value of an item, or before it.
  store_reply append(std::string_view key, std::string_view more) const {
    return execute(storing(store_verb::append, key, more, {}));
  }
  store_reply prepend(std::string_view key, std::string_view more) const {
    return execute(storing(store_verb::prepend, key, more, {}));
  }
  /// Adds to a value that is a decimal number of 64 bits. Returns the sum, as text, in the reply.
  store_reply increment(std::string_view key, std::uint64_t delta = 1) const;
  store_reply decrement(std::string_view key, std::uint64_t delta = 1) const;
  /// Gives an item another lifetime.
  store_reply touch(std::string_view key, std::chrono::seconds lifetime) const;
  store_reply erase(std::string_view key) const;

  /// Any of these operations, and more (request.hpp).
  store_reply execute(const store_request& asked) const {
    return stores::execute(world_, *part_, asked);
  }
  /// Many at once, in any order. Cost: of each home on another machine one call, and its copies.
  /// Errors: bad_argument unless there are as many values as keys.
  [[nodiscard]] std::vector<std::optional<stored_item>> get_many(
      std::span<const std::string_view> keys) const;
  std::vector<store_reply> put_many(std::span<const std::string_view> keys,
                                    std::span<const std::string_view> values,
                                    const store_terms& terms = {}) const;
  [[nodiscard]] std::vector<store_reply> execute_many(std::span<const store_request> asked) const {
    return stores::execute_many(world_, *part_, asked);
  }
  /// Starts one. What the request names is read before this returns.
  [[nodiscard]] future<store_reply> execute_async(const store_request& asked) const {
    return stores::execute_async(world_, *part_, asked);
  }
  [[nodiscard]] future<std::optional<stored_item>> get_async(std::string_view key) const;
  [[nodiscard]] future<store_reply> put_async(std::string_view key, std::string_view value,
                                              const store_terms& terms = {}) const {
    return execute_async(storing(store_verb::put, key, value, terms));
  }

  /// What reading costs each way, for people.
  [[nodiscard]] std::string explain() const;
  /// How this rank has read items of other machines.
  [[nodiscard]] store_choices choices() const { return part_->copied.counted(); }
  /// Those of a rank's part, now. Cost: a call.
  [[nodiscard]] future<store_counts> counts_async(int rank) const;
  [[nodiscard]] store_counts counts(int rank) const { return counts_async(rank).get(); }
  /// Counts of all ranks' parts begin again. Cost: a call to each rank.
  [[nodiscard]] future<void> reset_counts_async() const;
  void reset_counts() const { reset_counts_async().get(); }
  /// Erases all items that there are. Cost: a call to each rank, and a visit to each item.
  [[nodiscard]] future<void> erase_all_async() const;
  void erase_all() const { erase_all_async().get(); }
  /// Frees the memory of expired items in one more segment of this rank's part. (Puts do it as they
  /// need memory.) Returns how many items there were. Cost: a visit to each item of a segment.
  std::uint64_t sweep() const;
  /// After so many calls of sweep() each item has been looked at.
  [[nodiscard]] std::uint64_t sweeps() const noexcept { return part_->shape.segments; }
  /// Calls visit(std::string_view key, const item_info&) for some more items of this rank's part.
  /// `cursor` is 0 at first, then what this returned; returns 0 when all have been visited. Does
  /// nothing, and returns nothing, if the part is in use: then call it again. An item that is there
  /// all the time is visited once, whatever changes between the calls. `visit` runs under the
  /// part's lock, so it must not use the store. Cost: some 200 items a call, two cache misses each.
  [[nodiscard]] std::optional<std::uint64_t> visit_some(std::uint64_t cursor,
                                                        stores::item_visit visit) const;
  /// From now on `observer` is told of what this rank evicts, instead of an earlier one. Both exist
  /// until the store ends. Null: nobody is.
  void observe(std::shared_ptr<store_observer> observer) const;

 private:
  [[nodiscard]] store_request storing(store_verb verb, std::string_view key, std::string_view value,
                                      const store_terms& terms) const;
  [[nodiscard]] store_second second_after(std::chrono::seconds lifetime) const;
  template <class Place>
  bool read_by_call(std::string_view key, Place&& place) const {
    const auto found = stores::read_remote(world_, *part_, home_of(key), key);
    if (!found) return false;
    if (char* const to = place(found->info); to != nullptr) {
      found->value.copy(to, found->value.size());
    }
    return true;
  }

  world world_;
  stores::store_part* part_;
};

}  // namespace far
