// Random updates (a histogram, GUPS) and index-gather over two processes that both do them: by
// far::aggregator, word by word one-sided, call by call, and by hand on memory that both map.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/baselines/by_hand.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/random_places.hpp"
#include "bench/harness/registry.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int processes = 2;

// Words of each rank's part, 2^Bits: what a core's own caches hold, and what is far beyond them.
constexpr int least_bits = 15;
constexpr int most_bits = 23;

// What a gather writes lies in so many words, over and over.
constexpr std::uint32_t gathered_words = 1 << 14;

using word = std::atomic_ref<std::uint64_t>;

/// A place of the whole table.
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
  random_places<Bits + 1> next_;  // of two ranks
};

/// What functions find on the rank that they run on. Ranks are processes here, so each has its own.
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

/// What both processes map, for the loops by hand.
struct by_hand_memory {
  by_hand::barrier barrier{processes, core_count() >= processes};
  std::array<std::uint64_t, std::size_t{processes} << most_bits> words;
};

/// The loops of one size of table. Each ends when all ranks' operations are done.
template <int Bits>
class loops {
 public:
  loops(world& view, ptr<std::uint64_t> table, by_hand_memory& by_hand)
      : view_(view), table_(table), by_hand_(by_hand), add_(view), ask_(view, {}, {}) {}

  void aggregated_updates(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      add_(at.rank, at.index);
    }
    settle(view_, add_);
  }
  void called_updates(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      rpc_oneway(view_, at.rank, add_one{}, at.index);
    }
    quiesce(view_);
  }
  void one_sided_updates(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      atomic_ref<std::uint64_t>(view_, table_.on(at.rank) + at.index).add(1);
    }
    barrier(view_);
  }
  void updates_by_hand(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      word(*mapped(next())).fetch_add(1, std::memory_order_relaxed);
    }
    by_hand_.barrier.wait();
  }

  void aggregated_gather(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      ask_(at.rank, slot(i), at.index);
    }
    settle(view_, ask_);
  }
  void one_sided_gather(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      const place at = next();
      gathered[slot(i)] = get(view_, table_.on(at.rank) + at.index);
    }
    barrier(view_);
  }
  void listed_gather(std::int64_t count) {
    constexpr std::int64_t most = 512;
    places<Bits> next;
    std::vector<get_part> parts;
    for (std::int64_t i = 0; i < count;) {
      parts.clear();
      for (std::int64_t n = 0; n < most && i < count; ++n, ++i) {
        const place at = next();
        parts.push_back(get_part_of(table_.on(at.rank) + at.index, {&gathered[slot(i)], 1}));
      }
      get(view_, parts);
    }
    barrier(view_);
  }
  void gather_by_hand(std::int64_t count) {
    places<Bits> next;
    for (std::int64_t i = 0; i < count; ++i) {
      gathered[slot(i)] = word(*mapped(next())).load(std::memory_order_relaxed);
    }
    by_hand_.barrier.wait();
  }

 private:
  static std::uint32_t slot(std::int64_t i) noexcept {
    return static_cast<std::uint32_t>(i) & (gathered_words - 1);
  }
  std::uint64_t* mapped(place at) noexcept {
    return by_hand_.words.data() + (static_cast<std::size_t>(at.rank) << most_bits) + at.index;
  }

  world& view_;
  ptr<std::uint64_t> table_;
  by_hand_memory& by_hand_;
  aggregator<add_one, std::uint32_t> add_;
  query_aggregator<look_up, keep_answer, std::uint32_t, std::uint32_t> ask_;
};

template <int Bits>
std::vector<subject> subjects_of(world& view, ptr<std::uint64_t> table, by_hand_memory& by_hand) {
  const auto all = std::make_shared<loops<Bits>>(view, table, by_hand);
  using member = void (loops<Bits>::*)(std::int64_t);
  const auto of = [&](const char* what, member run) {
    return subject{fmt::format("{} 2^{}", what, Bits),
                   [all, run](std::int64_t count) { ((*all).*run)(count); }};
  };
  return {of("updates", &loops<Bits>::aggregated_updates),
          of("updates by hand", &loops<Bits>::updates_by_hand),
          of("updates one-sided", &loops<Bits>::one_sided_updates),
          of("updates by rpc", &loops<Bits>::called_updates),
          of("gather", &loops<Bits>::aggregated_gather),
          of("gather by hand", &loops<Bits>::gather_by_hand),
          of("gather one-sided", &loops<Bits>::one_sided_gather),
          of("gather by lists", &loops<Bits>::listed_gather)};
}

report measure_updates() {
  const shared_memory memory(sizeof(by_hand_memory));
  // Written by each rank below, so that each has touched its own part before the other.
  auto& by_hand = *new (memory.data()) by_hand_memory;
  const auto prepare = [&](world& view) {
    const auto table = allocate<std::uint64_t>(view, std::uint64_t{1} << most_bits);
    own_words = local(view, table);
    const auto part = static_cast<std::size_t>(view.rank()) << most_bits;
    for (std::size_t i = 0; i < std::size_t{1} << most_bits; ++i) {
      own_words[i] = 0;
      by_hand.words[part + i] = 0;
    }
    barrier(view);
    std::vector<subject> subjects = subjects_of<least_bits>(view, table, by_hand);
    for (subject& s : subjects_of<most_bits>(view, table, by_hand)) {
      subjects.push_back(std::move(s));
    }
    return subjects;
  };
  // Long rounds, for each ends with all ranks' last buffers.
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

const benchmark registered("updates", "random updates and gathers, aggregated, beside by hand",
                           measure_updates);

}  // namespace
}  // namespace far::bench
