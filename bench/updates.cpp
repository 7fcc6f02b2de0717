// Random updates (a histogram, GUPS) and index-gather by two processes at once: by far::aggregator,
// word by word one-sided, call by call, and by a baseline on memory that both map.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/baselines/common.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/random_places.hpp"
#include "bench/harness/registry.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int processes = 2;

// Each rank's part has 2^Bits words: one size fits a core's private caches, one far exceeds them.
constexpr int min_bits = 15;
constexpr int max_bits = 23;

// A gather writes to this many words, again and again.
constexpr std::uint32_t gathered_words = 1 << 14;

using word = std::atomic_ref<std::uint64_t>;

/// A place in the whole table.
struct place {
  int rank;
  std::uint32_t index;
};

template <int Bits>
class places {
 public:
  place operator()() noexcept {
    const auto at = static_cast<std::uint64_t>(next_());
    return {static_cast<int>(at >> Bits),
            static_cast<std::uint32_t>(at & ((std::uint64_t{1} << Bits) - 1))};
  }

 private:
  random_places<Bits + 1> next_;  // over two ranks
};

/// The data of the rank on which a function runs. Ranks are processes here, so each has its own.
std::uint64_t* own_words = nullptr;
std::vector<std::uint64_t> gathered(gathered_words);

struct add_one {
  void operator()(std::uint32_t index) const noexcept { ++own_words[index]; }
};

struct look_up {
  std::uint64_t operator()(std::uint32_t index) const noexcept { return own_words[index]; }
};

struct keep_answer {
  void operator()(std::uint32_t at, std::uint64_t value) const noexcept { gathered[at] = value; }
};

/// Memory that both processes map, for the baseline loops.
struct baseline_memory {
  baseline::barrier barrier{processes, core_count() >= processes};
  std::array<std::uint64_t, std::size_t{processes} << max_bits> words;
};

/// The loops for one table size. Each ends when all ranks' operations are done.
template <int Bits>
class loops {
 public:
  loops(world& world, ptr<std::uint64_t> table, baseline_memory& baseline)
      : world_(world), table_(table), baseline_(baseline), add_(world), ask_(world, {}, {}) {}

  void aggregated_updates(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      add_(at.rank, at.index);
    }
    settle(world_, add_);
  }
  void called_updates(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      rpc_oneway(world_, at.rank, add_one{}, at.index);
    }
    quiesce(world_);
  }
  void one_sided_updates(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      atomic_ref<std::uint64_t>(world_, table_.on(at.rank) + at.index).add(1);
    }
    barrier(world_);
  }
  void plain_updates(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      word(*mapped(next())).fetch_add(1, std::memory_order_relaxed);
    }
    baseline_.barrier.wait();
  }

  void aggregated_gather(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      ask_(at.rank, slot(i), at.index);
    }
    settle(world_, ask_);
  }
  void one_sided_gather(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      gathered[slot(i)] = get(world_, table_.on(at.rank) + at.index);
    }
    barrier(world_);
  }
  void listed_gather(std::int64_t count) {
    constexpr std::int64_t max = 512;
    places<Bits> next;
    std::vector<get_part> parts;
    for (std::int64_t i = 0; i < count;) {
      parts.clear();
      for (std::int64_t n = 0; n < max && i < count; ++n, ++i) {
        const place at = next();
        parts.push_back(get_part_of(table_.on(at.rank) + at.index, {&gathered[slot(i)], 1}));
      }
      get(world_, parts);
    }
    barrier(world_);
  }
  void plain_gather(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      gathered[slot(i)] = word(*mapped(next())).load(std::memory_order_relaxed);
    }
    baseline_.barrier.wait();
  }

 private:
  static std::uint32_t slot(std::int64_t i) noexcept {
    return static_cast<std::uint32_t>(i) & (gathered_words - 1);
  }
  std::uint64_t* mapped(place at) noexcept {
    return baseline_.words.data() + (static_cast<std::size_t>(at.rank) << max_bits) + at.index;
  }

  world& world_;
  ptr<std::uint64_t> table_;
  baseline_memory& baseline_;
  aggregator<add_one, std::uint32_t> add_;
  query_aggregator<look_up, keep_answer, std::uint32_t, std::uint32_t> ask_;
};

template <int Bits>
std::vector<subject> subjects_of(world& world, ptr<std::uint64_t> table,
                                 baseline_memory& baseline) {
  const auto all = std::make_shared<loops<Bits>>(world, table, baseline);
  using member = void (loops<Bits>::*)(std::int64_t);
  const auto of = [&](const char* what, member run) {
    return subject{fmt::format("{} 2^{}", what, Bits),
                   [all, run](std::int64_t count) { ((*all).*run)(count); }};
  };
  return {of("updates", &loops<Bits>::aggregated_updates),
          of("updates by hand", &loops<Bits>::plain_updates),
          of("updates one-sided", &loops<Bits>::one_sided_updates),
          of("updates by rpc", &loops<Bits>::called_updates),
          of("gather", &loops<Bits>::aggregated_gather),
          of("gather by hand", &loops<Bits>::plain_gather),
          of("gather one-sided", &loops<Bits>::one_sided_gather),
          of("gather by lists", &loops<Bits>::listed_gather)};
}

report measure_updates() {
  const shared_memory memory(sizeof(baseline_memory));
  // Each rank writes its own part below, so that it is the first to touch those pages.
  auto& baseline = *new (memory.data()) baseline_memory;
  const auto prepare = [&](world& world) {
    const auto table = allocate<std::uint64_t>(world, std::uint64_t{1} << max_bits);
    own_words = local(world, table);
    const auto part = static_cast<std::size_t>(world.rank()) << max_bits;
    for (std::size_t i = 0; i < std::size_t{1} << max_bits; ++i) {
      own_words[i] = 0;
      baseline.words[part + i] = 0;
    }
    barrier(world);
    std::vector<subject> subjects = subjects_of<min_bits>(world, table, baseline);
    for (subject& s : subjects_of<max_bits>(world, table, baseline)) {
      subjects.push_back(std::move(s));
    }
    return subjects;
  };
  // Use long rounds, because each ends with sending all ranks' last buffers.
  const auto ns =
      measure_on_processes(processes, "updates", prepare, {.rounds = 41, .round_ms = 5});

  report result;
  result.measured =
      "updates: two processes, each on random words of both parts of a table: add one (update), "
      "and "
      "read\n(gather), until both are done. far: by far::aggregator and far::query_aggregator. "
      "Limit:\nrelaxed atomics of a loop on memory that both map. Million a second "
      "and core: of each process.";
  const double* next = ns.data();
  for (const char* size : {"256 KB", "64 MB"}) {
    const auto rate = [&] { return fmt::format("{:.1f} M/s a core", 1e3 / next[0]); };
    result.rows.push_back({fmt::format("update, {} a rank", size),
                           next[0],
                           next[1],
                           {{"one-sided", next[2]}, {"rpc", next[3]}},
                           {},
                           rate()});
    next += 4;
    result.rows.push_back({fmt::format("gather, {} a rank", size),
                           next[0],
                           next[1],
                           {{"one-sided", next[2]}, {"lists", next[3]}},
                           {},
                           rate()});
    next += 4;
  }
  return result;
}

const benchmark registered("updates", "random updates and gathers, aggregated, against a baseline",
                           measure_updates);

}  // namespace
}  // namespace far::bench
