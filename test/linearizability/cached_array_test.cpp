// Elements of far::cached_array under contention, and their locks: the histories are linearizable,
// whatever chunks share and however small the cache is.

#include "far/array/cached_array.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "far/rpc/rpc.hpp"
#include "far/team/team.hpp"
#include "test/linearizability/clients.hpp"
#include "test/linearizability/keyed.hpp"
#include "test/linearizability/lock.hpp"
#include "test/linearizability/lock_clients.hpp"

namespace far::linearizability {
namespace {

struct element_operation {
  enum class kind { read, write, add };
  kind what = kind::read;
  std::uint64_t operand = 0;
};

/// A register that can also be added to. Writes and additions return nothing.
struct element_specification {
  using state = std::uint64_t;
  using operation = element_operation;
  using result = std::uint64_t;  // the value that was read, or 0

  [[nodiscard]] state initial() const { return 0; }
  [[nodiscard]] std::uint64_t hash(state value) const { return base::mix(value); }
  std::optional<result> apply(state& value, const operation& op) const {
    if (op.what == operation::kind::read) return value;
    value = op.what == operation::kind::write ? op.operand : value + op.operand;
    return 0;
  }
  [[nodiscard]] bool is_neutral(const operation& op, result) const {
    return op.what == operation::kind::read;
  }
  [[nodiscard]] std::string text(const operation& op, const std::optional<result>& seen) const {
    constexpr const char* names[] = {"read", "write", "add"};
    return fmt::format("{}({}) -> {}", names[static_cast<int>(op.what)], op.operand,
                       seen ? fmt::format("{}", *seen) : "?");
  }
  [[nodiscard]] std::string text(state value) const { return fmt::format("{}", value); }
};

using elements = keyed<element_specification>;
using log_of_elements = history_of<elements>;

class cached_array_history_test : public clients_test {};
INSTANTIATE_TEST_SUITE_P(on, cached_array_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

using element_array = cached_array<std::uint64_t>;

/// The array that functions of other ranks access.
struct called_array {
  explicit called_array(rank_state&) {}
  const element_array* array = nullptr;
};
/// Nothing if it would have to wait.
std::optional<std::uint64_t> read_there(world& w, std::uint64_t key) {
  try {
    return w.state().get<called_array>().array->on(w).get(key);
  } catch (const bad_argument&) {
    return std::nullopt;
  }
}
bool write_there(world& w, std::uint64_t key, std::uint64_t value) {
  try {
    w.state().get<called_array>().array->on(w).put(key, value);
    return true;
  } catch (const bad_argument&) {
    return false;
  }
}

/// Here, or in a function of another rank.
std::uint64_t read(const element_array& array, std::uint64_t key, int round, int other) {
  if (round % 4 == 2) {
    if (const auto there = rpc<read_there>(array.world(), other, key).get()) return *there;
  }
  return array.get(key);
}
void write(const element_array& array, std::uint64_t key, std::uint64_t value, int round,
           int other) {
  if (round % 4 == 2 && rpc<write_there>(array.world(), other, key, value).get()) return;
  array.put(key, value);
}

/// Random operations on three elements, of which two share a chunk of two elements.
void use_elements(const world& w, log_of_elements& log, int rounds, caching how) {
  const element_array array(
      w, 4, {.chunk = 2, .begins = {}, .cache_bytes = 1, .force_protocol = true, .how = how});
  w.state().get<called_array>().array = &array;
  barrier(w);
  expect_linearizable(w, elements{}, log, [&](base::random& random) {
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t key = random.below(3);
      element_operation op{static_cast<element_operation::kind>(random.below(3)), 0};
      op.operand = static_cast<std::uint64_t>(w.rank() + 1) << 32 | static_cast<unsigned>(round);
      const auto started = log.invoke(w.rank(), {key, op});
      const auto other = static_cast<int>(random.below(static_cast<unsigned>(w.size())));
      std::uint64_t seen = 0;
      switch (op.what) {
        case element_operation::kind::read:
          seen = read(array, key, round, other);
          break;
        case element_operation::kind::write:
          write(array, key, op.operand, round, other);
          break;
        case element_operation::kind::add:
          array.apply(key, op.operand, std::plus<>());
          break;
      }
      log.respond(started, seen);
    }
  });
}

TEST_P(cached_array_history_test, is_linearizable) {
  log_of_elements log(GetParam().count);
  run([&log, n = rounds(15, 2000)](world& w) { use_elements(w, log, n, caching::always); });
}

// Some ranks have copies while others access the home's memory, so rights of all kinds meet.
TEST_P(cached_array_history_test, is_linearizable_past_the_cache) {
  log_of_elements log(GetParam().count);
  run([&log, n = rounds(15, 2000)](world& w) {
    use_elements(w, log, n, static_cast<caching>((w.rank() + w.size()) % 3));
  });
}

// A try may fail because of an unlock that is on its way to the home.
TEST_P(cached_array_history_test, locks_of_elements_are_linearizable) {
  lock_log log(GetParam().count);
  run([&log, n = rounds(12, 1000)](world& w) {
    const element_array array(w, 2, {.chunk = 1, .begins = {}, .force_protocol = true});
    const element_mutex lock = array.lock_of(1);
    expect_linearizable(w, lenient, log,
                        [&](base::random& random) { use_rw_lock(w, lock, random, log, n); });
  });
}

}  // namespace
}  // namespace far::linearizability
