#include "test/litmus/corpus.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <numeric>
#include <utility>

#include "test/litmus/cached_programs.hpp"
#include "test/litmus/generate.hpp"
#include "test/litmus/interleavings.hpp"

namespace far::litmus {

std::size_t judged::find(const outcome& o) const {
  const auto place = std::ranges::lower_bound(allowed, o);
  if (place == allowed.end() || *place != o) return allowed.size();
  return static_cast<std::size_t>(place - allowed.begin());
}

const std::vector<judged>& corpus() {
  static const std::vector<judged> all = [] {
    std::vector<judged> made;
    for (program& p : all_programs()) {
      std::vector<outcome> outcomes = allowed(p);
      made.push_back({std::move(p), std::move(outcomes)});
    }
    return made;
  }();
  return all;
}

const std::vector<judged>& cached_corpus() {
  static const std::vector<judged> all = [] {
    constexpr std::uint64_t seed = 1;
    constexpr std::size_t random_programs = 300;
    std::vector<program> programs = cached_array_shapes();
    std::ranges::move(random_cached_array_programs(seed, random_programs),
                      std::back_inserter(programs));
    std::vector<judged> made;
    for (program& p : programs) {
      std::vector<outcome> outcomes = interleavings(p);
      made.push_back({std::move(p), std::move(outcomes)});
    }
    return made;
  }();
  return all;
}

tally::tally(const std::vector<judged>& of) : programs_(&of) {
  first_.push_back(0);
  for (const judged& j : of) first_.push_back(first_.back() + j.allowed.size());
  void* const memory = mmap(nullptr, first_.back() * sizeof *counts_, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  counts_ = static_cast<std::uint32_t*>(memory);
}

tally::~tally() { munmap(counts_, first_.back() * sizeof *counts_); }

bool tally::record(std::size_t program, const outcome& o) noexcept {
  const judged& j = (*programs_)[program];
  const std::size_t which = j.find(o);
  if (which == j.allowed.size()) return false;
  ++counts_[first_[program] + which];
  return true;
}

std::size_t tally::outcomes() const noexcept {
  return first_.back() - static_cast<std::size_t>(std::count(counts_, counts_ + first_.back(), 0));
}

std::uint64_t tally::runs() const noexcept {
  return std::accumulate(counts_, counts_ + first_.back(), std::uint64_t{0});
}

}  // namespace far::litmus
