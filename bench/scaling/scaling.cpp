// How every structure fares with more and more ranks of this machine, beside what threads and MPI
// have.

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/baselines/mpi_peers.hpp"
#include "bench/harness/registry.hpp"
#include "bench/scaling/pace.hpp"
#include "far/fabric/job.hpp"

namespace far::bench {
namespace {

using scaling::job;

constexpr const char* peer_library = "Open MPI";
constexpr int limit_s = 30;      // of a job; it takes a second or two
constexpr int mpi_limit_s = 40;  // of all of its operations

/// A figure: what is compared with each other.
struct subject_area {
  const char* name;
  const char* title;  ///< before ", by ranks"
  quantity shows;     ///< rate: of all ranks together; time: of an operation that all do together
  std::vector<job> jobs;
  /// Operations of peers/mpi_scaling.c, and the names of their curves.
  std::vector<std::pair<const char*, const char*>> mpi = {};
};

job by_processes(const char* name, std::vector<scaling::load> (*loads)(world&)) {
  return {name, job_mode::processes,
          [loads](int /*ranks*/) -> scaling::loads_of_rank { return loads; }};
}
job by_threads(const char* name, scaling::loads_of_rank (*make)(int)) {
  return {name, job_mode::threads, make};
}

std::vector<subject_area> all_areas() {
  using namespace scaling;
  using enum quantity;
  return {
      {"queues",
       "Queues: pushes and pops",
       rate,
       {by_processes("queues", queue_loads), by_threads("deques of threads", queues_of_threads)}},
      {"maps", "Maps", rate, {by_processes("maps", map_loads)}},
      {"words",
       "Words: atomics and gets",
       rate,
       {by_processes("words", word_loads), by_threads("words of threads", words_of_threads)},
       {{"all_fetch_and_op", "Open MPI: fetch_and_op, random words"},
        {"all_fetch_and_op_one", "Open MPI: fetch_and_op, one word"},
        {"all_get", "Open MPI: get"}}},
      {"cached-array",
       "cached_array: elements",
       rate,
       {by_processes("cached array", cached_array_loads)}},
      {"objects", "Objects: monitors", rate, {by_processes("objects", object_loads)}},
      {"locks",
       "Locks: acquired and released",
       rate,
       {by_processes("locks", lock_loads), by_threads("mutexes of threads", mutexes_of_threads),
        by_threads("queue locks of threads", queue_locks_of_threads)},
       {{"all_lock_one", "Open MPI: MPI_Win_lock"}}},
      {"rw-locks",
       "Readers-writer locks: acquired and released",
       rate,
       {by_processes("rw_lock", rw_lock_loads),
        by_threads("rw locks of threads", rw_locks_of_threads)}},
      {"calls",
       "Calls and accumulates (128 x 128 doubles)",
       rate,
       {by_processes("calls", call_loads), by_processes("accumulates", accumulate_loads)}},
      {"collectives",
       "Collectives",
       time,
       {by_processes("collectives", collective_loads),
        by_processes("barrier of a space", object_barrier_loads),
        by_threads("barrier of threads", barriers_of_threads)},
       {{"barrier", "Open MPI: barrier"},
        {"all_allreduce", "Open MPI: allreduce"},
        {"all_broadcast", "Open MPI: broadcast"},
        {"all_alltoall", "Open MPI: alltoall, 8 KB"}}},
  };
}

/// Ascending: what was chosen, or 1, 2, 4 ... and the cores, one less, and twice as many.
std::vector<int> ranks_of(const settings& chosen) {
  std::set<int> result(chosen.ranks.begin(), chosen.ranks.end());
  if (result.empty()) {
    const int cores = core_count();
    result = {std::max(cores - 1, 1), cores, 2 * cores};
    for (int ranks = 1; ranks < 2 * cores; ranks *= 2) result.insert(ranks);
  }
  return {result.begin(), result.end()};
}

/// The figures of an area: how fast, and the longest wait.
struct area_figures {
  figure speed;
  figure longest;

  area_figures(const subject_area& of, const std::vector<int>& ranks)
      : speed{fmt::format("scaling-{}", of.name), fmt::format("{}, by ranks", of.title), "ranks"},
        longest{fmt::format("scaling-{}-waits", of.name),
                fmt::format("{}, the longest wait in means, by ranks", of.title), "ranks"} {
    for (const int n : ranks) {
      for (figure* f : {&speed, &longest}) f->places.push_back(fmt::format("{}", n));
    }
    speed.line_per_curve = longest.line_per_curve = true;
    speed.shows = of.shows;
    longest.shows = quantity::multiple;
  }

  /// Sets a point. The other points of a new curve are missing.
  static void set(figure& where, const std::string& name, std::size_t place, double value) {
    auto found = std::ranges::find(where.curves, name, &curve::name);
    if (found == where.curves.end()) {
      where.curves.push_back({name, std::vector<double>(where.places.size())});
      found = std::prev(where.curves.end());
    }
    found->ns[place] = value;
  }
};

class measurement {
 public:
  measurement(std::vector<int> ranks, bool quick)
      : ranks_(std::move(ranks)),
        areas_(all_areas()),
        quick_(quick),
        mpi_("scaling", mpi_libraries::open_mpi, mpi_limit_s) {
    for (const subject_area& area : areas_) figures_.emplace_back(area, ranks_);
  }

  void run() {
    for (std::size_t place = 0; place < ranks_.size(); ++place) {
      for (std::size_t i = 0; i < areas_.size(); ++i) {
        for (const job& one : areas_[i].jobs) measure(one, areas_[i], figures_[i], place);
      }
      measure_mpi(place);
    }
  }

  /// What was found, without a text.
  [[nodiscard]] report told() && {
    report result;
    for (area_figures& pair : figures_) {
      result.figures.push_back(std::move(pair.speed));
      result.figures.push_back(std::move(pair.longest));
    }
    result.remarks = std::move(remarks_);
    result.remarks.insert(result.remarks.end(), mpi_.remarks().begin(), mpi_.remarks().end());
    return result;
  }

 private:
  /// The figure's number for operations of which each rank does one in `ns`.
  [[nodiscard]] static double shown(const subject_area& area, double ns, int ranks) {
    return area.shows == quantity::rate ? ns / ranks : ns;
  }

  [[nodiscard]] effort effort_for(int ranks) const {
    if (quick_) return {.rounds = 3, .round_ms = 0.2, .warm_up = 0};
    // Where ranks share cores, a round is longer than the system lets one of them run.
    return {.rounds = 5, .round_ms = ranks > core_count() ? 16.0 : 8, .warm_up = 0};
  }

  void measure(const job& one, const subject_area& area, area_figures& into, std::size_t place) {
    if (troubled_.contains(one.name)) return;  // more ranks would not do better
    const int ranks = ranks_[place];
    const scaling::paces found = scaling::paces_of(one, ranks, effort_for(ranks), limit_s);
    for (const scaling::pace& p : found.all) {
      area_figures::set(into.speed, p.load, place, shown(area, p.ns, ranks));
      area_figures::set(into.longest, p.load, place, p.longest_in_means);
    }
    if (found.trouble.empty()) return;
    troubled_.insert(one.name);
    remarks_.push_back(
        fmt::format("{} of {} ranks {}: not measured with more.", one.name, ranks, found.trouble));
  }

  void measure_mpi(std::size_t place) {
    const int ranks = ranks_[place];
    std::vector<std::string> operations;
    for (const subject_area& area : areas_) {
      for (const auto& [operation, name] : area.mpi) operations.emplace_back(operation);
    }
    mpi_.run(ranks, operations);
    for (std::size_t i = 0; i < areas_.size(); ++i) {
      for (const auto& [operation, name] : areas_[i].mpi) {
        const peer_times times = mpi_.of(ranks, operation);
        const auto found = times.find(peer_library);
        if (found == times.end()) continue;
        area_figures::set(figures_[i].speed, name, place, shown(areas_[i], found->second, ranks));
      }
    }
  }

  std::vector<int> ranks_;
  std::vector<subject_area> areas_;
  bool quick_;
  mpi_peers mpi_;
  std::vector<area_figures> figures_;
  std::set<std::string> troubled_;
  std::vector<std::string> remarks_;
};

report measure_scaling(const settings& chosen) {
  if (!chosen.fabric.empty() || !chosen.profile.empty()) {
    throw bad_argument("the benchmark scaling takes no --fabric or --profile");
  }
  if (fabric::in_job()) {
    throw bad_argument("the benchmark scaling starts its own ranks: call it without far run");
  }
  measurement all(ranks_of(chosen), chosen.quick);
  all.run();
  report result = std::move(all).told();
  result.measured = fmt::format(
      "scaling: all ranks of this machine ({} cores) do the same at once. Rates are those of all "
      "ranks together, until\nthe last one is done; collectives: the time of one. Longest wait: "
      "the longest operation of any rank, in means of\nall, from another run with a clock around "
      "each operation. Where there are more ranks than cores, that is\nhow long the system lets "
      "others run. Beside: threads of one process, and Open MPI.",
      core_count());
  return result;
}

const benchmark registered("scaling", "every structure by 1 to twice as many ranks as cores",
                           measure_scaling);

}  // namespace
}  // namespace far::bench
