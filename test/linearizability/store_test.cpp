// The store with few keys, and many ranks that read and change them: by instructions, by calls, and
// with copies of every item that is read.

#include "far/store/store.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "test/linearizability/clients.hpp"
#include "test/linearizability/keyed.hpp"

namespace far::linearizability {
namespace {

struct item_operation {
  enum class kind : std::uint8_t { get, put, add, increment, erase };

  kind what = kind::get;
  std::uint64_t value = 0;
};

/// Whether the item was there, or is now; get and increment: its value.
struct item_result {
  bool yes = false;
  std::uint64_t value = 0;

  bool operator==(const item_result&) const = default;
};

/// One key's item, whose value is a number.
struct item_specification {
  using state = std::optional<std::uint64_t>;
  using operation = item_operation;
  using result = item_result;
  using kind = item_operation::kind;

  [[nodiscard]] state initial() const { return {}; }
  [[nodiscard]] std::uint64_t hash(const state& item) const {
    return item ? base::mix(*item + 1) : 0;
  }
  std::optional<result> apply(state& item, const operation& op) const {
    const bool there = item.has_value();
    switch (op.what) {
      case kind::get:
        return result{there, item.value_or(0)};
      case kind::put:
        item = op.value;
        return result{true, 0};
      case kind::add:
        if (!there) item = op.value;
        return result{!there, 0};
      case kind::increment:
        if (there) *item += op.value;
        return result{there, item.value_or(0)};
      case kind::erase:
        item.reset();
        return result{there, 0};
    }
    return {};
  }
  [[nodiscard]] bool is_neutral(const operation& op, const result& seen) const {
    return op.what == kind::get || !seen.yes;
  }
  [[nodiscard]] std::string text(const operation& op, const std::optional<result>& seen) const {
    constexpr const char* names[] = {"get", "put", "add", "increment", "erase"};
    return fmt::format("{}({}) -> {}", names[static_cast<std::size_t>(op.what)], op.value,
                       !seen       ? "?"
                       : seen->yes ? fmt::format("yes, {}", seen->value)
                                   : "no");
  }
  [[nodiscard]] std::string text(const state& item) const {
    return item ? fmt::format("{}", *item) : "nothing";
  }
};

using item_specifications = keyed<item_specification>;
using item_log = history_of<item_specifications>;

item_result perform_on_store(const store& items, std::uint64_t key, const item_operation& op,
                             std::uint64_t padding) {
  using kind = item_operation::kind;
  const std::string name = "k" + std::to_string(key);
  // Values of several sizes, so that items move; what follows the number is spaces.
  const std::string value = std::to_string(op.value) + std::string(padding, ' ');
  const auto is_done = [](const store_reply& reply) { return reply.status == store_status::done; };
  switch (op.what) {
    case kind::get: {
      const auto item = items.get(name);
      return item ? item_result{true, std::stoull(item->value)} : item_result{};
    }
    case kind::put:
      return {is_done(items.put(name, value)), 0};
    case kind::add:
      return {is_done(items.add(name, value)), 0};
    case kind::increment: {
      const store_reply reply = items.increment(name, op.value);
      return is_done(reply) ? item_result{true, std::stoull(reply.value)} : item_result{};
    }
    case kind::erase:
      return {is_done(items.erase(name)), 0};
  }
  return {};
}

class store_history_test : public clients_test {
 protected:
  /// `is_full`: so are the parts, and each value needs new memory, so items move all the time.
  void check(copying copies, policy reads, int of_fibers, int of_threads, bool is_full = false) {
    item_log log(GetParam().count);
    run([&log, copies, reads, is_full, n = rounds(of_fibers, of_threads)](world& w) {
      const store items(w,
                        {.memory_bytes = std::uint64_t{1 << 19} * static_cast<unsigned>(w.size()),
                         .max_item_bytes = 2000,
                         .copies = copies,
                         .reads = reads});
      std::uint64_t filled = 0;
      for (std::uint64_t i = 0; is_full && filled < 600; ++i) {
        const std::string key = "filler" + std::to_string(i);
        if (items.home_of(key) != w.rank()) continue;
        (void)items.put(key, std::string(900, 'f'));
        ++filled;
      }
      const std::uint64_t padding = is_full ? 400 : 16;
      expect_linearizable(w, item_specifications{}, log, [&](base::random& random) {
        for (int round = 0; round < n; ++round) {
          const std::uint64_t key = random.below(3);
          // As many gets as changes.
          const std::uint64_t what = random.below(8);
          const item_operation op{static_cast<item_operation::kind>(what < 4 ? 0 : what - 3),
                                  random.below(1000)};
          const auto asked = log.invoke(w.rank(), {key, op});
          log.respond(asked, perform_on_store(items, key, op, padding * random.below(4)));
        }
      });
    });
  }
};
INSTANTIATE_TEST_SUITE_P(on, store_history_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3, 6})), test::name_of);

TEST_P(store_history_test, is_linearizable) { check(copying::never, policy::rpc, 20, 3000); }
TEST_P(store_history_test, with_copies_is_linearizable) {
  check(copying::always, policy::rpc, 15, 300);
}
TEST_P(store_history_test, one_sided_is_linearizable) {
  check(copying::never, policy::one_sided, 15, 300);
}
TEST_P(store_history_test, while_items_move_is_linearizable) {
  check(copying::never, policy::one_sided, 40, 300, true);
}
TEST_P(store_history_test, all_ways_at_once_are_linearizable) {
  check(copying::automatic, policy::automatic, 25, 300);
}

}  // namespace
}  // namespace far::linearizability
