// Operations of a hash_map by two processes at once, beside the same by hand on memory that the two
// map (rows A2 and A5).

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "bench/measure.hpp"
#include "bench/registry.hpp"
#include "bench/table_by_hand.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr std::uint64_t keys_of_a_rank = 1 << 15;
constexpr std::uint64_t buckets_by_hand = 1 << 17;  // as many as the map has
constexpr std::size_t batch = 4096;

using map_type = hash_map<std::uint64_t, std::uint64_t>;
using hand_bucket = by_hand::table::bucket;

/// The maps of a rank, and its keys.
class maps {
 public:
  maps(world& view, hand_bucket* buckets)
      : view_(view),
        shared_(view, 2 * keys_of_a_rank),
        grows_(view),
        by_hand_(buckets, buckets_by_hand),
        buckets_(buckets) {
    grows_.reserve(2 * keys_of_a_rank);
  }

  /// Collective: empties all, or gives each the keys of all ranks.
  void empty() {
    reading_.reset();
    next_ = 0;
    shared_.clear();
    grows_.clear();
    if (view_.rank() == 0) {
      std::memset(static_cast<void*>(buckets_), 0, buckets_by_hand * sizeof(hand_bucket));
    }
    barrier(view_);
  }
  void fill() {
    empty();
    for (std::uint64_t i = 0; i < keys_of_a_rank; ++i) {
      const std::uint64_t key = next_key();
      (void)shared_.insert(key, key);
      (void)by_hand_.insert(key, key, hash_of(key));
      own_keys_.push_back(key);
    }
    (void)grows_.insert_many(own_keys_, own_keys_);
    barrier(view_);
  }
  /// Collective.
  void read_only(bool is) {
    if (!is) {
      reading_.reset();
    } else if (!reading_) {
      reading_.reset(new map_type::reading_view(shared_.reading()));
    }
  }

  void meet() { barrier(view_); }

  /// This rank's keys in turn; their homes are anywhere.
  std::uint64_t next_key() {
    return next_++ % keys_of_a_rank * 2 + static_cast<unsigned>(view_.rank());
  }
  std::span<const std::uint64_t> next_batch() {
    const auto all = std::span<const std::uint64_t>(own_keys_);
    return all.subspan(next_++ % (keys_of_a_rank / batch) * batch, batch);
  }
  static std::uint64_t hash_of(std::uint64_t key) { return hash<std::uint64_t>()(key); }

  [[nodiscard]] const map_type& shared() const { return shared_; }
  [[nodiscard]] const map_type& grows() const { return grows_; }
  [[nodiscard]] const map_type::reading_view& reading() const { return *reading_; }
  [[nodiscard]] by_hand::table& by_hand() { return by_hand_; }

 private:
  world& view_;
  map_type shared_;
  map_type grows_;
  by_hand::table by_hand_;
  hand_bucket* buckets_;
  std::unique_ptr<map_type::reading_view> reading_;
  std::vector<std::uint64_t> own_keys_;
  std::uint64_t next_ = 0;
};

using maps_ref = std::shared_ptr<maps>;

/// Of calls, which need the progress of their homes: it goes on until all have done theirs.
subject by_calls(const maps_ref& all, subject what) {
  what.run = [all, run = what.run](std::int64_t count) {
    run(count);
    all->meet();
  };
  return what;
}

/// `once(maps, key)` for key after key.
template <class Once>
std::function<void(std::int64_t)> each_key(const maps_ref& all, Once once) {
  return [all, once](std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) keep(once(*all, all->next_key()));
  };
}

std::vector<subject> inserts(const maps_ref& all) {
  const auto empty = [all] { all->empty(); };
  return {
      {"insert", each_key(all, [](maps& m, std::uint64_t k) { return m.shared().insert(k, k); }),
       empty},
      {"insert by hand",
       each_key(all, [](maps& m,
                        std::uint64_t k) { return m.by_hand().insert(k, k, maps::hash_of(k)); }),
       empty},
      by_calls(all, {"insert by calls",
                     each_key(all,
                              [](maps& m, std::uint64_t k) {
                                return m.shared().with(policy::rpc).insert(k, k);
                              }),
                     empty}),
      by_calls(all, {"insert by calls, grows",
                     each_key(all, [](maps& m, std::uint64_t k) { return m.grows().insert(k, k); }),
                     empty}),
  };
}

std::vector<subject> finds(const maps_ref& all) {
  const auto changing = [all] { all->read_only(false); };
  const auto reading = [all] { all->read_only(true); };
  return {
      {"find", each_key(all, [](maps& m, std::uint64_t k) { return m.shared().find(k); }),
       changing},
      {"find by hand",
       each_key(all,
                [](maps& m, std::uint64_t k) { return m.by_hand().find(k, maps::hash_of(k)); }),
       changing},
      {"find, reading()",
       each_key(all, [](maps& m, std::uint64_t k) { return m.reading().find(k); }), reading},
      {"find by hand, unchanged",
       each_key(all,
                [](maps& m, std::uint64_t k) {
                  return m.by_hand().find_unchanged(k, maps::hash_of(k));
                }),
       reading},
      by_calls(all,
               {"find by calls",
                each_key(all, [](maps& m,
                                 std::uint64_t k) { return m.shared().with(policy::rpc).find(k); }),
                changing}),
      by_calls(all, {"find by calls, grows",
                     each_key(all, [](maps& m, std::uint64_t k) { return m.grows().find(k); }),
                     changing}),
  };
}

/// `once(maps, keys)` for batch after batch; a count is of keys.
template <class Once>
std::function<void(std::int64_t)> each_batch(const maps_ref& all, Once once) {
  return [all, once](std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += std::int64_t{batch})
      keep(once(*all, all->next_batch()));
  };
}

std::vector<subject> batches(const maps_ref& all) {
  constexpr auto add = [](std::uint64_t& value, std::uint64_t more) { value += more; };
  const auto changing = [all] { all->read_only(false); };
  return {
      {"update_or_insert_many",
       each_batch(all,
                  [=](maps& m, std::span<const std::uint64_t> keys) {
                    return m.shared().update_or_insert_many(keys, keys, add).size();
                  }),
       changing},
      by_calls(
          all,
          {"update_or_insert_many by calls",
           each_batch(
               all,
               [=](maps& m, std::span<const std::uint64_t> keys) {
                 return m.shared().with(policy::rpc).update_or_insert_many(keys, keys, add).size();
               }),
           changing}),
      by_calls(all, {"update_or_insert_many, grows",
                     each_batch(all,
                                [=](maps& m, std::span<const std::uint64_t> keys) {
                                  return m.grows().update_or_insert_many(keys, keys, add).size();
                                }),
                     changing}),
  };
}

report measure_containers() {
  const shared_memory by_hand(buckets_by_hand * sizeof(hand_bucket));
  constexpr effort shorter{.rounds = 41, .round_ms = 0.2};
  const auto prepare = [&](auto subjects_of, bool filled) {
    return [&by_hand, subjects_of, filled](world& view) {
      const auto all = std::make_shared<maps>(view, by_hand.as<hand_bucket>());
      if (filled) all->fill();
      return subjects_of(all);
    };
  };
  const auto added = measure_on_processes(2, "insert", prepare(inserts, false), shorter);
  const auto found = measure_on_processes(2, "find", prepare(finds, true), shorter);
  const auto many =
      measure_on_processes(2, "batches", prepare(batches, true), {.rounds = 21, .round_ms = 4});

  report result;
  result.measured = fmt::format(
      "containers: two processes on one hash_map of {} keys, 8 bytes and 8 bytes, each key after "
      "key whose\nhomes are either. Limit: a table by hand in memory that both map, with the same "
      "protocol.",
      2 * keys_of_a_rank);
  result.rows = {
      {"insert", added[0], added[1], {}, {.most_ratio = 2}, ""},
      {"find", found[0], found[1], {}, {.most_ratio = 2}, ""},
      {"find, in reading()",
       found[2],
       found[3],
       {},
       {.most_ratio = 1.3},
       "limit: no counts of readers"},
      {"insert by calls", added[2], {}, {}, {}, ""},
      {"insert by calls, grows", added[3], {}, {}, {}, ""},
      {"find by calls", found[4], {}, {}, {}, ""},
      {"find by calls, grows", found[5], {}, {}, {}, ""},
      {"update_or_insert_many", many[0], {}, {}, {}, "a key of a batch of 4096"},
      {"update_or_insert_many by calls", many[1], {}, {}, {}, ""},
      {"update_or_insert_many, grows", many[2], {}, {}, {}, ""},
  };
  return result;
}

const benchmark registered("containers", "a hash_map between two processes, beside one by hand",
                           measure_containers);

}  // namespace
}  // namespace far::bench
