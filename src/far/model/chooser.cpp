#include "far/model/chooser.hpp"

#include <algorithm>
#include <cmath>

namespace far::model {

namespace {

constexpr double min_gain = 0.07;         // the gain for which the way is changed
constexpr double exploring_share = 0.02;  // of the time observed, to pay for trials
constexpr double max_allowance_ns = 1e6;
constexpr std::uint64_t stale_choices = 64;  // calls that were not chosen are tried after so many
constexpr std::uint64_t apart_count = 32;
constexpr double min_apart_ns = 100;    // shorter times count as this
constexpr std::uint64_t patience = 16;  // stale_choices times this: tried even if its kind is known

double or_expected(const estimate& seen, double expected) {
  return seen.is_observed() ? seen.mean() : expected;
}

}  // namespace

void estimate::observe(double ns, std::uint64_t now) noexcept {
  constexpr double max_times = 8;  // limits the effect of a process that was descheduled once
  constexpr double far_away = 3;
  constexpr std::uint32_t max_count = 32;
  last_ = now;
  latest_ = ns;
  if (count_ == 0) {
    mean_ = recent_ = ns;
    count_ = 1;
    return;
  }
  const double seen = std::min(ns, max_times * mean_);
  count_ = std::min(count_ + 1, max_count);
  recent_ += (seen - recent_) / 4;
  mean_ += (seen - mean_) / count_;
  if (recent_ > far_away * mean_ || far_away * recent_ < mean_) {
    mean_ = recent_;
    count_ = 4;
  }
}

chooser::chooser(std::size_t one_sided, std::size_t kinds, std::uint64_t stale_one_sided)
    : one_sided_(one_sided),
      alike_(kinds),
      called_apart_(kinds),
      stale_one_sided_(stale_one_sided) {}

const estimate& chooser::kind_of(std::uint32_t call, const call_entry& entry) const noexcept {
  return alike_.empty() ? entry.cost : alike_[call % alike_.size()];
}

/// With few observations of a target, its cost is taken to be close to that of its kind.
double chooser::cost_of(const call_entry& entry, const estimate& kind, double expected) noexcept {
  constexpr double like_all = 4;  // observations
  if (!kind.is_observed()) return expected;
  const double own = entry.share.count();
  return kind.mean() * (like_all + own * entry.share.mean()) / (like_all + own);
}

/// The ratio that one call adds to its target's share. A slow call already raises the estimate of
/// its kind. So it counts at most as twice the target's share, and the next call, if it is slow
/// too, at most as twice that.
double chooser::share_of(const call_entry& entry, const estimate& kind, double ns) noexcept {
  const double share = ns / std::max(kind.mean(), 1.0);
  if (!entry.share.is_observed()) return std::min(share, 2.0);
  return std::min(share, 2 * std::max(entry.share.mean(), entry.share.latest()));
}

/// Whether the time between operations has halved since a call of this kind was last made.
bool chooser::has_less_between(std::uint32_t call) const noexcept {
  return !alike_.empty() && 2 * apart_ns_ < called_apart_[call % alike_.size()];
}

choice chooser::choose(std::uint32_t one_sided, std::uint32_t call, const way_costs& expected,
                       double apart_ns) {
  const std::scoped_lock lock(mutex_);
  ++now_;
  apart_ns_ += (std::max(apart_ns, min_apart_ns) - apart_ns_) /
               static_cast<double>(std::min(now_, apart_count));
  const estimate& direct = one_sided_[one_sided];
  call_entry& entry = calls_[call];
  const estimate& kind = kind_of(call, entry);
  const way_costs costs{or_expected(direct, expected.one_sided),
                        alike_.empty() ? or_expected(entry.cost, expected.call)
                                       : cost_of(entry, kind, expected.call)};
  const std::uint32_t bit = 1u << (one_sided % 32);

  const bool is_first = (entry.decided & bit) == 0;
  bool by_call = (entry.by_call & bit) != 0;
  const double now = by_call ? costs.call : costs.one_sided;
  const double other = by_call ? costs.one_sided : costs.call;
  if (is_first ? other < now : other < now * (1 - min_gain)) {
    by_call = !by_call;
    entry.by_call ^= bit;
    if (!is_first) ++counts_.switched;
  }
  entry.decided |= bit;

  choice chosen{by_call ? way::call : way::one_sided, false, one_sided, call, 0};
  const estimate& not_chosen = by_call ? direct : kind;
  const double extra = std::abs(costs.call - costs.one_sided);
  const bool is_stale = by_call ? now_ - direct.last() >= stale_one_sided_
                                : now_ - kind.last() >= stale_choices ||
                                      now_ - entry.cost.last() >= patience * stale_choices;
  const bool is_due = is_stale && allowance_ns_ >= std::min(extra, max_allowance_ns);
  const bool is_promising =
      not_chosen.has_surprised() && not_chosen.latest() < std::min(costs.call, costs.one_sided);
  const bool is_unknown = has_less_between(call) && !by_call;
  if (is_due || is_promising || is_unknown) {
    chosen.how = by_call ? way::one_sided : way::call;
    chosen.explores = true;
    chosen.renews = is_unknown;
    if (is_unknown) called_apart_[call % alike_.size()] = apart_ns_;
    // The trial is paid at once, so that choices of other threads do not spend the same allowance.
    // The rest of the allowance is dropped, or it would be spent in a burst.
    if (is_due) allowance_ns_ = std::min(allowance_ns_ - extra, 0.0);
    ++counts_.explored;
  }
  chosen.expected_ns = chosen.how == way::call ? costs.call : costs.one_sided;
  ++(chosen.how == way::call ? counts_.calls : counts_.one_sided);
  return chosen;
}

void chooser::observe(const choice& chosen, double ns) {
  const std::scoped_lock lock(mutex_);
  allowance_ns_ = std::min(allowance_ns_ + exploring_share * ns, max_allowance_ns);
  if (chosen.explores) allowance_ns_ -= std::max(0.0, ns - chosen.expected_ns);
  if (chosen.how == way::call) {
    call_entry& entry = calls_[chosen.call];
    if (!alike_.empty()) {
      estimate& kind = alike_[chosen.call % alike_.size()];
      if (chosen.renews) kind = entry.share = estimate();
      called_apart_[chosen.call % alike_.size()] = apart_ns_;
      if (kind.is_observed()) entry.share.observe(share_of(entry, kind, ns), now_);
      kind.observe(ns, now_);
    }
    entry.cost.observe(ns, now_);
  } else {
    one_sided_[chosen.one_sided].observe(ns, now_);
  }
}

choice_counts chooser::counted() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

estimate chooser::one_sided(std::size_t index) const {
  const std::scoped_lock lock(mutex_);
  return one_sided_.at(index);
}

estimate chooser::call(std::size_t index) const {
  const std::scoped_lock lock(mutex_);
  const auto entry = calls_.find(index);
  return entry == calls_.end() ? estimate() : entry->second.cost;
}

}  // namespace far::model
