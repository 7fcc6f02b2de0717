// The hash table in the segments with few keys, small segments and contention by many ranks.

#include "far/containers/map/bucket_table.hpp"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/hash.hpp"
#include "far/base/random.hpp"
#include "far/containers/map/table_access.hpp"
#include "far/team/team.hpp"
#include "test/linearizability/clients.hpp"
#include "test/linearizability/map.hpp"

namespace far::linearizability {
namespace {

namespace c = containers;

using map_log = history_of<map_specification>;
using entry = entry_operation;

/// A value that shows if it was torn.
template <std::size_t Words>
struct block {
  std::array<std::uint64_t, Words> words;

  explicit operator std::uint64_t() const {
    for (const std::uint64_t word : words) EXPECT_EQ(word, words[0]) << "torn";
    return words[0];
  }
  static block of(std::uint64_t value) {
    block result;
    result.words.fill(value);
    return result;
  }
};

class bucket_table_history_test : public clients_test {};
INSTANTIATE_TEST_SUITE_P(on, bucket_table_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

/// Keys share buckets: their hashes differ only in their tags, or not even there.
std::uint64_t hash_of(std::uint64_t key) { return key == 2 ? 0 : key << 30; }

template <class V>
using part_of = c::table_part<std::uint64_t, V>;

/// The result of any operation: found_value, with its two parts.
template <class V>
using answer = c::found_value<V>;

template <class V>
answer<V> only(c::table_outcome outcome) {
  return {outcome, V::of(0)};
}

template <class V>
answer<V> one_sided(const world& world, const part_of<V>& part, std::uint64_t key, entry op) {
  using access = c::waiting_access<std::uint64_t, V>;
  using ref = const std::uint64_t&;
  using operations = c::waited_operations;
  access table(world, part);
  const std::uint64_t hash = hash_of(key);
  const V value = V::of(op.value);
  switch (op.what) {
    case entry::kind::insert:
      return only<V>(operations::insert<access&, ref, const V&>(table, key, value, hash));
    case entry::kind::insert_or_assign:
      return only<V>(operations::assign<access&, ref, const V&>(table, key, value, hash));
    case entry::kind::erase:
      return only<V>(operations::erase<access&, ref>(table, key, hash));
    default:
      return operations::find<access&, ref>(table, key, hash);
  }
}

/// Starts any operation, which owns its arguments.
template <class V>
c::routine<answer<V>> started(c::started_access<std::uint64_t, V> table, std::uint64_t key,
                              entry op) {
  using access = c::started_access<std::uint64_t, V>;
  using ref = const std::uint64_t&;
  using operations = c::started_operations;
  const std::uint64_t hash = hash_of(key);
  const V value = V::of(op.value);
  switch (op.what) {
    case entry::kind::insert: {
      const c::table_outcome outcome =
          co_await operations::insert<access, ref, const V&>(table, key, value, hash);
      co_return only<V>(outcome);
    }
    case entry::kind::insert_or_assign: {
      const c::table_outcome outcome =
          co_await operations::assign<access, ref, const V&>(table, key, value, hash);
      co_return only<V>(outcome);
    }
    case entry::kind::erase: {
      const c::table_outcome outcome = co_await operations::erase<access, ref>(table, key, hash);
      co_return only<V>(outcome);
    }
    default:
      co_return co_await operations::find<access, ref>(table, key, hash);
  }
}

template <class V>
future<answer<V>> at_home(world& world, part_of<V> part, std::uint64_t key, entry op) {
  return started<V>(c::started_access<std::uint64_t, V>(world, part, c::started_for::call), key, op)
      .start(world);
}

template <class V>
entry_result perform_on_table(const world& world, const part_of<V>& part, std::uint64_t key,
                              const entry& op, bool calls) {
  answer<V> result = only<V>(c::table_outcome::busy);
  if (calls) result = rpc<at_home<V>>(world, part.first.rank(), part, key, op).get();
  if (result.outcome == c::table_outcome::busy) result = one_sided<V>(world, part, key, op);
  const bool there = result.outcome == c::table_outcome::there;
  if (op.what == entry::kind::find) {
    return there ? entry_result::found(static_cast<std::uint64_t>(result.value)) : entry_result{};
  }
  const bool takes = op.what == entry::kind::erase;
  return entry_result::of(takes ? there : result.outcome == c::table_outcome::added);
}

template <class V>
void use_table(const world& w, map_log& log, int rounds, bool calls = false) {
  constexpr std::uint64_t buckets = 4;
  constexpr std::uint64_t keys = 3;
  const auto first = allocate<c::bucket<std::uint64_t, V>>(w, buckets);
  const part_of<V> part{first.on(0), buckets};
  expect_linearizable(w, map_specification{}, log, [&](base::random& random) {
    constexpr entry::kind kinds[] = {entry::kind::find, entry::kind::insert,
                                     entry::kind::insert_or_assign, entry::kind::erase};
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t key = random.below(keys);
      const entry op{kinds[random.below(4)], random.below(1000)};
      const auto asked = log.invoke(w.rank(), {key, op});
      log.respond(asked, perform_on_table(w, part, key, op, calls && random.below(2) == 0));
    }
  });
  quiesce(w);  // for late accesses of the lanes
  if (w.rank() == 0) {
    namespace flag = c::bucket_flag;
    for (const auto& one : local_span(w, first, buckets)) {
      EXPECT_FALSE(flag::is_locked(one.flag));
      EXPECT_FALSE(flag::is_wanted(one.flag));
      EXPECT_EQ(flag::readers_of(one.flag), 0u);
    }
  }
  deallocate(w, first);
}

TEST_P(bucket_table_history_test, words_are_linearizable) {
  map_log log(GetParam().count);
  run([&log, n = rounds(20, 3000)](world& w) { use_table<block<1>>(w, log, n); });
}

TEST_P(bucket_table_history_test, large_values_are_linearizable) {
  map_log log(GetParam().count);
  run([&log, n = rounds(20, 3000)](world& w) { use_table<block<40>>(w, log, n); });
}

TEST_P(bucket_table_history_test, one_sided_and_calls_mix) {
  map_log log(GetParam().count);
  run([&log, n = rounds(15, 1000)](world& w) { use_table<block<4>>(w, log, n, true); });
}

}  // namespace
}  // namespace far::linearizability
