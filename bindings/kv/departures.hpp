#pragma once
// What this rank has evicted, or found expired: counted by size, and logged for who watches.

#include <array>
#include <atomic>
#include <functional>
#include <utility>

#include "bindings/kv/size_counts.hpp"
#include "bindings/kv/watch_log.hpp"
#include "far/store/store_observer.hpp"

namespace far::kv {

/// Thread-safe.
class departures final : public store_observer {
 public:
  departures(event_log& log, std::size_t max_item_bytes, std::function<store_second()> now)
      : log_(log), max_item_bytes_(max_item_bytes), sizes_(max_item_bytes), now_(std::move(now)) {}

  void leaves(departure why, std::string_view key, const item_info& item) noexcept override;

  /// While it lives, what its thread finds expired is what a search has found.
  class search {
   public:
    search() noexcept { is_on_ = true; }
    ~search() { is_on_ = false; }
    search(const search&) = delete;
    search& operator=(const search&) = delete;
  };

  [[nodiscard]] const slab_sizes& sizes() const noexcept { return sizes_; }
  void add_to(size_table& sums) const noexcept;
  void reset() noexcept;

 private:
  struct counts {
    std::atomic<std::uint64_t> evicted, evicted_unfetched, expired, expired_unfetched, searched;
  };

  static thread_local bool is_on_;  // a search of this thread

  event_log& log_;
  std::size_t max_item_bytes_;
  slab_sizes sizes_;
  std::function<store_second()> now_;
  std::array<counts, slab_classes> counts_{};
};

}  // namespace far::kv
