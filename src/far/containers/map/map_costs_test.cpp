// Compares the formulas of the hash table's costs with what its operations do.

#include "far/containers/map/map_costs.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "far/containers/map/bucket_table.hpp"
#include "far/containers/map/bucket_wait.hpp"
#include "far/containers/map/map_operations.hpp"
#include "far/containers/map/table_access.hpp"

namespace far::containers {
namespace {

using key_type = std::uint64_t;
using value = std::uint64_t;

/// Counts accesses to buckets of this process.
class counted_access {
 public:
  using operations = waited_operations;
  using patience = no_bucket_wait;
  using turn = no_bucket_wait;
  using value_type = value;
  static constexpr bool is_read = true;
  static constexpr bool is_changed = true;

  [[nodiscard]] static std::uint64_t mask() { return 7; }
  [[nodiscard]] static int rank() { return 3; }

  std::uint64_t load(std::uint64_t i) {
    sum_ += model::R;
    return buckets_.at(i).flag;
  }
  std::uint64_t exchange(std::uint64_t i, std::uint64_t expected, std::uint64_t desired) {
    sum_ += model::A_cas;
    const std::uint64_t seen = buckets_.at(i).flag;
    if (seen == expected) buckets_.at(i).flag = desired;
    return seen;
  }
  std::uint64_t add(std::uint64_t i, std::uint64_t change) {
    sum_ += model::A_fao;
    return std::exchange(buckets_.at(i).flag, buckets_.at(i).flag + change);
  }
  void add_late(std::uint64_t i, std::uint64_t change) { buckets_.at(i).flag += change; }
  bool key_is(std::uint64_t i, key_type wanted) {
    sum_ += model::R;
    return buckets_.at(i).item.key == wanted;
  }
  table_item<key_type, value> read(std::uint64_t i) {
    sum_ += model::R;
    return buckets_.at(i).item;
  }
  bucket<key_type, value> read_all(std::uint64_t i) {
    sum_ += model::R;
    return buckets_.at(i);
  }
  void write(std::uint64_t i, const table_item<key_type, value>& item) {
    sum_ += model::W;
    buckets_.at(i).item = item;
  }
  void write_value(std::uint64_t i, value v) {
    sum_ += model::W;
    buckets_.at(i).item.value = v;
  }
  void add_value(std::uint64_t i, value more) {
    sum_ += model::A_fao;
    buckets_.at(i).item.value += more;
  }
  static bool rest(patience&, std::uint64_t) { return false; }
  static bool rest(turn&) { return false; }

  /// Returns what was counted since the last call.
  model::formula counted() { return std::exchange(sum_, {}); }

 private:
  std::array<bucket<key_type, value>, 8> buckets_{};
  model::formula sum_;
};

constexpr auto add = [](value& v, value more) { v += more; };
using update = update_op<value, std::remove_const_t<decltype(add)>>;

/// Runs an operation on the same key each time, and returns its counted accesses.
template <class Access, class Op, class... Operands>
model::formula cost(Access& table, const Op& op, const Operands&... operands) {
  constexpr key_type key = 42;
  constexpr std::uint64_t hash = 0x123456789abcdef0;
  (void)op.template at<Access&, const key_type&, const Operands&...>(table, key, hash, operands...);
  return table.counted();
}

TEST(map_costs_test, formulas_are_what_the_operations_do) {
  namespace costs = map_costs;
  counted_access table;
  const value one = 1;
  EXPECT_EQ(cost(table, insert_op{}, one), costs::concurrent::insert);
  EXPECT_EQ(cost(table, insert_op{}, one), costs::concurrent::insert_there);
  EXPECT_EQ(cost(table, assign_op{}, one), costs::concurrent::assign);
  EXPECT_EQ(cost(table, update{{}, add}, one), costs::concurrent::update);
  EXPECT_EQ(cost(table, add_op{}, one), costs::concurrent::add);
  EXPECT_EQ(cost(table, find_op{}), costs::concurrent::find);
  EXPECT_EQ(cost(table, erase_op{}), costs::concurrent::erase);
}

TEST(map_costs_test, phases_make_them_cheaper) {
  namespace costs = map_costs;
  const value one = 1;
  unread_access<counted_access> unread;
  EXPECT_EQ(cost(unread, insert_op{}, one), costs::writing::insert);
  EXPECT_EQ(cost(unread, assign_op{}, one), costs::writing::assign);
  EXPECT_EQ(cost(unread, update{{}, add}, one), costs::writing::update);
  EXPECT_EQ(cost(unread, add_op{}, one), costs::writing::add);
  EXPECT_EQ(cost(unread, erase_op{}), costs::writing::erase);
  unchanged_access<counted_access> unchanged;
  EXPECT_EQ(cost(unchanged, find_op{}), costs::reading::find);
  (void)cost(unchanged, insert_op{}, one);
  EXPECT_EQ(cost(unchanged, find_op{}), costs::reading::find);
}

}  // namespace
}  // namespace far::containers
