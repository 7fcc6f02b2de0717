#include "bench/scaling/pace.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <exception>
#include <functional>
#include <limits>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include <fmt/format.h>

namespace far::bench::scaling {
namespace {

constexpr std::size_t max_loads = 16;
constexpr std::size_t max_text = 255;

/// A round that takes so many times as long as it was meant to ends early: where ranks share cores,
/// they are sometimes alone with a structure, and sometimes hand it on at each operation.
constexpr double max_overrun = 8;
constexpr std::int64_t parts = 256;  // of a round; after each a rank looks at the clock

/// Timed operations of a load: enough for a longest one, few enough for a quick one.
constexpr std::int64_t min_timed = 16;
constexpr std::int64_t max_timed = std::int64_t{1} << 18;

/// What the measuring process tells the one that started it, in memory of both.
struct told {
  struct line {
    char load[64];
    double ns;
    double longest_in_means;
  };
  char trouble[max_text + 1];
  std::size_t count;
  line lines[max_loads];

  void tell(const pace& found) {
    if (count == max_loads) throw bad_argument("too many loads in a job of far bench scaling");
    line& next = lines[count++];
    found.load.copy(next.load, sizeof(next.load) - 1);
    next.ns = found.ns;
    next.longest_in_means = found.longest_in_means;
  }
};

struct maximum {
  double operator()(double a, double b) const { return std::max(a, b); }
};

std::int64_t warm_up_of(std::int64_t each) { return each / 4; }

/// The number of timed operations for which there is room besides the first ones.
std::int64_t with_room(const load& l, std::int64_t each) { return std::min(each, l.room / 5 * 4); }

/// When a round that begins now is over at the latest.
double end_of(const load& l, const effort& how) {
  if (l.collective) return std::numeric_limits<double>::infinity();
  return now_ns() + max_overrun * how.round_ms * 1e6;
}

/// Runs `each` operations, fewer if that takes too long. Returns how many.
std::int64_t run_until(const load& l, std::int64_t first, std::int64_t each, double end_ns) {
  std::int64_t done = 0;
  while (done < each && now_ns() < end_ns) {
    const std::int64_t next = std::min(each / parts + 1, each - done);
    l.run(first + done, next);
    done += next;
  }
  return done;
}

/// Runs a load's first operations, which do not count. Returns how many they were.
std::int64_t begin(const world& world, const load& l, std::int64_t each, double end_ns) {
  const std::int64_t warm = warm_up_of(each);
  if (l.make_ready) l.make_ready(warm + each);
  (void)run_until(l, 0, warm, end_ns);
  barrier(world);
  return warm;
}

subject subject_of(const world& world, const load& l, const effort& how) {
  const auto ns = std::make_shared<double>(0);
  const auto run = [&world, &l, how, ns](std::int64_t count) {
    if (count == 0) return;  // the harness has no warm-up of its own here
    const std::int64_t each = with_room(l, count);
    const std::int64_t first = begin(world, l, each, end_of(l, how));
    const double start = now_ns();
    const std::int64_t done = run_until(l, first, each, end_of(l, how));
    barrier(world);
    const double took = now_ns() - start;
    const auto all = std::max<std::int64_t>(allreduce(world, done), 1);
    *ns = took * static_cast<double>(count) * world.size() / static_cast<double>(all);
  };
  return {.name = l.name, .run = run, .own_ns = [ns] { return *ns; }};
}

/// Collective. `ns`: what an operation took when no clock was looked at.
double longest_in_means(const world& world, const load& l, double ns, const effort& how) {
  const auto wanted = static_cast<std::int64_t>(how.round_ms * 1e6 / std::max(ns, 1.0));
  const auto each = broadcast(world, with_room(l, std::clamp(wanted, min_timed, max_timed)), 0);
  const std::int64_t first = begin(world, l, each, end_of(l, how));
  const waits mine = l.time_each(first, each, end_of(l, how));
  barrier(world);
  const double longest = allreduce(world, mine.longest_ns, maximum{});
  const auto all = std::max<std::int64_t>(allreduce(world, mine.count), 1);
  const double mean = allreduce(world, mine.sum_ns) / static_cast<double>(all);
  return longest / std::max(mean, 1.0);
}

void measure(const job& what, int ranks, const effort& how, told& result) {
  const loads_of_rank make = what.make(ranks);
  const bool binds = ranks <= core_count();
  const std::string label = fmt::format("scaling, {} ranks, {}", ranks, what.name);
  far::run({.ranks = ranks, .mode = what.mode}, [&](world& world) {
    if (binds) take_own_core(world.rank());
    const std::vector<load> loads = make(world);
    std::vector<subject> subjects;
    for (const load& l : loads) subjects.push_back(subject_of(world, l, how));
    const std::vector<double> ns = measure_in_job(world, label, subjects, how);
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const pace found{loads[i].name, ns[i], longest_in_means(world, loads[i], ns[i], how)};
      if (world.rank() == 0) result.tell(found);
    }
    barrier(world);
  });
}

/// Whether the process has ended by itself. Ends it, and with it its ranks, after the limit.
bool ends_in_time(pid_t child, int limit_s) {
  using namespace std::chrono_literals;
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(limit_s);
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > last) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      return false;
    }
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

}  // namespace

paces paces_of(const job& what, int ranks, const effort& how, int limit_s) {
  const shared_memory memory(sizeof(told));
  auto& result = *new (memory.data()) told;
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
      measure(what, ranks, how, result);
      _exit(0);
    } catch (const std::exception& failure) {
      std::string_view(failure.what()).copy(result.trouble, max_text);
    }
    _exit(1);
  }
  const bool ended = ends_in_time(child, limit_s);
  paces found;
  for (std::size_t i = 0; i < result.count; ++i) {
    const told::line& line = result.lines[i];
    found.all.push_back({line.load, line.ns, line.longest_in_means});
  }
  if (!ended) {
    found.trouble = fmt::format("did not end within {} s", limit_s);
  } else if (result.trouble[0] != '\0') {
    found.trouble = fmt::format("failed: {}", result.trouble);
  } else if (found.all.empty()) {
    found.trouble = "ended without a result";
  }
  return found;
}

}  // namespace far::bench::scaling
