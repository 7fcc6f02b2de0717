// The hash table with few keys and many ranks that want them.

#include "far/containers/hash_map.hpp"

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

class hash_map_history_test : public clients_test {};
INSTANTIATE_TEST_SUITE_P(on, hash_map_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

constexpr std::uint64_t few_keys = 3;
constexpr auto plus = [](std::uint64_t& value, std::uint64_t more) { value += more; };

entry any_operation(base::random& random) {
  return {static_cast<entry::kind>(random.below(5)), random.below(1000)};
}

/// Starts the operation; the function it returns waits for the answer.
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
      return waiter(map.update_or_insert_async(key, op.value, plus));
    case entry::kind::erase:
      return waiter(map.erase_async(key));
  }
  return {};
}

/// Random operations on few keys, `depth` of them under way at a time.
void use_map(base::random& random, const view_of_table& map, map_log& log, int process, int rounds,
             int depth) {
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::pair<map_log::token, std::function<entry_result()>>> under_way;
    for (int i = 0; i < depth; ++i) {
      const std::uint64_t key = random.below(few_keys);
      const entry op = any_operation(random);
      const auto asked = log.invoke(process, {key, op});
      under_way.emplace_back(asked, start(map, key, op));
    }
    for (const auto& [asked, wait] : under_way) log.respond(asked, wait());
  }
}

TEST_P(hash_map_history_test, is_linearizable) {
  map_log log(GetParam().count);
  run([&log, n = rounds(40, 3000)](world& w) {
    const table map(w);
    expect_linearizable(w, map_specification{}, log,
                        [&](base::random& random) { use_map(random, map, log, w.rank(), n, 1); });
  });
}

TEST_P(hash_map_history_test, asynchronous_operations_are_linearizable) {
  map_log log(GetParam().count);
  run([&log, n = rounds(15, 1000)](world& w) {
    const table map(w);
    expect_linearizable(w, map_specification{}, log,
                        [&](base::random& random) { use_map(random, map, log, w.rank(), n, 3); });
  });
}

TEST_P(hash_map_history_test, threads_of_a_rank_are_clients_like_others) {
  constexpr int threads = 2;
  options.service = true;
  map_log log(GetParam().count * threads);
  run([&log, n = rounds(20, 1000)](world& w) {
    const table map(w);
    expect_linearizable(w, map_specification{}, log, [&](base::random& random) {
      const std::uint64_t first = random();
      w.threads(threads, [&](world& view) {
        base::random own(first + static_cast<unsigned>(view.thread()));
        use_map(own, map.on(view), log, w.rank() * threads + view.thread(), n, 1);
      });
    });
  });
}

/// Each key of a batch takes place by itself, at some time during the call.
TEST_P(hash_map_history_test, each_key_of_a_batch_is_linearizable) {
  map_log log(GetParam().count);
  run([&log, n = rounds(15, 1000)](world& w) {
    const table map(w);
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
        if (what == 1) answer_all(map.update_or_insert_many(keys, values, plus));
        if (what == 2) answer_all(map.erase_many(keys));
      }
    });
  });
}

}  // namespace
}  // namespace far::linearizability
