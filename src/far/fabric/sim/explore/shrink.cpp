#include "far/fabric/sim/explore/shrink.hpp"

#include <algorithm>
#include <utility>

namespace far::fabric::sim {
namespace {

class shrinker {
 public:
  shrinker(trace decisions, const std::function<bool(const trace&)>& fails, int max_runs)
      : best_(trimmed(std::move(decisions))), fails_(&fails), max_runs_(max_runs) {}

  shrunk run() {
    cut_end();
    while (!spent() && calm_chunks()) {
    }
    lower_answers();
    return {std::move(best_), runs_};
  }

 private:
  [[nodiscard]] bool spent() const noexcept { return runs_ >= max_runs_; }

  bool try_out(trace candidate) {
    if (spent()) return false;
    ++runs_;
    candidate = trimmed(std::move(candidate));
    if (!(*fails_)(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// Cuts off the end, and halves the length to cut whenever the rest does not fail.
  void cut_end() {
    if (try_out({})) return;
    for (std::size_t cut = best_.size() / 2; cut > 0 && !spent();) {
      cut = std::min(cut, best_.size());
      const auto keep = static_cast<std::ptrdiff_t>(best_.size() - cut);
      if (!try_out(trace(best_.begin(), best_.begin() + keep))) cut /= 2;
    }
  }

  /// Indices of the answers that are not calm.
  [[nodiscard]] std::vector<std::size_t> deviations() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < best_.size(); ++i) {
      if (best_[i] != 0) places.push_back(i);
    }
    return places;
  }

  /// Returns true if any chunk could be made calm.
  bool calm_chunks() {
    bool any = false;
    for (std::size_t chunk = (deviations().size() + 1) / 2; chunk > 0 && !spent(); chunk /= 2) {
      // From the end: late answers depend on early ones, not vice versa.
      std::size_t end = deviations().size();
      while (end > 0 && !spent()) {
        const std::vector<std::size_t> places = deviations();
        end = std::min(end, places.size());
        const std::size_t begin = end > chunk ? end - chunk : 0;
        trace candidate = best_;
        for (std::size_t i = begin; i < end; ++i) candidate[places[i]] = 0;
        any |= try_out(std::move(candidate)) || (chunk == 1 && try_moved(places[begin]));
        end = begin;
      }
    }
    return any;
  }

  /// Makes an answer calm, and shifts those after it by a few places. If a fiber does not let
  /// others run first, the choice among them is never made, and the rest of the trace would answer
  /// the wrong questions.
  bool try_moved(std::size_t place) {
    constexpr std::size_t farthest = 3;
    for (std::size_t by = 1; by <= farthest; ++by) {
      trace earlier = best_;
      earlier[place] = 0;
      trace later = earlier;
      const auto next = static_cast<std::ptrdiff_t>(place + 1);
      const auto end = static_cast<std::ptrdiff_t>(std::min(place + 1 + by, earlier.size()));
      earlier.erase(earlier.begin() + next, earlier.begin() + end);
      later.insert(later.begin() + next, by, 0);
      if (try_out(std::move(earlier)) || try_out(std::move(later))) return true;
    }
    return false;
  }

  void lower_answers() {
    for (const std::size_t place : deviations()) {
      if (place >= best_.size() || best_[place] <= 1) continue;
      for (const std::uint64_t smaller : {std::uint64_t{1}, best_[place] / 2, best_[place] - 1}) {
        if (smaller == 0 || smaller >= best_[place]) continue;
        trace candidate = best_;
        candidate[place] = smaller;
        if (try_out(std::move(candidate))) break;
      }
    }
  }

  trace best_;
  const std::function<bool(const trace&)>* fails_;
  int max_runs_;
  int runs_ = 0;
};

}  // namespace

shrunk shrink(trace decisions, const std::function<bool(const trace&)>& fails, int max_runs) {
  return shrinker(std::move(decisions), fails, max_runs).run();
}

}  // namespace far::fabric::sim
