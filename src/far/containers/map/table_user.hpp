#pragma once
// The ways to run an operation (map_operations.hpp) on a table in the segments: one-sided and
// waited for, one-sided and started, or by a call to the home of the key.
//
// The function of a call never waits. If it meets a bucket that is in use, it answers `busy`, and
// the caller continues one-sided: both ways work on the same words.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/containers/map/batch.hpp"
#include "far/containers/map/direct_access.hpp"
#include "far/containers/map/map_batch.hpp"
#include "far/containers/map/map_choices.hpp"
#include "far/containers/map/map_operations.hpp"
#include "far/containers/map/map_part.hpp"
#include "far/containers/map/shared_table.hpp"
#include "far/containers/map/table_access.hpp"
#include "far/containers/routine.hpp"
#include "far/homes/registry.hpp"
#include "far/rma/future.hpp"
#include "far/rma/promise.hpp"
#include "far/rpc/call.hpp"
#include "far/world/world.hpp"

namespace far::containers {

template <class Access, phase_kind P>
using access_while = std::conditional_t<
    P == phase_kind::writing, unread_access<Access>,
    std::conditional_t<P == phase_kind::reading, unchanged_access<Access>, Access>>;

/// What an operation with operands of these types answers.
template <class K, class V, class Op, class... Operands>
using answer_of =
    decltype(std::declval<const Op&>().template at<waiting_access<K, V>, K, Operands...>(
        std::declval<waiting_access<K, V>>(), std::declval<K>(), std::uint64_t{},
        std::declval<Operands>()...));

/// Returns what start() returns, and records for policy::automatic how long that took.
template <class Part, class Start>
auto served(const world& world, const Part& part, std::size_t keys, Start start) {
  if (part.choices == nullptr) return start();
  const std::uint64_t begin = world.now();
  auto answer = start();
  part.choices->served(world.now() - begin, keys);
  return answer;
}

/// The accesses of the function of a call.
template <class Part, phase_kind P>
using access_at_home =
    access_while<started_access<typename Part::key_type, typename Part::mapped_type>, P>;

/// The function of a call for one key. The routine keeps copies of its operands. Its accesses are
/// those of the caller's phase P, as a phase is a promise of all who access the table: while all
/// write, nobody waits for an addition that counts itself as a reader.
template <class Part, class Op, phase_kind P>
struct at_home {
  [[no_unique_address]] Op op;

  template <class... Operands>
  auto operator()(world& world, homes::object_id id, typename Part::key_type key,
                  Operands... operands) const {
    using access = access_at_home<Part, P>;
    const auto part = world.state().template get<homes::registry>().template find<Part>(id);
    const std::uint64_t hash = placing_hash<typename Part::hash_type>(key);
    return served(world, *part, 1, [&] {
      return op
          .template at<access, typename Part::key_type, Operands...>(
              access(world, part->shared_or_throw().part(world.rank()), started_for::call), key,
              hash, std::move(operands)...)
          .start(world);
    });
  }
};

/// The same for many keys, one after the other.
template <class Part, class Op, phase_kind P>
struct many_at_home {
  [[no_unique_address]] Op op;

  template <class... Operands>
  auto operator()(world& world, homes::object_id id, std::vector<typename Part::key_type> keys,
                  std::vector<Operands>... operands) const {
    check_operands(keys.size(), operands.size()...);
    const auto part = world.state().template get<homes::registry>().template find<Part>(id);
    const std::size_t count = keys.size();
    part->work.charge(world.context(), count);
    return served(world, *part, count, [&] {
      return run<Operands...>(
                 op, access(world, part->shared_or_throw().part(world.rank()), started_for::call),
                 std::move(keys), std::tuple(std::move(operands)...))
          .start(world);
    });
  }

 private:
  using access = access_at_home<Part, P>;
  template <class... Operands>
  using answer = answer_of<typename Part::key_type, typename Part::mapped_type, Op, Operands...>;

  template <class... Operands>
  static routine<std::vector<answer<Operands...>>> run(
      Op op, access table, std::vector<typename Part::key_type> keys,
      std::tuple<std::vector<Operands>...> operands) {
    std::vector<answer<Operands...>> answers;
    answers.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const answer<Operands...> one = co_await one_of<Operands...>(op, table, keys[i], i, operands);
      answers.push_back(one);
    }
    co_return answers;
  }
  template <class... Operands>
  static auto one_of(const Op& op, const access& table, const typename Part::key_type& key,
                     std::size_t i, std::tuple<std::vector<Operands>...>& operands) {
    using key_type = typename Part::key_type;
    const std::uint64_t hash = placing_hash<typename Part::hash_type>(key);
    return std::apply(
        [&](auto&... of_all) {
          return op.template at<access, key_type, Operands...>(table, key, hash,
                                                               static_cast<Operands>(of_all[i])...);
        },
        operands);
  }
};

/// Some of the keys of a batch, by their indices.
struct chosen_keys {
  std::size_t begin = 0;
  const std::uint32_t* indices = nullptr;  ///< relative to `begin`; null: consecutive keys
  std::size_t count = 0;

  std::size_t operator[](std::size_t nth) const noexcept {
    return begin + (indices == nullptr ? nth : indices[nth]);
  }
};

/// One thread's use of a table in the segments.
template <class K, class V, phase_kind P>
class table_user {
 public:
  using direct = access_while<direct_access<K, V>, P>;

  /// `places`: see map_part.
  table_user(const world& world, const shared_table<K, V>& table, std::byte* const* places) noexcept
      : world_(world.borrowed()), table_(table), places_(places) {}

  /// Runs an operation one-sided, and waits for it. `rank`: the key's home.
  template <class Op, class... Operands>
  auto run(const Op& op, int rank, const K& key, std::uint64_t hash,
           const Operands&... operands) const {
    if (std::byte* const first = place_of(rank)) {
      return run_waited(at(rank, first), table_, op, rank, key, hash, operands...);
    }
    const access_while<waiting_access<K, V>, P> access(world_, table_.part(rank));
    return run_waited(access, table_, op, rank, key, hash, operands...);
  }
  /// Starts an operation one-sided. It continues when this rank makes progress.
  template <class Op, class... Operands>
  auto start(const Op& op, int rank, const K& key, std::uint64_t hash,
             const Operands&... operands) const {
    using access = access_while<started_access<K, V>, P>;
    return op
        .template at<access, K, Operands...>(access(world_, table_.part(rank), started_for::caller),
                                             key, hash, operands...)
        .start(world_)
        .then([self = *this, rank](answer_of<K, V, Op, Operands...> answer) {
          return result_of<Op>(self.table_, rank, answer);
        });
  }
  /// Runs an operation by a call, and waits for it. Continues one-sided if the answer is `busy`.
  template <class Part, class Op, class... Operands>
  auto call(const Op& op, int rank, homes::object_id id, const K& key, std::uint64_t hash,
            const Operands&... operands) const {
    const auto answer = start_call<Part>(op, rank, id, key, operands...).get();
    if (outcome_of(answer) == table_outcome::busy) return run(op, rank, key, hash, operands...);
    return result_of<Op>(table_, rank, answer);
  }
  /// The same, but started. It continues when this rank makes progress.
  template <class Part, class Op, class... Operands>
  auto call_async(const Op& op, int rank, homes::object_id id, const K& key, std::uint64_t hash,
                  const Operands&... operands) const {
    using answer = answer_of<K, V, Op, Operands...>;
    using result = decltype(result_of<Op>(table_, rank, std::declval<answer>()));
    return start_call<Part>(op, rank, id, key, operands...)
        .then([self = *this, op, rank, key, hash, operands...](answer found) -> future<result> {
          if (outcome_of(found) == table_outcome::busy) {
            return self.start(op, rank, key, hash, operands...);
          }
          return ready_future(self.world_, result_of<Op>(self.table_, rank, found));
        });
  }

  /// Runs an operation on many keys, one-sided. Where plain instructions reach the home, each key
  /// is done at once, and the memory of some keys ahead is prefetched; for others, several
  /// operations are in flight at a time. store(i, result) receives each result, possibly after an
  /// exception was thrown.
  template <class Op, class HashOf, class HomeOf, class Store, class... Operands>
  void run_each(const Op& op, std::span<const K> keys, chosen_keys chosen, HashOf hash_of,
                HomeOf home_of, Store store, std::span<const Operands>... operands) const {
    const std::size_t count = chosen.count;
    struct sought {
      std::uint64_t hash;
      int rank;
      std::byte* first;
    };
    constexpr std::size_t ahead = 16;
    std::array<sought, ahead> next;
    const auto seek = [&](std::size_t nth) {
      const K& key = keys[chosen[nth]];
      const std::uint64_t hash = hash_of(key);
      const int rank = home_of(key);
      std::byte* const first = place_of(rank);
      if (first != nullptr) at(rank, first).template prefetch<direct::is_changed>(hash);
      next[nth % ahead] = {hash, rank, first};
    };
    for (std::size_t nth = 0; nth < std::min(ahead, count); ++nth) seek(nth);
    calls_in_flight calls;
    constexpr std::size_t progress_every = 8;
    std::size_t count_started = 0;
    for (std::size_t nth = 0; nth < count; ++nth) {
      const std::size_t i = chosen[nth];
      const auto [hash, rank, first] = next[nth % ahead];
      if (nth + ahead < count) seek(nth + ahead);
      calls.guard([&, hash = hash, rank = rank, first = first] {
        if (first != nullptr) {
          store(i, run_waited(at(rank, first), table_, op, rank, keys[i], hash, operands[i]...));
          return;
        }
        auto started = start(op, rank, keys[i], hash, operands[i]...);
        calls.add(
            std::move(started).then([store, i](auto result) { store(i, std::move(result)); }));
        // Answers calls from other ranks, which need not wait until this rank waits.
        if (++count_started % progress_every == 0) world_.progress();
      });
    }
    calls.wait();
  }
  /// Runs an operation on many keys, by calls to the homes that `plan` selects, or to all if it is
  /// null, and one-sided for the other keys meanwhile.
  template <class Part, class Op, class HashOf, class HomeOf, class Store, class... Operands>
  void call_many(const Op& op, homes::object_id id, std::span<const K> keys, HashOf hash_of,
                 HomeOf home_of, Store store, const std::shared_ptr<planned_batch>& plan,
                 std::span<const Operands>... operands) const {
    using answer = answer_of<K, V, Op, Operands...>;
    const auto unfinished = std::make_shared<std::vector<std::size_t>>();
    const auto here = [&](std::size_t begin, std::span<const std::uint32_t> rest) {
      run_each(op, keys, {begin, rest.data(), rest.size()}, hash_of, home_of, store, operands...);
    };
    const auto caller_of = [&](const K& key) {
      const int home = home_of(key);
      return plan == nullptr || plan->calls(home) ? home : world_.rank();
    };
    const auto keep = [self = *this, store, unfinished](std::size_t i, answer found, int rank) {
      if (outcome_of(found) == table_outcome::busy) {
        unfinished->push_back(i);
      } else {
        store(i, result_of<Op>(self.table_, rank, found));
      }
    };
    run_batch<answer, std::vector<answer>>(world_, id, many_at_home<Part, Op, P>{op}, keys,
                                           caller_of, here, keep, plan, operands...);
    for (const std::size_t i : *unfinished) {
      store(i, run(op, home_of(keys[i]), keys[i], hash_of(keys[i]), operands[i]...));
    }
  }

 private:
  /// The place of a rank's buckets if plain instructions reach them, else null.
  [[nodiscard]] std::byte* place_of(int rank) const noexcept {
    return places_ == nullptr ? nullptr : places_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] direct at(int rank, std::byte* first) const noexcept {
    return {world_, rank, first, table_.buckets - 1};
  }
  template <class Part, class Op, class... Operands>
  auto start_call(const Op& op, int rank, homes::object_id id, const K& key,
                  const Operands&... operands) const {
    using answer = answer_of<K, V, Op, Operands...>;
    detail::call_options options;
    options.reply_bytes = reply_bytes_of<answer>(1, world_.fabric().max_payload());
    return detail::start_call(world_, rank, options, at_home<Part, Op, P>{op}, id, key,
                              operands...);
  }

  world world_;
  shared_table<K, V> table_;
  std::byte* const* places_;
};

}  // namespace far::containers
