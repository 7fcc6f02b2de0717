// Every operation of every view of a hash table against every other: by each policy, awaited,
// started and in a batch. All pairs of these uses are listed; each run takes the next ones of the
// list, so that enough seeds take all of them, many times.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/hash.hpp"
#include "far/base/random.hpp"
#include "far/containers/map/hash_map.hpp"
#include "far/team/team.hpp"
#include "test/linearizability/clients.hpp"
#include "test/linearizability/map.hpp"

namespace far::linearizability {
namespace {

using map_log = history_of<map_specification>;
using entry = entry_operation;
using table = hash_map<std::uint64_t, std::uint64_t>;
using containers::phase_kind;

enum class action : std::uint8_t { insert, assign, update, add, erase, find, contains };
enum class use_form : std::uint8_t { awaited, started, batch };

/// One way of using a key.
struct use {
  action what;
  policy how;
  use_form as;
};

struct encounter {
  use first;
  use second;
};

std::vector<use> uses_in(phase_kind view) {
  constexpr action actions[] = {action::insert, action::assign, action::update,  action::add,
                                action::erase,  action::find,   action::contains};
  std::vector<use> all;
  for (const action what : actions) {
    const bool finds = what == action::find || what == action::contains;
    if (view == (finds ? phase_kind::writing : phase_kind::reading)) continue;
    for (const policy how : {policy::one_sided, policy::rpc, policy::automatic}) {
      for (const use_form as : {use_form::awaited, use_form::started, use_form::batch}) {
        all.push_back({what, how, as});
      }
    }
  }
  return all;
}

/// All pairs of uses in a view, in an order in which neighbours have nothing in common.
std::vector<encounter> encounters_in(phase_kind view) {
  const std::vector<use> uses = uses_in(view);
  std::vector<encounter> all;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) all.push_back({uses[i], uses[j]});
  }
  base::random random(7);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  return all;
}

entry specified(action what, std::uint64_t value) {
  switch (what) {
    case action::insert:
      return entry::insert(value);
    case action::assign:
      return entry::insert_or_assign(value);
    case action::update:
    case action::add:
      return entry::add_or_insert(value);
    case action::erase:
      return entry::erase();
    case action::find:
      return entry::find();
    case action::contains:
      return entry::contains();
  }
  return {};
}

constexpr auto add_more = [](std::uint64_t& value, std::uint64_t more) { value += more; };

using keys_span = std::span<const std::uint64_t>;

/// Calls forms(awaited, started, batch) with the three forms of an operation. Batches have a value
/// for each key, or if it is even, one for all.
template <class View, class Forms>
void with_changes(const View& map, action what, std::uint64_t value, Forms forms) {
  const auto same = [value](keys_span keys) { return std::vector(keys.size(), value); };
  switch (what) {
    case action::insert:
      return forms([&](std::uint64_t key) { return map.insert(key, value); },
                   [&](std::uint64_t key) { return map.insert_async(key, value); },
                   [&](keys_span keys) { return map.insert_many(keys, same(keys)); });
    case action::assign:
      return forms([&](std::uint64_t key) { return map.insert_or_assign(key, value); },
                   [&](std::uint64_t key) { return map.insert_or_assign_async(key, value); },
                   [&](keys_span keys) { return map.insert_or_assign_many(keys, same(keys)); });
    case action::update:
      return forms([&](std::uint64_t key) { return map.update_or_insert(key, value, add_more); },
                   [&](std::uint64_t key) {
                     return map.update_or_insert_async(key, value, value, add_more);
                   },
                   [&](keys_span keys) {
                     return value % 2 == 0 ? map.update_or_insert_all(keys, value, add_more)
                                           : map.update_or_insert_many(keys, same(keys), add_more);
                   });
    case action::add:
      return forms([&](std::uint64_t key) { return map.add_or_insert(key, value); },
                   [&](std::uint64_t key) { return map.add_or_insert_async(key, value); },
                   [&](keys_span keys) {
                     return value % 2 == 0 ? map.add_or_insert_all(keys, value)
                                           : map.add_or_insert_many(keys, same(keys));
                   });
    default:
      return forms([&](std::uint64_t key) { return map.erase(key); },
                   [&](std::uint64_t key) { return map.erase_async(key); },
                   [&](keys_span keys) { return map.erase_many(keys); });
  }
}

template <class View, class Forms>
void with_finds(const View& map, action what, Forms forms) {
  if (what == action::find) {
    forms([&](std::uint64_t key) { return map.find(key); },
          [&](std::uint64_t key) { return map.find_async(key); },
          [&](keys_span keys) { return map.find_many(keys); });
  } else {
    forms([&](std::uint64_t key) { return map.contains(key); },
          [&](std::uint64_t key) { return map.contains_async(key); },
          [&](keys_span keys) { return map.contains_many(keys); });
  }
}

/// A rank's uses of a map, all recorded.
class client {
 public:
  client(map_log& log, int process) : log_(log), process_(process) {}

  /// Performs one use of a key, or starts it. A batch contains the key twice, and another one.
  template <class View>
  void perform(const View& map, const use& one, std::uint64_t key, std::uint64_t other,
               std::uint64_t value) {
    const entry op = specified(one.what, value);
    const auto forms = [&](auto awaited, auto started, auto batch) {
      if (one.as == use_form::awaited) {
        const auto asked = log_.invoke(process_, {key, op});
        log_.respond(asked, entry_result::of(awaited(key)));
      } else if (one.as == use_form::started) {
        const auto asked = log_.invoke(process_, {key, op});
        const auto answer = std::make_shared<decltype(started(key))>(started(key));
        in_flight_.emplace_back(
            [this, asked, answer] { log_.respond(asked, entry_result::of(answer->get())); });
      } else {
        const std::vector<std::uint64_t> keys{key, other, key};
        std::vector<map_log::token> asked;
        for (const std::uint64_t k : keys) asked.push_back(log_.invoke(process_, {k, op}));
        const auto answers = batch(keys);
        for (std::size_t i = 0; i < keys.size(); ++i) {
          log_.respond(asked[i], entry_result::of(answers[i]));
        }
      }
    };
    const auto view = map.with(one.how);
    constexpr bool changes = requires { view.erase(key); };
    constexpr bool finds = requires { view.find(key); };
    const bool is_find = one.what == action::find || one.what == action::contains;
    if constexpr (changes) {
      if (!is_find) with_changes(view, one.what, value, forms);
    }
    if constexpr (finds) {
      if (is_find) with_finds(view, one.what, forms);
    }
  }
  void await_started() {
    for (const auto& wait : in_flight_) wait();
    in_flight_.clear();
  }

 private:
  map_log& log_;
  int process_;
  std::vector<std::function<void()>> in_flight_;
};

/// Which keys have been used. All ranks choose the same ones.
class key_choice {
 public:
  key_choice(std::uint64_t seed, const world& world) : random_(seed), world_(world) {}

  struct chosen {
    std::uint64_t key;
    std::uint64_t other;
    bool same_order;
  };
  /// A new key or a former one, the same for all ranks or each its own.
  chosen next() {
    const std::uint64_t other = random_.below(count_ + 1);
    const bool same_order = random_.below(2) == 0;
    switch (random_.below(4)) {
      case 0:
        return {random_.below(count_ + 1), other, same_order};
      case 1: {
        const std::uint64_t first = count_;
        count_ += static_cast<std::uint64_t>(world_.size());
        return {first + static_cast<std::uint64_t>(world_.rank()), other, same_order};
      }
      default:
        return {count_++, other, same_order};
    }
  }

 private:
  base::random random_;
  const world& world_;
  std::uint64_t count_ = 0;
};

/// Encounters of ranks at the same time, until all of a view have taken place.
class hash_map_views_test : public clients_test {
 protected:
  hash_map_views_test() {
    seeds = 200;
    allowed = test::run_size::any;
  }

  /// How many of a view's encounters a run takes: on threads all of them, on fibers a few.
  [[nodiscard]] std::size_t count_in_run(const std::vector<encounter>& all, int of_fibers) const {
    return options.mode == job_mode::fibers ? static_cast<std::size_t>(of_fibers) : all.size();
  }
};
INSTANTIATE_TEST_SUITE_P(on, hash_map_views_test,
                         ::testing::ValuesIn(modes_with_one_history({2, 3})), test::name_of);

template <class View>
void meet(const world& w, const View& map, std::span<const encounter> all, std::uint64_t run,
          std::size_t count, client& self, key_choice& keys, base::random& random) {
  for (std::size_t i = 0; i < count; ++i) {
    const encounter& now = all[(run * count + i) % all.size()];
    const auto [key, other, same_order] = keys.next();
    const bool turns = w.rank() % 2 == 1 && !same_order;
    barrier(w);
    self.perform(map, turns ? now.second : now.first, key, other, 1 + random.below(1000));
    self.perform(map, turns ? now.first : now.second, key, other, 1 + random.below(1000));
    self.await_started();
  }
}

TEST_P(hash_map_views_test, every_operation_meets_every_other) {
  const std::vector<encounter> mixed = encounters_in(phase_kind::mixed);
  const std::vector<encounter> writing = encounters_in(phase_kind::writing);
  const std::vector<encounter> reading = encounters_in(phase_kind::reading);
  const std::size_t mixed_count = count_in_run(mixed, 40);
  const std::size_t writing_count = count_in_run(writing, 40);
  const std::size_t reading_count = count_in_run(reading, 5);
  map_log log(GetParam().count);
  run([&](world& w) {
    // A key for each rank and encounter, at most.
    const auto encounters = mixed_count + writing_count + reading_count;
    const table map(w, encounters * static_cast<std::uint64_t>(w.size()));
    expect_linearizable(w, map_specification{}, log, [&](base::random& random) {
      const std::uint64_t number = test::seed();
      client self(log, w.rank());
      key_choice keys(base::mix(number), w);
      meet(w, map, mixed, number, mixed_count, self, keys, random);
      meet(w, map.writing(), writing, number, writing_count, self, keys, random);
      meet(w, map.reading(), reading, number, reading_count, self, keys, random);
    });
  });
}

}  // namespace
}  // namespace far::linearizability
