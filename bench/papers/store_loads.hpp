#pragma once
// The loads of figure 17 of darray: YCSB's A, B and C on a key-value store.
//
// A store of the figure is a class with a collective constructor from (world, store_sizes), and
// on(world) for a thread's view, which has
//   bool get(const std::string& key);
//   void put(const std::string& key, const std::string& value);
// It is one line of `store_contenders` in store_figures.cpp.

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/zipf.hpp"
#include "bench/papers/array_jobs.hpp"
#include "bench/papers/array_loads.hpp"
#include "bench/papers/paper_store.hpp"
#include "far/base/random.hpp"
#include "far/far.hpp"
#include "far/store/store.hpp"

namespace far::bench {

struct store_sizes {
  std::uint64_t keys = 20'000;
  std::uint64_t warm_up = 1000;     ///< operations of each rank before those that are measured
  std::uint64_t operations = 2000;  ///< of each thread
  int get_percent = 100;
};

inline constexpr std::size_t store_key_bytes = 24;
inline constexpr std::size_t store_value_bytes = 64;

/// "user" and a number, in 24 bytes.
[[nodiscard]] inline std::string store_key(std::uint64_t number) {
  return fmt::format("user{:020}", number);
}

/// The structure of the paper. Buckets are filled to two fifths.
class element_lock_store {
 public:
  element_lock_store(const world& world, const store_sizes& sizes)
      : store_(world, sizes_of(sizes)) {}

  class view {
   public:
    explicit view(paper_store::view of) : store_(std::move(of)) {}
    [[nodiscard]] bool get(const std::string& key) const { return store_.get(key).has_value(); }
    void put(const std::string& key, const std::string& value) const { store_.put(key, value); }

   private:
    paper_store::view store_;
  };
  [[nodiscard]] view on(const world& world) const { return view(store_.on(world)); }

 private:
  static paper_store_sizes sizes_of(const store_sizes& sizes) {
    constexpr std::uint64_t page = slab_allocator::page_bytes;
    const std::uint64_t items = sizes.keys * 2 * (store_key_bytes + store_value_bytes);
    return {sizes.keys / 6 + 1, sizes.keys / 60 + 16, (items / page + 4) * page};
  }

  paper_store store_;
};

/// far::store, with or without copies of items of other machines.
template <copying Copies>
class item_store {
 public:
  item_store(const world& world, const store_sizes& sizes)
      : store_(world, {.memory_bytes = memory_for(world, sizes), .copies = Copies}) {}

  class view {
   public:
    explicit view(const store_view& of) : store_(of) {}
    [[nodiscard]] bool get(const std::string& key) const { return store_.get(key).has_value(); }
    void put(const std::string& key, const std::string& value) const { store_.put(key, value); }

   private:
    store_view store_;
  };
  [[nodiscard]] view on(const world& world) const { return view(store_.on(world)); }

 private:
  /// So much that each rank has room for copies of all items, in an eighth of its memory.
  static std::uint64_t memory_for(const world& world, const store_sizes& sizes) {
    constexpr std::uint64_t item_bytes = 24 + store_key_bytes + store_value_bytes;
    return static_cast<std::uint64_t>(world.size()) * ((8 << 20) + 16 * sizes.keys * item_bytes);
  }

  store store_;
};

/// Every operation is a call of the key's home.
class called_store {
 public:
  called_store(const world& world, const store_sizes&) : map_(world) {}

  class view {
   public:
    explicit view(hash_map<std::string, std::string>::view_type of) : map_(std::move(of)) {}
    [[nodiscard]] bool get(const std::string& key) const { return map_.find(key).has_value(); }
    void put(const std::string& key, const std::string& value) const {
      map_.insert_or_assign(key, value);
    }

   private:
    hash_map<std::string, std::string>::view_type map_;
  };
  [[nodiscard]] view on(const world& world) const { return view(map_.on(world)); }

 private:
  hash_map<std::string, std::string> map_;
};

/// The ranks put all keys; then each thread gets and puts keys by a scrambled Zipf distribution
/// (0.99, as in YCSB).
/// Errors: far::error if a get does not find its key.
template <class Store>
array_load store_load(const store_sizes& sizes) {
  constexpr double skew = 0.99;
  return [=](world& world, int threads, access_log& log) {
    const Store store(world, sizes);
    const std::string value(store_value_bytes, 'v');
    {
      const auto mine = store.on(world);
      for (auto i = static_cast<std::uint64_t>(world.rank()); i < sizes.keys;
           i += static_cast<std::uint64_t>(world.size())) {
        mine.put(store_key(i), value);
      }
    }
    // Before the measurement all ranks have warmed up: they need not be equally fast.
    const auto warm_up = sizes.warm_up / static_cast<std::uint64_t>(threads);
    for (const bool measures : {false, true}) {
      const std::uint64_t operations = measures ? sizes.operations : warm_up;
      detail::on_threads(world, threads, [&](far::world& thread, std::uint64_t number) {
        const auto mine = store.on(thread);
        const std::uint64_t seed = 2 * number + (measures ? 1 : 0);
        base::random random(base::mix(seed + 17));
        const std::vector<std::uint64_t> keys =
            scrambled_zipf(sizes.keys, skew, operations, seed + 1);
        const std::uint64_t begin = thread.now();
        std::uint64_t missed = 0;
        for (const std::uint64_t number_of_key : keys) {
          const std::string key = store_key(number_of_key);
          if (random.below(100) < static_cast<std::uint64_t>(sizes.get_percent)) {
            if (!mine.get(key)) ++missed;
          } else {
            mine.put(key, value);
          }
        }
        if (measures) log.add(begin, thread.now(), operations);
        if (missed > 0) throw error(fmt::format("paper-c: {} gets found no item", missed));
      });
    }
  };
}

}  // namespace far::bench
