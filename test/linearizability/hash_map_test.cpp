// The hash table with few keys, and contention by many ranks.

#include "far/containers/map/hash_map.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "test/linearizability/clients.hpp"
#include "test/linearizability/map.hpp"

namespace far::linearizability {
namespace {

using map_log = history_of<map_specification>;
using entry = entry_operation;
using table = hash_map<std::uint64_t, std::uint64_t>;
using view_of_table = table::view_type;

/// The kinds of a map, and the policies for using it.
enum class form : std::uint8_t { grows, one_sided, calls, both_ways };

class hash_map_history_test : public clients_test {
 protected:
  void check_one_at_a_time(form kind, int of_fibers, int of_threads);
  void check_asynchronous(form kind, int of_fibers, int of_threads);
  void check_batches(form kind, int of_fibers, int of_threads);
};
INSTANTIATE_TEST_SUITE_P(on, hash_map_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

constexpr std::uint64_t few_keys = 3;
constexpr auto plus = [](std::uint64_t& value, std::uint64_t more) { value += more; };

entry any_operation(base::random& random) {
  return {static_cast<entry::kind>(random.below(6)), random.below(1000)};
}

entry_result perform(const view_of_table& map, std::uint64_t key, const entry& op) {
  switch (op.what) {
    case entry::kind::find:
      return entry_result::of(map.find(key));
    case entry::kind::insert:
      return entry_result::of(map.insert(key, op.value));
    case entry::kind::insert_or_assign:
      return entry_result::of(map.insert_or_assign(key, op.value));
    case entry::kind::add_or_insert:
      if (op.value % 2 == 0) return entry_result::of(map.update_or_insert(key, op.value, plus));
      return entry_result::of(map.add_or_insert(key, op.value));
    case entry::kind::erase:
      return entry_result::of(map.erase(key));
    case entry::kind::contains:
      return entry_result::of(map.contains(key));
  }
  return {};
}

/// Starts the operation; the returned function waits for the result.
std::function<entry_result()> start(const view_of_table& map, std::uint64_t key, const entry& op) {
  const auto waiter = [](auto started) {
    auto shared = std::make_shared<decltype(started)>(std::move(started));
    return [shared] { return entry_result::of(shared->get()); };
  };
  switch (op.what) {
    case entry::kind::find:
      return waiter(map.find_async(key));
    case entry::kind::insert:
      return waiter(map.insert_async(key, op.value));
    case entry::kind::insert_or_assign:
      return waiter(map.insert_or_assign_async(key, op.value));
    case entry::kind::add_or_insert:
      if (op.value % 2 == 0) return waiter(map.update_or_insert_async(key, op.value, plus));
      return waiter(map.add_or_insert_async(key, op.value));
    case entry::kind::erase:
      return waiter(map.erase_async(key));
    case entry::kind::contains:
      return waiter(map.contains_async(key));
  }
  return {};
}

std::unique_ptr<table> make(const world& world, form kind) {
  if (kind == form::grows) return std::make_unique<table>(world);
  const policy how = kind == form::calls ? policy::rpc : policy::one_sided;
  return std::make_unique<table>(world, few_keys, how);
}

/// The view to use for an operation.
view_of_table view_for(base::random& random, const view_of_table& map, form kind) {
  if (kind != form::both_ways) return map;
  constexpr policy all[] = {policy::one_sided, policy::rpc, policy::automatic};
  return map.with(all[random.below(std::size(all))]);
}

/// Random operations on few keys, `depth` of them in flight at a time; with 1, each is awaited.
void use_map(base::random& random, const view_of_table& map, form kind, map_log& log, int process,
             int rounds, int depth) {
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::pair<map_log::token, std::function<entry_result()>>> in_flight;
    for (int i = 0; i < depth; ++i) {
      const std::uint64_t key = random.below(few_keys);
      const entry op = any_operation(random);
      const view_of_table view = view_for(random, map, kind);
      const auto asked = log.invoke(process, {key, op});
      if (depth == 1) {
        log.respond(asked, perform(view, key, op));
      } else {
        in_flight.emplace_back(asked, start(view, key, op));
      }
    }
    for (const auto& [asked, wait] : in_flight) log.respond(asked, wait());
  }
}

void hash_map_history_test::check_one_at_a_time(form kind, int of_fibers, int of_threads) {
  map_log log(GetParam().count);
  run([&log, kind, n = rounds(of_fibers, of_threads)](world& w) {
    const auto map = make(w, kind);
    expect_linearizable(w, map_specification{}, log, [&](base::random& random) {
      use_map(random, *map, kind, log, w.rank(), n, 1);
    });
  });
}

TEST_P(hash_map_history_test, is_linearizable) { check_one_at_a_time(form::grows, 40, 3000); }
TEST_P(hash_map_history_test, one_sided_is_linearizable) {
  check_one_at_a_time(form::one_sided, 20, 3000);
}
TEST_P(hash_map_history_test, calls_to_the_segments_are_linearizable) {
  check_one_at_a_time(form::calls, 15, 1000);
}
TEST_P(hash_map_history_test, both_ways_at_once_are_linearizable) {
  check_one_at_a_time(form::both_ways, 15, 1000);
}

void hash_map_history_test::check_asynchronous(form kind, int of_fibers, int of_threads) {
  if (kind != form::grows) allowed = test::run_size::any;  // waiting means polling
  map_log log(GetParam().count);
  run([&log, kind, n = rounds(of_fibers, of_threads)](world& w) {
    const auto map = make(w, kind);
    expect_linearizable(w, map_specification{}, log, [&](base::random& random) {
      use_map(random, *map, kind, log, w.rank(), n, 3);
    });
  });
}

TEST_P(hash_map_history_test, asynchronous_operations_are_linearizable) {
  check_asynchronous(form::grows, 15, 1000);
}
TEST_P(hash_map_history_test, asynchronous_one_sided_operations_are_linearizable) {
  check_asynchronous(form::one_sided, 3, 1000);
}
TEST_P(hash_map_history_test, asynchronous_operations_of_both_ways_are_linearizable) {
  check_asynchronous(form::both_ways, 3, 500);
}

TEST_P(hash_map_history_test, threads_of_a_rank_are_clients_like_others) {
  constexpr int threads = 2;
  options.service = true;
  map_log log(GetParam().count * threads);
  run([&log, n = rounds(20, 1000)](world& w) {
    const table map(w);
    expect_linearizable(w, map_specification{}, log, [&](base::random& random) {
      const std::uint64_t first = random();
      w.threads(threads, [&](world& world) {
        base::random own(first + static_cast<unsigned>(world.thread()));
        use_map(own, map.on(world), form::grows, log, w.rank() * threads + world.thread(), n, 1);
      });
    });
  });
}

/// Each key of a batch takes effect separately, at some time during the call.
void hash_map_history_test::check_batches(form kind, int of_fibers, int of_threads) {
  if (kind != form::grows) allowed = test::run_size::any;  // waiting means polling
  map_log log(GetParam().count);
  run([&log, kind, n = rounds(of_fibers, of_threads)](world& w) {
    const auto made = make(w, kind);
    const view_of_table& map = *made;
    expect_linearizable(w, map_specification{}, log, [&](base::random& random) {
      const std::vector<std::uint64_t> keys{0, 1, 2};
      for (int round = 0; round < n; ++round) {
        const std::vector<std::uint64_t> values{random.below(99), random.below(99),
                                                random.below(99)};
        const std::uint64_t what = random.below(3);
        std::vector<map_log::token> asked;
        for (std::size_t i = 0; i < keys.size(); ++i) {
          const entry ops[] = {entry::find(), entry::add_or_insert(values[i]), entry::erase()};
          asked.push_back(log.invoke(w.rank(), {keys[i], ops[what]}));
        }
        const auto answer_all = [&](const auto& answers) {
          for (std::size_t i = 0; i < keys.size(); ++i) {
            log.respond(asked[i], entry_result::of(answers[i]));
          }
        };
        if (what == 0) answer_all(map.find_many(keys));
        if (what == 1 && values[0] % 2 == 0) {
          answer_all(map.update_or_insert_many(keys, values, plus));
        } else if (what == 1) {
          answer_all(map.add_or_insert_many(keys, values));
        }
        if (what == 2) answer_all(map.erase_many(keys));
      }
    });
  });
}

TEST_P(hash_map_history_test, each_key_of_a_batch_is_linearizable) {
  check_batches(form::grows, 15, 1000);
}
TEST_P(hash_map_history_test, each_key_of_a_one_sided_batch_is_linearizable) {
  check_batches(form::one_sided, 6, 1000);
}
TEST_P(hash_map_history_test, each_key_of_a_batch_to_the_segments_is_linearizable) {
  check_batches(form::calls, 8, 1000);
}

}  // namespace
}  // namespace far::linearizability
