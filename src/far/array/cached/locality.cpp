#include "far/array/cached/locality.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace far::cached {
namespace {

constexpr std::uint32_t min_fills = 8;     // before a region is judged
constexpr std::uint32_t max_fills = 64;    // then the older ones count half
constexpr std::uint32_t watched_part = 4;  // one of so many, after the first min_fills
constexpr double min_uses = 2;             // per fill, for caching to pay
constexpr std::uint32_t return_accesses = 64;
constexpr std::uint32_t return_uses = 8;  // per touched chunk
constexpr std::uint8_t max_returns = 16;

}  // namespace

bool locality::is_direct(std::uint64_t chunk) const noexcept {
  if (how_ != caching::automatic) return how_ == caching::never;
  const auto at = regions_.find(region_of(chunk));
  return at != regions_.end() && at->second.direct;
}

bool locality::enters(std::uint64_t chunk) {
  return !std::exchange(regions_[region_of(chunk)].entered, true);
}

bool locality::watches_fill(std::uint64_t chunk) {
  if (how_ != caching::automatic) return false;
  region& r = regions_[region_of(chunk)];
  if (r.direct) return false;
  if (r.fills >= min_fills && ++r.skipped < watched_part) return false;
  r.skipped = 0;
  return true;
}

void locality::fill_ended(std::uint64_t chunk, int uses) {
  region& r = regions_[region_of(chunk)];
  ++r.fills;
  r.uses += static_cast<std::uint32_t>(std::min(uses, enough));
  ++counts_.watched_fills;
  counts_.uses += static_cast<std::uint64_t>(std::min(uses, enough));
  if (!r.direct && r.fills >= min_fills && r.uses < min_uses * r.fills) {
    r.direct = true;
    r.entered = false;
    r.accesses = 0;
    r.touched = 0;
    r.window = window_;
    ++counts_.regions_left;
  }
  if (r.fills >= max_fills) {
    r.fills /= 2;
    r.uses /= 2;
  }
}

void locality::accessed_directly(std::uint64_t chunk) {
  ++counts_.direct_accesses;
  region& r = regions_[region_of(chunk)];
  if (r.window != window_) {
    r.window = window_;
    r.accesses = 0;
    r.touched = 0;
  }
  ++r.accesses;
  const std::uint64_t bit = std::uint64_t{1} << chunk % region_chunks;
  if ((r.touched & bit) == 0) {
    r.touched |= bit;
    if (++touched_in_window_ > slots_ / 2) {
      touched_in_window_ = 0;
      ++window_;
    }
  }
  const auto chunks = static_cast<std::uint32_t>(std::popcount(r.touched));
  if (!r.direct || r.accesses >> r.returns < return_accesses || r.accesses < return_uses * chunks) {
    return;
  }
  r.direct = false;
  r.fills = 0;
  r.uses = 0;
  r.returns = std::min<std::uint8_t>(static_cast<std::uint8_t>(r.returns + 1), max_returns);
  ++counts_.regions_returned;
}

caching_choices locality::choices() const noexcept {
  caching_choices result = counts_;
  result.seen_regions = regions_.size();
  for (const auto& [number, r] : regions_) result.direct_regions += r.direct ? 1 : 0;
  return result;
}

std::string locality::explain() const {
  if (how_ == caching::always) return "everything is cached: by option, or by the elements' size\n";
  if (how_ == caching::never) return "nothing is cached: by option\n";
  const caching_choices c = choices();
  const double mean = c.watched_fills == 0
                          ? 0.0
                          : static_cast<double>(c.uses) / static_cast<double>(c.watched_fills);
  return fmt::format(
      "caching pays from {} accesses per fill on (a fill is two messages, and three more if it "
      "was\n"
      "not only read; a direct access is one round trip)\n"
      "fills watched      {:>10}\n"
      "accesses per fill  {:>10.1f}  (at most {} counted)\n"
      "regions of {} chunks: {} seen, {} direct now; {} times one became direct, {} times cached\n"
      "direct accesses    {:>10}\n",
      min_uses, c.watched_fills, mean, enough, region_chunks, c.seen_regions, c.direct_regions,
      c.regions_left, c.regions_returned, c.direct_accesses);
}

}  // namespace far::cached
