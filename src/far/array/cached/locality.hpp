#pragma once
// Whether caching pays, in each region of an array: 64 chunks of one home.
//
// A fill takes the time that a thread waits for it; each access that it serves saves the time of an
// access past the cache. Both are measured where the accesses are made. A rank counts the accesses
// of some fills, which it watches: such a chunk enters the fast path only after `enough` accesses,
// so the slow path sees the first ones. The rank's requests take what it has counted to the home.
//
// The home decides for all ranks, because their choices do not mix: the right to access the home's
// memory recalls all copies, and a copy recalls those rights. If all watched fills together, of all
// ranks, have taken longer than the accesses that they served would have, the region becomes
// direct: its elements are accessed in the home's memory. There each access is seen, so the rank
// counts what fills would have served: one fill for each chunk that it accesses before it has
// touched as many chunks as half its cache holds. It does not know which copies others would have
// recalled meanwhile. So if fills would have paid, caching is tried, when the direct accesses have
// taken so long that this costs little beside them, and twice as long after each trial that fails.

#include <cstdint>
#include <string>
#include <unordered_map>

#include "far/array/chunk_map.hpp"

namespace far {

/// Whether a rank keeps copies. `automatic`: where that pays, for all ranks together. `never`:
/// every access of a single element of 4 or 8 bytes goes to its home.
enum class caching : std::uint8_t { automatic, always, never };

/// What a rank has seen of the choices about a cached array, in all its threads. `explain()` is the
/// text.
struct caching_choices {
  std::uint64_t watched_fills = 0;
  std::uint64_t uses = 0;      ///< accesses in watched fills, while these were counted
  std::uint64_t fill_ns = 0;   ///< time in which threads waited for watched fills
  std::uint64_t saved_ns = 0;  ///< time in which the uses would have been made past the cache
  std::uint64_t direct_accesses = 0;
  std::uint64_t regions_left = 0;      ///< times that a region became direct
  std::uint64_t regions_returned = 0;  ///< times that one became cached again
  std::uint64_t direct_regions = 0;    ///< now
  std::uint64_t seen_regions = 0;
};

namespace cached {

/// What a rank tells the home of a region, in nanoseconds.
struct fill_report {
  std::uint64_t fills = 0;   ///< watched, and ended since the last report
  std::uint64_t spent = 0;   ///< in them
  std::uint64_t saved = 0;   ///< by them
  bool tries_again = false;  ///< caching, after many direct accesses

  [[nodiscard]] bool is_empty() const noexcept { return fills == 0 && !tries_again; }
};

/// The first chunk of a chunk's region.
[[nodiscard]] std::uint64_t region_begin(const far::detail::chunk_map& map,
                                         std::uint64_t chunk) noexcept;
inline constexpr std::uint64_t region_chunks = 64;

/// The home's side. Threads: the caller holds part::mutex.
class region_choices {
 public:
  [[nodiscard]] bool is_direct(std::uint64_t region) const;
  void reported(std::uint64_t region, const fill_report& what);

 private:
  struct tally {
    fill_report sum;  // the older ones for less
    bool direct = false;
  };
  std::unordered_map<std::uint64_t, tally> regions_;
};

/// A rank's side. Threads: the caller holds part::mutex.
class locality {
 public:
  /// `slots`: chunks that the cache holds. `is_timed`: the clock shows what accesses take. If not,
  /// a fill counts as two accesses.
  locality(caching how, const far::detail::chunk_map& map, std::uint64_t slots,
           bool is_timed) noexcept
      : how_(how), map_(&map), slots_(slots), is_timed_(is_timed) {}

  /// Whether the home decides.
  [[nodiscard]] bool is_automatic() const noexcept { return how_ == caching::automatic; }
  [[nodiscard]] bool is_direct(std::uint64_t chunk) const noexcept;
  /// True at the first call since the chunk's region has become direct.
  [[nodiscard]] bool enters(std::uint64_t chunk);
  /// Answers to requests say what the home has decided.
  void told(std::uint64_t chunk, bool direct);

  /// A fill begins. True if it is to be watched, until it ends or has had enough accesses; then
  /// fill_ended is called once.
  [[nodiscard]] bool watches_fill(std::uint64_t chunk);
  [[nodiscard]] std::uint64_t enough(std::uint64_t chunk) const;
  /// A thread has waited for a fill.
  void fill_took(std::uint64_t chunk, std::uint64_t ns);
  void fill_ended(std::uint64_t chunk, std::uint64_t uses, std::uint64_t waited_ns);
  /// What the next request for the chunk takes to its home.
  [[nodiscard]] fill_report take_report(std::uint64_t chunk);

  /// Counts an access past the cache, after which caching may be tried again. True if its time is
  /// to be measured.
  bool accessed_directly(std::uint64_t chunk);
  /// The time of an access past the cache.
  void direct_took(std::uint64_t chunk, std::uint64_t ns);
  /// Whether the time of an access past the cache has never been measured, and matters.
  [[nodiscard]] bool lacks_price(std::uint64_t chunk) const;

  [[nodiscard]] caching_choices choices() const noexcept;
  [[nodiscard]] std::string explain() const;

 private:
  struct region {
    bool direct = false;
    bool entered = false;
    bool was_direct = false;
    bool has_reported = false;
    std::uint8_t failures = 0;  // of trials of caching
    std::uint32_t fills = 0;    // since the region was direct
    fill_report report;
    // While it is direct:
    std::uint64_t direct_ns = 0;    // of accesses
    std::uint64_t ghost_fills = 0;  // that there would have been for them
    std::uint64_t touched = 0;      // in the window: a bit for each chunk
    std::uint32_t window = 0;
  };
  /// Means of what is recent.
  struct price {
    std::uint64_t direct = 0;
    std::uint64_t fill = 0;
  };
  region& region_of(std::uint64_t chunk) { return regions_[region_begin(*map_, chunk)]; }
  /// Zeros until it has been measured.
  [[nodiscard]] price price_of(std::uint64_t chunk) const;
  price& measured_price_of(std::uint64_t chunk) { return prices_[map_->owner_of_chunk(chunk)]; }

  [[nodiscard]] fill_report hearsay() const;
  void count_ghosts(std::uint64_t chunk, region& r);

  caching how_;
  const far::detail::chunk_map* map_;
  std::uint64_t slots_;
  bool is_timed_;
  std::uint32_t window_ = 1;             // the time in which the rank touches half a cache
  std::uint64_t touched_in_window_ = 0;  // chunks
  std::unordered_map<std::uint64_t, region> regions_;
  std::unordered_map<int, price> prices_;  // by home
  fill_report recent_;                     // of all regions; the older ones for less
  caching_choices counts_;
};

}  // namespace cached
}  // namespace far
