#include "far/array/cached/locality.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace far::cached {
namespace {

constexpr std::uint64_t min_fills = 6;     // before a region is judged
constexpr std::uint64_t max_fills = 64;    // then the older ones count half
constexpr std::uint64_t watched_part = 8;  // one of so many, after the first min_fills
// Accesses are counted until they have saved so many times what a fill takes. So few fills that
// serve many accesses outweigh several that serve none. The limit is far beyond that, except where
// a fill takes milliseconds: with fewer accesses counted, no such fill could seem to pay.
constexpr std::uint64_t max_gain = 4;
constexpr std::uint64_t min_enough = 4;
constexpr std::uint64_t max_enough = 1 << 16;
// Caching is tried again when direct accesses have taken as long as so many fills.
constexpr std::uint64_t trial_fills = 64;
// As so many fills counts what a rank knows from other regions.
constexpr std::uint64_t hearsay_fills = 4;
constexpr std::uint8_t max_failures = 5;
// And if those that there would have been would have taken so many times less.
constexpr std::uint64_t min_ghost_gain = 2;
constexpr std::uint64_t untimed_direct = 1;
constexpr std::uint64_t untimed_fill = 2;
constexpr std::uint64_t timed_part = 8;  // of the accesses past the cache

/// An outlier, as where the thread did not run for a while, counts as four times the mean.
void add_to_mean(std::uint64_t& mean, std::uint64_t ns) noexcept {
  if (mean == 0) {
    mean = ns;
  } else {
    mean = (7 * mean + std::min(ns, 4 * mean) + 4) / 8;
  }
}

}  // namespace

std::uint64_t region_begin(const far::detail::chunk_map& map, std::uint64_t chunk) noexcept {
  return chunk - (chunk - map.first_chunk(map.owner_of_chunk(chunk))) % region_chunks;
}

// ---- the home -----------------------------------------------------------------------------------

bool region_choices::is_direct(std::uint64_t region) const {
  const auto at = regions_.find(region);
  return at != regions_.end() && at->second.direct;
}

void region_choices::reported(std::uint64_t region, const fill_report& what) {
  if (what.is_empty()) return;
  tally& t = regions_[region];
  if (what.tries_again && t.direct) t = {};
  if (t.direct) return;
  t.sum.fills += what.fills;
  t.sum.spent += what.spent;
  t.sum.saved += what.saved;
  t.direct = t.sum.fills >= min_fills && t.sum.saved < t.sum.spent;
  if (t.sum.fills < max_fills) return;
  t.sum.fills /= 2;
  t.sum.spent /= 2;
  t.sum.saved /= 2;
}

// ---- the ranks ----------------------------------------------------------------------------------

bool locality::is_direct(std::uint64_t chunk) const noexcept {
  if (!is_automatic()) return how_ == caching::never;
  const auto at = regions_.find(region_begin(*map_, chunk));
  return at != regions_.end() && at->second.direct;
}

bool locality::enters(std::uint64_t chunk) {
  return !std::exchange(region_of(chunk).entered, true);
}

void locality::told(std::uint64_t chunk, bool direct) {
  region& r = region_of(chunk);
  if (r.direct == direct) return;
  r.direct = direct;
  r.report = {};
  r.direct_ns = 0;
  r.ghost_fills = 0;
  r.entered = false;
  ++(direct ? counts_.regions_left : counts_.regions_returned);
  if (direct) {
    if (r.fills > max_fills) {
      r.failures = 0;  // it was no failed trial: the accesses have changed
    } else if (r.was_direct && r.failures < max_failures) {
      ++r.failures;
    }
    r.was_direct = true;
  }
  r.fills = 0;
}

locality::price locality::price_of(std::uint64_t chunk) const {
  if (!is_timed_) return {untimed_direct, untimed_fill};
  const auto at = prices_.find(map_->owner_of_chunk(chunk));
  return at == prices_.end() ? price{} : at->second;
}

bool locality::watches_fill(std::uint64_t chunk) {
  if (!is_automatic() || price_of(chunk).direct == 0) return false;
  region& r = region_of(chunk);
  return !r.direct && (++r.fills <= min_fills || r.fills % watched_part == 0);
}

std::uint64_t locality::enough(std::uint64_t chunk) const {
  const price p = price_of(chunk);
  return std::clamp(max_gain * p.fill / std::max<std::uint64_t>(p.direct, 1), min_enough,
                    max_enough);
}

void locality::fill_took(std::uint64_t chunk, std::uint64_t ns) {
  if (is_timed_) add_to_mean(measured_price_of(chunk).fill, ns);
}

void locality::fill_ended(std::uint64_t chunk, std::uint64_t uses, std::uint64_t waited_ns) {
  const price p = price_of(chunk);
  const std::uint64_t spent = is_timed_ ? std::min(waited_ns, max_gain * p.fill) : p.fill;
  const std::uint64_t saved = uses * p.direct;
  ++counts_.watched_fills;
  counts_.uses += uses;
  counts_.fill_ns += spent;
  counts_.saved_ns += saved;
  region& r = region_of(chunk);
  if (r.direct) return;
  ++recent_.fills;
  recent_.spent += spent;
  recent_.saved += saved;
  if (recent_.fills >= max_fills) {
    recent_.fills /= 2;
    recent_.spent /= 2;
    recent_.saved /= 2;
  }
  ++r.report.fills;
  r.report.spent += spent;
  r.report.saved += saved;
}

fill_report locality::take_report(std::uint64_t chunk) {
  if (!is_automatic()) return {};
  region& r = region_of(chunk);
  fill_report result = std::exchange(r.report, {});
  if (result.fills != 0) r.has_reported = true;
  if (result.is_empty() && !r.direct && !std::exchange(r.has_reported, true)) result = hearsay();
  return result;
}

/// Of a region in which no fill has ended: the mean of the rank's fills elsewhere, if that is bad.
fill_report locality::hearsay() const {
  if (recent_.fills < min_fills || recent_.saved >= recent_.spent) return {};
  return {hearsay_fills, recent_.spent * hearsay_fills / recent_.fills,
          recent_.saved * hearsay_fills / recent_.fills};
}

bool locality::accessed_directly(std::uint64_t chunk) {
  const bool is_measured = ++counts_.direct_accesses % timed_part == 0 && is_timed_;
  if (!is_automatic()) return false;
  region& r = region_of(chunk);
  const price p = price_of(chunk);
  r.direct_ns += p.direct;
  // Of all homes, because a rank's own chunks, which others cache, may have been filled by none.
  const std::uint64_t mean_fill = recent_.spent / std::max<std::uint64_t>(recent_.fills, 1);
  const std::uint64_t fill = std::max({p.fill, mean_fill, untimed_fill * p.direct});
  count_ghosts(chunk, r);
  if (!r.direct || r.direct_ns >> r.failures < trial_fills * fill) return is_measured;
  if (min_ghost_gain * r.ghost_fills * fill <= r.direct_ns) {
    told(chunk, false);
    r.report.tries_again = true;
  } else {
    r.direct_ns /= 2;
    r.ghost_fills /= 2;
  }
  return is_measured;
}

void locality::count_ghosts(std::uint64_t chunk, region& r) {
  if (std::exchange(r.window, window_) != window_) r.touched = 0;
  const std::uint64_t bit = std::uint64_t{1} << (chunk - region_begin(*map_, chunk));
  if ((r.touched & bit) != 0) return;
  r.touched |= bit;
  ++r.ghost_fills;
  if (++touched_in_window_ <= slots_ / 2) return;
  touched_in_window_ = 0;
  ++window_;
}

void locality::direct_took(std::uint64_t chunk, std::uint64_t ns) {
  add_to_mean(measured_price_of(chunk).direct, std::max<std::uint64_t>(ns, 1));
}

bool locality::lacks_price(std::uint64_t chunk) const {
  return is_timed_ && is_automatic() && !prices_.contains(map_->owner_of_chunk(chunk));
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
  const auto per_fill = [&](std::uint64_t sum) {
    return c.watched_fills == 0 ? 0.0
                                : static_cast<double>(sum) / static_cast<double>(c.watched_fills);
  };
  return fmt::format(
      "caching pays where a fill takes less time than its accesses would take past the cache;\n"
      "the home of a region decides for all ranks\n"
      "fills watched      {:>10}\n"
      "accesses per fill  {:>10.1f}  (counted until they have saved {} fills)\n"
      "a fill took        {:>10.1f}  ns{}\n"
      "and saved          {:>10.1f}  ns\n"
      "regions of {} chunks: {} seen, {} direct now; {} times one became direct, {} times cached\n"
      "direct accesses    {:>10}\n",
      c.watched_fills, per_fill(c.uses), max_gain, per_fill(c.fill_ns),
      is_timed_ ? "" : " (assumed: there is no clock)", per_fill(c.saved_ns), region_chunks,
      c.seen_regions, c.direct_regions, c.regions_left, c.regions_returned, c.direct_accesses);
}

}  // namespace far::cached
