#pragma once
// A store of keys and values over all ranks, of bounded memory.

#include <cstdint>
#include <memory>

#include "far/store/store_view.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// A store of items, each a key and a value of bytes: a hash table of bounded memory that evicts
/// what is not used, with expiry, compare-and-set, counters, as memcached has them.
///
///     far::store sessions(world, {.memory_bytes = 1 << 30});
///     sessions.put("user:42", data, {.lifetime = std::chrono::hours(1)});
///     if (auto item = sessions.get("user:42")) use(item->value);
///
/// Each key has a home, by its hash: the rank in whose segment its item lies. Ranks of the home's
/// machine read and change items there by instructions, others by calls.
///
/// It has the operations of store_view, for this rank's own thread; on(world) returns a view for
/// another thread. Constructor and destructor are collective.
///
/// Ownership: views must be destroyed before the store.
/// Errors: bad_argument if the memory of a rank is too small, with numbers, or if ranks ask for
///   different stores; out_of_memory.
/// Source: the key-value store of L. Li et al., DArray, 2023, section 5.2; decision 19 says what
/// differs, and why.
/// Checked by: store_test.equals_an_oracle
class store : public store_view {
 public:
  /// Collective.
  explicit store(const world& world, const store_options& options = {})
      : store(world, std::make_shared<stores::store_part>(world, options)) {}
  ~store();
  store(const store&) = delete;
  store& operator=(const store&) = delete;

  /// A view for another thread of this rank.
  [[nodiscard]] store_view on(const world& world) const noexcept {
    return store_view(world, *part_);
  }

 private:
  store(const world& world, std::shared_ptr<stores::store_part> part);

  world world_;
  std::shared_ptr<stores::store_part> part_;
  collective_scope scope_;
};

}  // namespace far
