// Misses of far::cached_array's protocol, compared with a call that returns a chunk.

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>

#include "bench/array.hpp"
#include "bench/array_loops.hpp"

namespace far::bench {
namespace {

using namespace array_loops;

constexpr std::uint64_t chunks = 4096;

/// The memory of rank 1 that calls return. Ranks are processes here, so each has its own.
std::array<word, chunks * chunk_words> own_words;

using chunk_data = std::array<word, chunk_words>;
chunk_data chunk_of(std::uint64_t chunk) {
  chunk_data result;
  std::memcpy(result.data(), &own_words[chunk * chunk_words], sizeof(result));
  return result;
}

/// As many messages as a dirty miss.
future<chunk_data> chunk_of_third(world& world, std::uint64_t chunk) {
  return rpc<chunk_of>(world, 2, chunk);
}

/// Rank 1 is the home of all chunks; rank 0 misses. Each miss is on another chunk, in an order
/// without a pattern; between rounds the chunks are taken back.
class miss_bed {
 public:
  explicit miss_bed(const world& world)
      : world_(world), a_(world, own_words.size(), options(world)) {
    std::iota(order_.begin(), order_.end(), std::uint64_t{0});
    std::ranges::shuffle(order_, std::minstd_rand());  // the same on all ranks
    // Every page exists before the first round.
    own_words.fill(1);
    fill(a_, 1);
  }

  /// Where the data are before a miss.
  enum class state {
    unshared,  ///< at the home, which may write them
    shared,    ///< at the home and at rank 2, for reading
    dirty      ///< at rank 2
  };

  /// Collective: makes this the state of the chunks on which rank 0 has missed since the last call,
  /// or of all.
  void take_back(state wanted) {
    if (world_.rank() == 1) write_used();
    barrier(world_);
    if (world_.rank() == 2 && wanted == state::shared) read(0, used_);
    if (world_.rank() == 2 && wanted == state::dirty) write_used();
    used_ = 0;
    barrier(world_);
  }
  /// Collective: the other ranks wait in the library.
  void miss(std::int64_t count) {
    const std::uint64_t end = used_ + static_cast<std::uint64_t>(count);
    if (end > chunks) throw error("the benchmark array has too few chunks to miss");
    if (world_.rank() == 0) read(used_, end);
    used_ = end;
    barrier(world_);
  }
  template <auto Function>
  void call(std::int64_t count) {
    for (std::int64_t i = 0; world_.rank() == 0 && i < count; ++i) {
      const std::uint64_t chunk = order_[static_cast<std::uint64_t>(i) % chunks];
      keep(rpc<Function>(world_, 1, chunk).get()[0]);
    }
    barrier(world_);
  }

 private:
  static cached_array_options options(const world& world) {
    cached_array_options how;
    how.begins.assign(static_cast<std::size_t>(world.size()), own_words.size());
    how.begins[0] = how.begins[1] = 0;
    how.cache_bytes = 2 * sizeof(own_words);  // no evictions
    how.force_protocol = true;
    how.prefetch = 0;
    how.how = caching::always;
    return how;
  }
  void read(std::uint64_t begin, std::uint64_t end) const {
    word sum = 0;
    for (std::uint64_t i = begin; i < end; ++i) sum += a_.get(order_[i] * chunk_words);
    keep(sum);
  }
  void write_used() const {
    for (std::uint64_t i = 0; i < used_; ++i) a_.put(order_[i] * chunk_words, i);
  }

  world world_;
  words a_;
  std::array<std::uint64_t, chunks> order_;
  /// Of order_: rank 0 may have the right to read these. At first none is in the wanted state.
  std::uint64_t used_ = chunks;
};

std::vector<subject> miss_subjects(world& world, std::initializer_list<miss_bed::state> states) {
  std::vector<subject> result;
  for (const miss_bed::state before : states) {
    const auto bed = std::make_shared<miss_bed>(world);
    constexpr const char* names[] = {"unshared", "shared", "dirty"};
    result.push_back({names[static_cast<int>(before)],
                      [bed](std::int64_t count) { bed->miss(count); },
                      [bed, before] { bed->take_back(before); }});
    if (result.size() == 1) {
      result.push_back({"call", [bed](std::int64_t count) { bed->call<chunk_of>(count); }});
    }
    if (before == miss_bed::state::dirty) {
      const auto run = [bed](std::int64_t count) { bed->call<chunk_of_third>(count); };
      result.push_back({"call of a call", run});
    }
  }
  return result;
}

}  // namespace

void add_miss_rows(report& result, const array_effort& how) {
  using state = miss_bed::state;
  const auto add = [&](const round_times& times, paired_subjects what) {
    what.row = "miss: " + what.row;
    if (what.limit.empty()) what.limit = "call";
    result.rows.push_back(row_of(what, times));
  };
  const auto measure = [&](int ranks, std::initializer_list<state> states) {
    const auto prepare = [states](world& world) { return miss_subjects(world, states); };
    return rounds_of_jobs(how.jobs(), ranks, prepare, how.of_a_job());
  };
  const round_times two = measure(2, {state::unshared});
  add(two, {"clean, not shared", "unshared", {}, 1.5});
  const round_times three = measure(3, {state::shared, state::dirty});
  add(three, {"clean, shared by a third rank", "shared", {}, 1.5});
  add(three, {"dirty, at a third rank", "dirty", {}, 2.5});
  add(three, {"dirty, limit: a call of a call", "dirty", "call of a call"});
}

}  // namespace far::bench
