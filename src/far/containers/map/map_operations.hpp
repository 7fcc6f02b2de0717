#pragma once
// The operations on a key of a hash_map. Each operation has two forms:
//
//   apply(table, key, hash, operands...)    on a rank's private table (local_table.hpp), which the
//                                           caller has locked
//   at<Access, K, Operands...>(part, ...)   on the buckets of a rank (bucket_table.hpp), over any
//                                           accesses. The operation keeps a K and Operands: these
//                                           are references if the caller outlives the operation
//
// `result` converts what the second form returns into the result of the operation.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "far/containers/map/bucket_table.hpp"
#include "far/containers/map/shared_table.hpp"
#include "far/containers/routine.hpp"

namespace far::containers {

/// The costs of an operation depend on this.
enum class map_operation : std::uint8_t { insert, assign, update, add, erase, find };
inline constexpr std::size_t map_operations = 6;

template <class Access>
using operations_of = typename access_of<Access>::operations;

[[nodiscard]] constexpr table_outcome outcome_of(table_outcome answer) noexcept { return answer; }
template <class V>
[[nodiscard]] constexpr table_outcome outcome_of(const found_value<V>& answer) noexcept {
  return answer.outcome;
}

struct insert_op {
  static constexpr map_operation kind = map_operation::insert;

  template <class Table, class K, class V>
  bool apply(Table& table, K&& key, std::uint64_t hash, V&& value) const {
    return table
        .find_or_insert(std::forward<K>(key), hash, [&]() -> V&& { return std::forward<V>(value); })
        .second;
  }
  template <class Access, class K, class V>
  [[gnu::always_inline]] static auto at(Access part, K key, std::uint64_t hash, V value) {
    return operations_of<Access>::template insert<Access, K, V>(part, key, value, hash);
  }
  static bool result(table_outcome outcome) noexcept { return outcome == table_outcome::added; }
};

struct assign_op {
  static constexpr map_operation kind = map_operation::assign;

  template <class Table, class K, class V>
  bool apply(Table& table, K&& key, std::uint64_t hash, V&& value) const {
    const auto [at, fresh] = table.find_or_insert(std::forward<K>(key), hash,
                                                  [&]() -> V&& { return std::forward<V>(value); });
    if (!fresh) *at = std::forward<V>(value);
    return fresh;
  }
  template <class Access, class K, class V>
  [[gnu::always_inline]] static auto at(Access part, K key, std::uint64_t hash, V value) {
    return operations_of<Access>::template assign<Access, K, V>(part, key, value, hash);
  }
  static bool result(table_outcome outcome) noexcept { return outcome == table_outcome::added; }
};

template <class Access, class K>
[[gnu::always_inline]] inline auto look_for(Access part, K key, std::uint64_t hash) {
  if constexpr (access_of<Access>::is_changed) {
    return operations_of<Access>::template find<Access, K>(part, key, hash);
  } else {
    return operations_of<Access>::template find_unchanged<Access, K>(part, key, hash);
  }
}

struct find_op {
  static constexpr map_operation kind = map_operation::find;

  template <class Table, class K>
  auto apply(Table& table, const K& key, std::uint64_t hash) const {
    const auto* at = table.find(key, hash);
    using value = std::remove_cvref_t<decltype(*at)>;
    return at == nullptr ? std::optional<value>() : std::optional<value>(*at);
  }
  template <class Access, class K>
  [[gnu::always_inline]] static auto at(Access part, K key, std::uint64_t hash) {
    return look_for<Access, K>(part, key, hash);
  }
  template <class V>
  static std::optional<V> result(const found_value<V>& found) {
    if (found.outcome != table_outcome::there) return std::nullopt;
    return found.value;
  }
};

struct contains_op {
  static constexpr map_operation kind = map_operation::find;

  template <class Table, class K>
  bool apply(Table& table, const K& key, std::uint64_t hash) const {
    return table.find(key, hash) != nullptr;
  }
  template <class Access, class K>
  [[gnu::always_inline]] static auto at(Access part, K key, std::uint64_t hash) {
    return look_for<Access, K>(part, key, hash);
  }
  template <class V>
  static bool result(const found_value<V>& found) noexcept {
    return found.outcome == table_outcome::there;
  }
};

struct erase_op {
  static constexpr map_operation kind = map_operation::erase;

  template <class Table, class K>
  bool apply(Table& table, const K& key, std::uint64_t hash) const {
    return table.erase(key, hash);
  }
  template <class Access, class K>
  [[gnu::always_inline]] static auto at(Access part, K key, std::uint64_t hash) {
    return operations_of<Access>::template erase<Access, K>(part, key, hash);
  }
  static bool result(table_outcome outcome) noexcept { return outcome == table_outcome::there; }
};

/// Changes a value by function(value, operand). The value of a new key is the operand if that
/// converts to V, else a V{} to which the function is applied.
template <class V, class F, class Operand>
struct value_change {
  [[no_unique_address]] F function;
  Operand operand;

  V first() {
    if constexpr (std::is_convertible_v<Operand, V>) {
      return static_cast<V>(std::forward<Operand>(operand));
    } else {
      V value{};
      function(value, std::forward<Operand>(operand));
      return value;
    }
  }
  void change(V& value) { function(value, std::forward<Operand>(operand)); }
};

/// The same, with a given value for a new key.
template <class V, class F, class First, class Operand>
struct value_change_from {
  [[no_unique_address]] F function;
  First first_value;
  Operand operand;

  V first() { return std::forward<First>(first_value); }
  void change(V& value) { function(value, std::forward<Operand>(operand)); }
};

/// Common to all operations that change a value or add one.
struct update_results {
  static constexpr map_operation kind = map_operation::update;

  static bool result(table_outcome outcome) noexcept { return outcome == table_outcome::added; }

 protected:
  /// True if the key is new.
  template <class Table, class K, class Change>
  static bool change_in(Table& table, K&& key, std::uint64_t hash, Change change) {
    const auto [at, fresh] =
        table.find_or_insert(std::forward<K>(key), hash, [&] { return change.first(); });
    if (!fresh) change.change(*at);
    return fresh;
  }
};

template <class V, class F>
struct update_op : update_results {
  [[no_unique_address]] F function;

  template <class Table, class K, class Operand>
  bool apply(Table& table, K&& key, std::uint64_t hash, Operand&& operand) {
    return change_in(table, std::forward<K>(key), hash,
                     value_change<V, F&, Operand&&>{function, std::forward<Operand>(operand)});
  }
  template <class Access, class K, class Operand>
  [[gnu::always_inline]] auto at(Access part, K key, std::uint64_t hash, Operand operand) const {
    using change = value_change<V, F, Operand>;
    return operations_of<Access>::template update<Access, K, change>(
        part, key, hash, change{function, std::forward<Operand>(operand)});
  }
};

/// update_op with a given value for a new key.
template <class V, class F>
struct update_from_op : update_results {
  [[no_unique_address]] F function;

  template <class Table, class K, class Operand>
  bool apply(Table& table, K&& key, std::uint64_t hash, V first, Operand&& operand) {
    return change_in(table, std::forward<K>(key), hash,
                     value_change_from<V, F&, V, Operand&&>{function, std::move(first),
                                                            std::forward<Operand>(operand)});
  }
  template <class Access, class K, class First, class Operand>
  [[gnu::always_inline]] auto at(Access part, K key, std::uint64_t hash, First first,
                                 Operand operand) const {
    using change = value_change_from<V, F, First, Operand>;
    return operations_of<Access>::template update<Access, K, change>(
        part, key, hash,
        change{function, std::forward<First>(first), std::forward<Operand>(operand)});
  }
};

/// update_op with one operand for all keys, which is sent with the function.
template <class V, class F, class Operand>
struct update_same_op : update_results {
  [[no_unique_address]] F function;
  Operand operand;

  template <class Table, class K>
  bool apply(Table& table, K&& key, std::uint64_t hash) {
    return change_in(table, std::forward<K>(key), hash,
                     value_change<V, F&, const Operand&>{function, operand});
  }
  template <class Access, class K>
  [[gnu::always_inline]] auto at(Access part, K key, std::uint64_t hash) const {
    using change = value_change<V, F, Operand>;
    return operations_of<Access>::template update<Access, K, change>(part, key, hash,
                                                                     change{function, operand});
  }
};

struct add_op : update_results {
  static constexpr map_operation kind = map_operation::add;

  template <class Table, class K, class V>
  bool apply(Table& table, K&& key, std::uint64_t hash, V&& more) const {
    return change_in(table, std::forward<K>(key), hash,
                     addition<std::remove_cvref_t<V>>{std::forward<V>(more)});
  }
  template <class Access, class K, class V>
  [[gnu::always_inline]] static auto at(Access part, K key, std::uint64_t hash, V more) {
    return operations_of<Access>::template add<Access, K, V>(part, key, more, hash);
  }
};

/// add_op with the same value for all keys.
template <class V>
struct add_same_op : update_results {
  static constexpr map_operation kind = map_operation::add;

  V more;

  template <class Table, class K>
  bool apply(Table& table, K&& key, std::uint64_t hash) const {
    return add_op{}.apply(table, std::forward<K>(key), hash, V(more));
  }
  template <class Access, class K>
  [[gnu::always_inline]] auto at(Access part, K key, std::uint64_t hash) const {
    return add_op::at<Access, K, V>(part, key, hash, more);
  }
};

/// Converts an answer at a rank to the operation's result. Errors: out_of_memory if that has no
/// bucket left.
template <class Op, class K, class V, class Answer>
[[gnu::always_inline]] inline auto result_of(const shared_table<K, V>& table, int rank,
                                             const Answer& answer) {
  if (outcome_of(answer) == table_outcome::full) [[unlikely]] {
    throw_full(rank, table.buckets, table.capacity);
  }
  return Op::result(answer);
}
/// Runs an operation over accesses to a rank's part that are complete when they return.
template <class Op, class Access, class K, class V, class... Operands>
[[gnu::always_inline]] inline auto run_waited(const Access& part, const shared_table<K, V>& table,
                                              const Op& op, int rank, const K& key,
                                              std::uint64_t hash, const Operands&... operands) {
  return result_of<Op>(
      table, rank,
      op.template at<const Access&, const K&, const Operands&...>(part, key, hash, operands...));
}

}  // namespace far::containers
