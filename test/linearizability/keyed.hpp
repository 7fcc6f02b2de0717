#pragma once
// Many objects of one kind, each with a key: the words of an array, the entries of a map. Objects
// do not affect each other, so their histories are checked separately. That is sufficient: a
// history is linearizable if and only if that of each object is (Herlihy and Wing, TOPLAS 1990, the
// theorem of locality). Small searches replace one huge one.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "far/base/hash.hpp"
#include "test/linearizability/specification.hpp"

namespace far::linearizability {

template <class Key, class Operation>
struct keyed_operation {
  Key key{};
  Operation operation{};
};

template <specification Each, class Key = std::uint64_t>
struct keyed {
  using each_specification = Each;
  using key_type = Key;
  using state = std::map<Key, typename Each::state>;  // without those still in their initial state
  using operation = keyed_operation<Key, typename Each::operation>;
  using result = typename Each::result;

  Each each{};

  [[nodiscard]] state initial() const { return {}; }

  [[nodiscard]] std::uint64_t hash(const state& all) const {
    std::uint64_t h = all.size();
    for (const auto& [key, one] : all) {
      h = base::hash_combine(base::hash_combine(h, far::hash<Key>{}(key)), each.hash(one));
    }
    return h;
  }

  std::optional<result> apply(state& all, const operation& op) const {
    return at(all, op.key, [&](auto& one) { return each.apply(one, op.operation); });
  }
  bool accepts(state& all, const operation& op, const std::optional<result>& seen) const {
    return at(all, op.key, [&](auto& one) { return takes_place(each, one, op.operation, seen); });
  }

  [[nodiscard]] bool is_neutral(const operation& op, const result& seen) const {
    return linearizability::is_neutral(each, op.operation, std::optional<result>(seen));
  }

  [[nodiscard]] std::string text(const operation& op, const std::optional<result>& seen) const {
    return fmt::format("{}: {}", op.key, each.text(op.operation, seen));
  }
  [[nodiscard]] std::string text(const state& all) const {
    std::string line = "{";
    for (const auto& [key, one] : all) {
      line += fmt::format("{}{}: {}", line.size() > 1 ? ", " : "", key, each.text(one));
    }
    return line + "}";
  }

 private:
  template <class F>
  auto at(state& all, const Key& key, const F& use) const {
    const auto place = all.try_emplace(key, each.initial()).first;
    auto answer = use(place->second);
    if (place->second == each.initial()) all.erase(place);
    return answer;
  }
};

template <class S>
inline constexpr bool is_keyed = false;
template <class Each, class Key>
inline constexpr bool is_keyed<keyed<Each, Key>> = true;

}  // namespace far::linearizability
