#pragma once
// Dispatches the operations of a hash_map. On a private part they run by a call, or directly if the
// part is this rank's. On buckets that plain instructions reach they are inlined into the program.
// Otherwise the policy decides.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/containers/map/batch.hpp"
#include "far/containers/map/direct_access.hpp"
#include "far/containers/map/map_batch.hpp"
#include "far/containers/map/map_choices.hpp"
#include "far/containers/map/map_operations.hpp"
#include "far/containers/map/map_part.hpp"
#include "far/containers/map/table_user.hpp"
#include "far/containers/policy.hpp"
#include "far/rma/future.hpp"
#include "far/rma/promise.hpp"
#include "far/rpc/call.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Used by one thread.
template <class K, class V, class Hash, phase_kind P>
class map_ways {
 protected:
  using part_type = map_part<K, V, Hash>;

  map_ways(const world& world, part_type& part, homes::object_id id, policy how) noexcept
      : world_(world), part_(&part), id_(id), ranks_(world.size()), how_(how) {
    find_places();
  }
  /// Sets where run() looks first. Called once the table exists.
  void find_places() noexcept {
    if constexpr (part_type::may_be_shared) {
      if (how_ != policy::rpc) places_ = part_->places.get();
      mask_ = part_->shared.buckets - 1;
    }
  }

  using direct = access_while<direct_access<K, V>, P>;
  template <class R>
  using results = std::conditional_t<std::is_same_v<R, bool>, std::vector<bool>, std::vector<R>>;

  [[nodiscard]] static std::uint64_t hash_of(const K& key) noexcept {
    return placing_hash<Hash>(key);
  }
  [[nodiscard]] int owner_of(std::uint64_t hash) const noexcept {
    // By the high bits: the upper half of the product is uniform in [0, size).
    __extension__ using wide = unsigned __int128;
    return static_cast<int>((static_cast<wide>(hash) * static_cast<unsigned>(ranks_)) >> 64);
  }
  [[nodiscard]] auto user() const noexcept {
    return table_user<K, V, P>(world_, part_->shared, part_->places.get());
  }
  [[nodiscard]] bool is_one_sided(int owner) const noexcept {
    return how_ == policy::one_sided || owner == world_.rank();
  }
  [[nodiscard]] bool is_choice(int owner) const noexcept {
    return part_->choices != nullptr && part_->choices->concerns(owner);
  }
  void check_phase() const {
    if constexpr (base::debug_checks) part_->phase.check(P, world_.rank(), "hash_map");
  }

  // The fast path, to buckets that plain instructions reach, is inlined. The slow path is not.
  template <class Op, class... Operands>
  [[gnu::always_inline]] inline auto run(const Op& op, const K& key,
                                         const Operands&... operands) const {
    if constexpr (part_type::may_be_shared) {
      if (places_ != nullptr) [[likely]] {
        const std::uint64_t hash = hash_of(key);
        const int rank = owner_of(hash);
        if (std::byte* const first = places_[static_cast<unsigned>(rank)]) [[likely]] {
          check_phase();
          return run_waited(direct(world_, rank, first, mask_), part_->shared, op, rank, key, hash,
                            operands...);
        }
      }
    }
    return in_parts(run_slow<Op, by_value<K>, by_value<Operands>...>(op, key, operands...));
  }
  // Takes the slow path's result apart. Otherwise it would be copied through memory as a whole, and
  // so would the fast path's result, which goes to the same variable.
  template <class R>
  [[gnu::always_inline]] static inline R in_parts(const R& whole) {
    return whole;
  }
  [[gnu::always_inline]] static inline std::optional<V> in_parts(const std::optional<V>& whole) {
    if (!whole) return std::nullopt;
    return *whole;
  }
  // Passes small arguments by value, so that the caller's variables stay in registers.
  template <class T>
  using by_value =
      std::conditional_t<std::is_trivially_copyable_v<T> && sizeof(T) <= 16, const T, const T&>;
  template <class Op, class Key, class... Operands>
  [[gnu::noinline]] auto run_slow(const Op& op, Key key, Operands... operands) const {
    if constexpr (part_type::may_be_shared) {
      if (part_->is_shared()) {
        check_phase();
        const std::uint64_t hash = hash_of(key);
        const int rank = owner_of(hash);
        const auto here = [&] { return user().run(op, rank, key, hash, operands...); };
        const auto there = [&] {
          return user().template call<part_type>(op, rank, id_, key, hash, operands...);
        };
        if (is_one_sided(rank)) return here();
        if (how_ == policy::rpc) return there();
        if (!is_choice(rank)) return here();
        const auto begun = part_->choices->begin(world_, rank, Op::kind, P);
        auto result = begun.by_call() ? there() : here();
        part_->choices->end(world_, begun);
        return result;
      }
    }
    return start(op, key, operands...).get();
  }

  template <class Op, class... Operands>
  auto start(Op op, const K& key, const Operands&... operands) const {
    check_phase();
    const std::uint64_t hash = hash_of(key);
    const int rank = owner_of(hash);
    if constexpr (part_type::may_be_shared) {
      if (part_->is_shared()) return start_shared(op, rank, key, hash, operands...);
    }
    using result = decltype(apply_one(*part_, op, key, hash, operands...));
    if (rank == world_.rank()) {
      try {
        return future<result>(std::in_place, world_.context(),
                              apply_one(*part_, op, key, hash, operands...));
      } catch (...) {
        return failed_future<result>(world_, std::current_exception());
      }
    }
    part_->work.charge(world_.context(), 1);
    detail::call_options options;
    options.reply_bytes = reply_bytes_of<result>(1, world_.fabric().max_payload());
    return detail::start_call(world_, rank, options, remote_one<part_type, Op>{op}, id_, key,
                              operands...);
  }

  template <class Op, class... Operands>
  auto start_shared(const Op& op, int rank, const K& key, std::uint64_t hash,
                    const Operands&... operands) const {
    const auto here = [&] { return user().start(op, rank, key, hash, operands...); };
    const auto there = [&] {
      return user().template call_async<part_type>(op, rank, id_, key, hash, operands...);
    };
    if (is_one_sided(rank)) return here();
    if (how_ == policy::rpc) return there();
    if (!is_choice(rank)) return here();
    const auto begun = part_->choices->begin_async(world_, rank, Op::kind, P);
    auto started = begun.by_call() ? there() : here();
    return std::move(started).then([view = world_, choices = part_->choices, begun](auto result) {
      choices->end(view, begun);
      return result;
    });
  }

  template <class R, class Op, class... Operands>
  results<R> run_many(Op op, std::span<const K> keys, std::span<const Operands>... operands) const {
    check_phase();
    part_->work.charge(world_.context(), keys.size());
    const auto home_of = [this](const K& key) { return owner_of(hash_of(key)); };
    // Shared with the continuations, which may outlive an exception here.
    const auto all = std::make_shared<results<R>>(keys.size());
    if constexpr (part_type::may_be_shared) {
      if (part_->is_shared()) {
        (check_lengths(keys.size(), operands.size()), ...);
        const auto store = [all](std::size_t i, R result) { (*all)[i] = std::move(result); };
        const auto here = [&] {
          user().run_each(op, keys, {0, nullptr, keys.size()}, hash_of, home_of, store,
                          operands...);
        };
        const auto there = [&](const std::shared_ptr<planned_batch>& plan) {
          user().template call_many<part_type>(op, id_, keys, hash_of, home_of, store, plan,
                                               operands...);
        };
        if (how_ == policy::rpc) {
          there(nullptr);
        } else if (how_ == policy::one_sided || part_->choices == nullptr) {
          here();
        } else {
          std::vector<std::uint32_t> of_ranks(static_cast<std::size_t>(world_.size()));
          for (const K& key : keys) ++of_ranks[static_cast<std::size_t>(home_of(key))];
          // Shared with the continuations, too.
          const auto batch = part_->choices->begin_batch(world_, std::move(of_ranks), Op::kind, P);
          if (batch->calls_any()) {
            there(batch);
          } else {
            here();
          }
          part_->choices->end_batch(world_, *batch);
        }
        return std::move(*all);
      }
    }
    run_batch<R, results<R>>(
        world_, id_, remote_many<part_type, Op>{op}, keys, home_of,
        [&](std::size_t begin, std::span<const std::uint32_t> mine) {
          apply_many(
              *part_, op, mine.size(),
              [&](std::size_t i) -> const K& { return keys[begin + mine[i]]; },
              [&](std::size_t i, R result) { (*all)[begin + mine[i]] = std::move(result); },
              [&](std::size_t i) -> const Operands& { return operands[begin + mine[i]]; }...);
        },
        [all](std::size_t i, R result, int) { (*all)[i] = std::move(result); }, nullptr,
        operands...);
    return std::move(*all);
  }

  world world_;
  part_type* part_;
  homes::object_id id_;
  int ranks_;
  std::byte* const* places_ = nullptr;  // map_part::places; null for policy::rpc
  std::uint64_t mask_ = 0;              // the buckets of a rank, minus 1
  policy how_;
};

}  // namespace far::containers
