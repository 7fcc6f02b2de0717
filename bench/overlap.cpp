// How much of a transfer a computation hides, between two processes (row D4, and figure 7 of
// armci-host-assisted on this machine).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/array.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/surroundings.hpp"

namespace far::bench {
namespace {

/// 1 MB of doubles: contiguous, or rows of a matrix whose rows have 64 bytes more.
struct shape {
  std::string_view name;
  std::uint64_t rows;
  std::uint64_t columns;
};
constexpr std::uint64_t elements = 1 << 17;
constexpr std::uint64_t gap = 8;
constexpr shape shapes[] = {{"1 MB", 1, elements}, {"1024 x 1 KB", 1024, elements / 1024}};
constexpr std::string_view verbs[] = {"get", "put"};

/// Computes without memory: `steps` of a chain of dependent operations.
void compute(std::int64_t steps) {
  std::uint64_t x = 1;
  for (std::int64_t i = 0; i < steps; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    keep(x);
  }
}

/// The best of several tries, because another program may have had the core.
template <class Once>
double best_ns(Once once) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 25; ++i) {
    const double begin = now_ns();
    once();
    best = std::min(best, now_ns() - begin);
  }
  return best;
}

/// The last rank's memory, and memory of the allocator here. The last rank's service thread does
/// what its processor has to do.
struct bed {
  explicit bed(world& on) : view(on), serving(on) {
    for (const shape& s : shapes) most = std::max(most, s.rows * (s.columns + gap));
    there = allocate<double>(view, most).on(view.size() - 1);
    here = local_span(view, allocate_local<double>(view, elements), elements);
    barrier(view);
  }

  [[nodiscard]] future<void> start(std::string_view verb, const shape& s) const {
    const auto remote = patch(there, s.rows, s.columns, s.columns + gap);
    const auto local = patch(here.data(), s.rows, s.columns);
    return verb == "get" ? get_async(view, remote, local) : put_async(view, remote, local);
  }

  world& view;
  service serving;
  std::uint64_t most = 0;
  ptr<double> there;
  std::span<double> here;
};

std::string alone(std::string_view verb, const shape& s) {
  return fmt::format("{} {}", verb, s.name);
}
std::string after(std::string_view verb, const shape& s) {
  return fmt::format("{} {}, then compute", verb, s.name);
}
std::string meanwhile(std::string_view verb, const shape& s) {
  return fmt::format("{} {}, compute meanwhile", verb, s.name);
}

/// On rank 0; the other rank sleeps. A computation takes as long as the transfer alone.
std::vector<subject> subjects_of(world& world) {
  const auto at = std::make_shared<bed>(world);
  const bool leads = world.rank() == 0;
  std::vector<subject> result;
  const auto add = [&](std::string name, auto once) {
    result.push_back({std::move(name), [once, leads](std::int64_t count) {
                        for (std::int64_t i = 0; leads && i < count; ++i) once();
                      }});
  };
  constexpr std::int64_t probe = 1 << 16;
  const double step_ns = leads ? best_ns([] { compute(probe); }) / probe : 0;
  for (const std::string_view verb : verbs) {
    for (const shape& s : shapes) {
      const double ns = leads ? best_ns([&] { at->start(verb, s).get(); }) : 0;
      const std::int64_t steps = leads ? std::llround(ns / step_ns) : 0;
      add(alone(verb, s), [=] { at->start(verb, s).get(); });
      add(after(verb, s), [=] {
        at->start(verb, s).get();
        compute(steps);
      });
      add(meanwhile(verb, s), [=] {
        future<void> moving = at->start(verb, s);
        compute(steps);
        moving.get();
      });
    }
  }
  barrier(world);
  return result;
}

void add_rows(report& result, const std::string& fabric, const round_times& times) {
  for (const std::string_view verb : verbs) {
    for (const shape& s : shapes) {
      row line = row_of({.row = fmt::format("{}: {}", fabric, alone(verb, s)),
                         .far = meanwhile(verb, s),
                         .limit = after(verb, s)},
                        times);
      const double transfer = median(times.of(alone(verb, s)));
      const double hidden = (line.limit_ns.value_or(0) - line.ns) / transfer;
      line.note = fmt::format("{} alone, of which {:.0f} % is hidden", human_time(transfer),
                              100 * std::clamp(hidden, 0.0, 1.0));
      result.rows.push_back(std::move(line));
    }
  }
}

report measure_overlap(const settings& chosen) {
  check_settings("overlap", chosen);
  report result;
  result.measured =
      "overlap: 1 MB of doubles from and to another process, which sleeps, by one call that does "
      "not block, a computation\nthat takes as long as the transfer alone, and the wait for the "
      "transfer. Limit: the same computation after the\ntransfer, so 0.5 is all hidden, and 1 "
      "nothing. shm: memory that both processes map. ucx: TCP over loopback.\nEach process has a "
      "service thread. In brackets: the ratio's 95 % confidence interval.";
  const effort how{
      .rounds = chosen.quick ? 6 : 25, .round_ms = chosen.quick ? 0.1 : 10, .binds = false};
  add_rows(result, "shm", rounds_on_processes(2, "overlap, shm", subjects_of, how));
  const surroundings around = tcp_on_one_machine();
  add_rows(result, "ucx", rounds_on_processes(2, "overlap, ucx", subjects_of, how));
  return result;
}

const benchmark registered("overlap", "what a computation hides of transfers of 1 MB",
                           measure_overlap);

}  // namespace
}  // namespace far::bench
