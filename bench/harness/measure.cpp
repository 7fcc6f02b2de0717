#include "bench/harness/measure.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <numeric>
#include <random>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "apps/common/progress.hpp"

namespace far::bench {
namespace {

constexpr std::size_t max_subjects = 64;
constexpr std::size_t max_name = 63;

// Where the ranks of a measurement meet between rounds; not part of the measured time.
class meeting {
 public:
  virtual ~meeting() = default;
  virtual void meet() = 0;
  /// Returns rank 0's value on all ranks.
  virtual std::int64_t agree(std::int64_t value) = 0;
};

// Memory that the ranks of measure_on_processes share.
struct shared_place {
  pthread_barrier_t barrier;
  std::int64_t said;
  std::size_t subjects;
  char names[max_subjects][max_name + 1];
  // Followed by the times of each subject's rounds.

  explicit shared_place(int ranks) {
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&barrier, &shared, static_cast<unsigned>(ranks));
    pthread_barrierattr_destroy(&shared);
  }

  static std::size_t bytes_for(int rounds) {
    return sizeof(shared_place) + max_subjects * static_cast<std::size_t>(rounds) * sizeof(double);
  }
  void tell(const round_times& times) {
    subjects = times.size();
    auto* next = reinterpret_cast<double*>(this + 1);
    for (std::size_t i = 0; i < subjects; ++i) {
      times.name(i).copy(names[i], max_name);
      next = std::ranges::copy(times.of(i), next).out;
    }
  }
  [[nodiscard]] round_times told(int rounds) const {
    round_times result;
    const auto* next = reinterpret_cast<const double*>(this + 1);
    for (std::size_t i = 0; i < subjects; ++i, next += rounds) {
      result.add(names[i], {next, next + rounds});
    }
    return result;
  }
};

// Ranks sleep here, and make no progress for libfar: no operation is in flight then.
class shared_meeting : public meeting {
 public:
  shared_meeting(shared_place& place, bool leads) : place_(place), leads_(leads) {}

  void meet() override { pthread_barrier_wait(&place_.barrier); }
  std::int64_t agree(std::int64_t value) override {
    if (leads_) place_.said = value;
    meet();
    return place_.said;
  }

 private:
  shared_place& place_;
  bool leads_;
};

// Ranks meet in the library, so they may be on several machines.
class job_meeting : public meeting {
 public:
  explicit job_meeting(world& world) : world_(world) {}

  void meet() override { barrier(world_); }
  std::int64_t agree(std::int64_t value) override { return broadcast(world_, value, 0); }

 private:
  world& world_;
};

// One rank's part in a measurement.
class stopwatch {
 public:
  stopwatch(meeting& all, effort how) : all_(all), how_(how) {}

  // The number of operations of a round: doubled until they take long enough. Uses the best of a
  // few tries, because another program may have had the core during one of them.
  std::int64_t calibrate(const subject& s) {
    std::int64_t count = 1;
    for (;;) {
      double ns = time(s, count);
      for (int i = 0; i < 2; ++i) ns = std::min(ns, time(s, count));
      count = all_.agree(ns < how_.round_ms * 1e6 ? count * 2 : -count);
      if (count < 0) return -count;
    }
  }

  // Nanoseconds of `count` operations, after a few that ensure that all ranks run.
  double time(const subject& s, std::int64_t count) {
    all_.meet();
    if (s.warm_up) s.warm_up();
    s.run(static_cast<std::int64_t>(std::ceil(how_.warm_up * static_cast<double>(count))));
    const double start = now_ns();
    s.run(count);
    const double end = now_ns();
    all_.meet();
    return s.own_ns ? s.own_ns() : end - start;
  }

 private:
  meeting& all_;
  effort how_;
};

round_times measure(meeting& all, bool leads, const std::string& label,
                    const std::vector<subject>& subjects, effort how) {
  // One rank draws for all.
  apps::progress_settings drawing;
  if (!leads) drawing.columns = 0;
  apps::progress_bar bar(label, drawing);
  const auto steps = subjects.size() * static_cast<std::size_t>(how.rounds + 2);
  std::size_t step = 0;
  stopwatch watch(all, how);

  std::vector<std::int64_t> counts;
  for (const subject& s : subjects) {
    bar.update(step, steps, s.name);
    counts.push_back(watch.calibrate(s));
    step += 2;
  }
  std::vector<std::vector<double>> times(subjects.size());
  std::vector<std::size_t> order(subjects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::minstd_rand chance;  // the same sequence on all ranks
  for (int round = 0; round < how.rounds; ++round) {
    std::ranges::shuffle(order, chance);
    for (const std::size_t i : order) {
      bar.update(step++, steps, subjects[i].name);
      times[i].push_back(watch.time(subjects[i], counts[i]) / static_cast<double>(counts[i]));
    }
  }
  round_times result;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    result.add(subjects[i].name, std::move(times[i]));
  }
  return result;
}

std::vector<double> summary(const round_times& times, const effort& how) {
  std::vector<double> result;
  for (std::size_t i = 0; i < times.size(); ++i) {
    result.push_back(how.averages ? trimmed_mean(times.of(i)) : median(times.of(i)));
  }
  return result;
}

}  // namespace

void round_times::append(const round_times& more) {
  if (all_.empty()) all_.resize(more.size());
  if (more.size() != size()) throw std::invalid_argument("rounds of other subjects");
  for (std::size_t i = 0; i < size(); ++i) {
    auto& [known, ns] = all_[i];
    if (ns.empty()) known = more.name(i);
    if (known != more.name(i)) throw std::invalid_argument("rounds of other subjects");
    ns.insert(ns.end(), more.of(i).begin(), more.of(i).end());
  }
}

const std::vector<double>& round_times::of(std::string_view name) const {
  for (const auto& [known, ns] : all_) {
    if (known == name) return ns;
  }
  throw std::out_of_range(fmt::format("the subject '{}' was not measured", name));
}

int core_count() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

void take_own_core(int rank) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || rank-- != 0) continue;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(cpu, &own);
    sched_setaffinity(0, sizeof(own), &own);
    return;
  }
}

double now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(now).count();
}

round_times rounds_on_processes(int ranks, const std::string& label,
                                const std::function<std::vector<subject>(world&)>& prepare,
                                effort how) {
  const shared_memory memory(shared_place::bytes_for(how.rounds));
  auto& place = *new (memory.data()) shared_place(ranks);
  run({.ranks = ranks, .mode = job_mode::processes}, [&](world& world) {
    if (how.binds && ranks <= core_count()) take_own_core(world.rank());
    const std::vector<subject> subjects = prepare(world);
    if (subjects.size() > max_subjects) throw bad_argument("too many subjects to measure at once");
    const bool leads = world.rank() == 0;
    shared_meeting all(place, leads);
    const round_times times = measure(all, leads, label, subjects, how);
    if (leads) place.tell(times);
  });
  return place.told(how.rounds);
}

std::vector<double> measure_on_processes(int ranks, const std::string& label,
                                         const std::function<std::vector<subject>(world&)>& prepare,
                                         effort how) {
  return summary(rounds_on_processes(ranks, label, prepare, how), how);
}

round_times rounds_in_job(world& world, const std::string& label,
                          const std::vector<subject>& subjects, effort how) {
  job_meeting all(world);
  return measure(all, world.rank() == 0, label, subjects, how);
}

std::vector<double> measure_in_job(world& world, const std::string& label,
                                   const std::vector<subject>& subjects, effort how) {
  return summary(rounds_in_job(world, label, subjects, how), how);
}

shared_memory::shared_memory(std::size_t bytes)
    : data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
      bytes_(bytes) {
  if (data_ == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(), "cannot map shared memory");
  }
}

shared_memory::~shared_memory() { munmap(data_, bytes_); }

}  // namespace far::bench
