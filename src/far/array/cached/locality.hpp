#pragma once
// Whether caching pays for a rank, in each region of an array.
//
// A fill takes two messages, and three more for the eviction that follows if the chunk has been
// written, or operands are in it. An access that goes past the cache takes one round trip. So
// caching pays from about two accesses per fill on. Hits are not counted; but a chunk whose fill is
// watched enters the fast path only after `enough` accesses, so the slow path sees the first ones.
//
// A region in which watched fills have too few uses becomes direct: its elements are accessed in
// the homes' memories. There each access is seen. A region becomes cached again when its chunks are
// accessed often before the rank has touched as many chunks as its cache would hold; after each
// return the next one needs twice as many accesses.

#include <bit>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace far {

/// Whether a rank keeps copies. `automatic`: where that pays. `never`: every access of a single
/// element of 4 or 8 bytes goes to its home.
enum class caching : std::uint8_t { automatic, always, never };

/// What a rank's view of a cached array has decided, in all its threads. `explain()` is the text.
struct caching_choices {
  std::uint64_t watched_fills = 0;
  std::uint64_t uses = 0;  ///< accesses in watched fills, at most 4 counted for each
  std::uint64_t direct_accesses = 0;
  std::uint64_t regions_left = 0;      ///< times that a region became direct
  std::uint64_t regions_returned = 0;  ///< times that one became cached again
  std::uint64_t direct_regions = 0;    ///< now
  std::uint64_t seen_regions = 0;
};

namespace cached {

/// Threads: the caller holds part::mutex.
class locality {
 public:
  static constexpr std::uint64_t region_chunks = 64;
  static constexpr int enough = 4;

  /// `slots`: chunks that the cache holds.
  locality(caching how, std::uint64_t slots) noexcept : how_(how), slots_(slots) {}

  [[nodiscard]] bool is_direct(std::uint64_t chunk) const noexcept;
  /// True at the first call since the chunk's region has become direct.
  [[nodiscard]] bool enters(std::uint64_t chunk);
  /// A fill begins. True if it is to be watched; then fill_ended is called once.
  [[nodiscard]] bool watches_fill(std::uint64_t chunk);
  void fill_ended(std::uint64_t chunk, int uses);
  /// Counts an access past the cache, after which the region may be cached again.
  void accessed_directly(std::uint64_t chunk);

  [[nodiscard]] caching_choices choices() const noexcept;
  [[nodiscard]] std::string explain() const;

 private:
  struct region {
    std::uint32_t fills = 0;    // watched, the older ones for less
    std::uint32_t uses = 0;     // in those
    std::uint32_t skipped = 0;  // fills since the last watched one
    bool direct = false;
    bool entered = false;
    std::uint8_t returns = 0;
    std::uint32_t window = 0;    // of the next two
    std::uint32_t accesses = 0;  // past the cache
    std::uint64_t touched = 0;   // a bit for each chunk
  };
  static std::uint64_t region_of(std::uint64_t chunk) noexcept { return chunk / region_chunks; }

  caching how_;
  std::uint64_t slots_;
  std::unordered_map<std::uint64_t, region> regions_;
  std::uint32_t window_ = 0;             // the time in which the rank touches half a cache
  std::uint64_t touched_in_window_ = 0;  // chunks
  caching_choices counts_;
};

}  // namespace cached
}  // namespace far
