// The Python package: beside NumPy in one process, the same work in C++, and the other packages for
// one-sided access. The scripts are in peers/python.

#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/registry.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int python_rounds = 3;
constexpr int limit_s = 300;

using words = std::vector<std::string>;

/// A script, how it is started, and the times that it has printed.
class script {
 public:
  script(words launch, const char* file)
      : line_(std::move(launch)),
        file_(file),
        path_(own_folder() / "../libexec/far/python" / file) {
    line_.push_back(python());
    line_.push_back(path_.string());
  }

  static std::string python() {
    const char* const named = std::getenv("FAR_BENCH_PYTHON");
    return named != nullptr ? named : "python3";
  }
  /// Whether Python has the module; if not, `remarks` says so.
  static bool has(const std::string& module, words& remarks) {
    // Importing shmem4py outside of a job crashes.
    const auto found =
        fmt::format("import sys, importlib.util as u; sys.exit(u.find_spec('{}') is None)", module);
    if (run_program({python(), "-c", found}, limit_s).status == 0) return true;
    remarks.push_back(fmt::format("Without {0}: {1} does not find it (pip install {0})",
                                  module == "far" ? "libfar" : module, python()));
    return false;
  }

  void run(words& remarks) {
    if (failed_) return;
    const outcome result = run_program(line_, limit_s);
    std::istringstream lines(result.output);
    std::string name;
    double ns = 0;
    while (lines >> name >> ns) times_[name].push_back(ns);
    // shmem4py 1.0 over Open MPI 4.1 has measured everything when it crashes at its end.
    if (result.status == 0 || !result.output.empty()) return;
    failed_ = true;
    remarks.push_back(fmt::format("{} failed: {}", file_, result.complaint()));
  }

  [[nodiscard]] bool knows(const std::string& name) const { return times_.contains(name); }
  /// Errors: std::out_of_range.
  [[nodiscard]] double of(const std::string& name) const { return median(times_.at(name)); }

 private:
  words line_;
  std::string file_;
  std::filesystem::path path_;
  std::map<std::string, std::vector<double>> times_ = {};
  bool failed_ = false;
};

// -- the same batches in C++ ----------------------------------------------------------------------

constexpr std::size_t elements = 1 << 20;  // at each rank, as in timing.py
constexpr std::size_t million = 1'000'000;

using map_type = hash_map<std::uint64_t, std::int64_t>;

std::vector<std::uint64_t> places_below(std::uint64_t end) {
  std::mt19937_64 random(7);  // any seed
  std::vector<std::uint64_t> places(million);
  for (std::uint64_t& place : places) place = random() % end;
  return places;
}

/// What batches work on.
struct batch_bed {
  far::array<std::int64_t> numbers;
  map_type keys;
  std::vector<std::uint64_t> places = places_below(2 * elements);
  std::vector<std::uint64_t> wanted = places_below(elements);
  std::vector<std::int64_t> values = std::vector<std::int64_t>(million);

  explicit batch_bed(world& world) : numbers(world, 2 * elements), keys(world, 2 * elements) {
    if (world.rank() == 0) {
      for (std::uint64_t key = 0; key < elements; ++key) keys.insert(key, 0);
    }
    barrier(world);
  }
};

/// Nanoseconds of processor time of this thread.
double used_ns() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e9 + static_cast<double>(used.tv_nsec);
}

/// Each `count` is a million elements or keys.
std::vector<subject> batches_in_cpp(world& world) {
  const auto bed = std::make_shared<batch_bed>(world);
  const auto each = [&](const char* name, auto work) {
    const auto took = std::make_shared<double>();
    const auto run = [bed, work, took, &world](std::int64_t count) {
      if (world.rank() != 0) return;
      const double begin = used_ns();
      for (std::int64_t i = 0; i < count; ++i) work(*bed);
      *took = used_ns() - begin;
    };
    return subject{name, run, {}, [took] { return *took; }};
  };
  return {
      each("batch_get",
           [](batch_bed& b) {
             for (std::size_t i = 0; i < million; ++i) b.values[i] = b.numbers.get(b.places[i]);
           }),
      each("batch_put",
           [](batch_bed& b) {
             for (std::size_t i = 0; i < million; ++i) b.numbers.put(b.places[i], b.values[i]);
           }),
      each("batch_add",
           [](batch_bed& b) {
             for (const std::uint64_t place : b.places) b.numbers.ref(place).add(1);
           }),
      each("batch_find",
           [](batch_bed& b) {
             keep(b.keys.find_many(std::span<const std::uint64_t>(b.wanted)).size());
           }),
      each("batch_update",
           [](batch_bed& b) {
             b.keys.add_or_insert_all(std::span<const std::uint64_t>(b.wanted), 1);
           }),
  };
}

/// Nanoseconds of an element or key, by name.
std::map<std::string, double> measure_in_cpp() {
  std::vector<std::string> names;
  const auto ns = measure_on_processes(2, "python, the same in C++", batches_in_cpp, {.rounds = 5});
  std::map<std::string, double> result;
  for (const char* name : {"batch_get", "batch_put", "batch_add", "batch_find", "batch_update"}) {
    result[name] = ns[result.size()] / static_cast<double>(million);
  }
  return result;
}

// -- the result -----------------------------------------------------------------------------------

struct named_row {
  const char* name;
  const char* ours;   // its name in with_far.py
  const char* limit;  // that of NumPy's, there
  goal wanted;
};
constexpr named_row beside_numpy[] = {
    {"a[i], in cache", "small_get", "numpy_get", {.max_ratio = 1}},
    {"a[i] = x, in cache", "small_set", "numpy_set", {.max_ratio = 1}},
    {"m[key], in cache", "map_find", "numpy_get", {.max_ratio = 1.5}},
};
constexpr named_row beside_cpp[] = {
    {"a[indices], of 10^6", "batch_get", nullptr, {.max_ratio = 1.2}},
    {"a[indices] = values, of 10^6", "batch_put", nullptr, {.max_ratio = 1.2}},
    {"a.add_at, of 10^6", "batch_add", nullptr, {.max_ratio = 1.2}},
    {"m.get_many, of 10^6", "batch_find", nullptr, {.max_ratio = 1.2}},
    {"m.add, of 10^6", "batch_update", nullptr, {.max_ratio = 1.2}},
};
constexpr named_row alone[] = {
    {"a[indices], of one", "fixed_get", nullptr, {.max_ns = 1000}},
    {"a[indices] = x, of one", "fixed_put", nullptr, {.max_ns = 1000}},
    {"m.get_many, of one", "fixed_find", nullptr, {.max_ns = 1000}},
    {"m.add, of one", "fixed_update", nullptr, {.max_ns = 1000}},
    {"rpc, inline", "rpc_inline", nullptr, {.max_ns = 5000}},
    {"rpc", "rpc", nullptr, {.max_ns = 40'000}},
};
constexpr named_row beside_packages[] = {
    {"a[i], random in 8 MB", "get", nullptr, {.max_peer_ratio = .35}},
    {"a[i] = x, random in 8 MB", "put", nullptr, {.max_peer_ratio = .35}},
    {"a[indices], 1000 in 8 MB", "get_1000", nullptr, {.max_peer_ratio = .15}},
    {"a[indices] = values, 1000 in 8 MB", "put_1000", nullptr, {.max_peer_ratio = .15}},
};

report rows_of(const script& ours, const script& imports, const script& mpi4py,
               const script& shmem4py, const std::map<std::string, double>& cpp) {
  report result;
  for (const named_row& r : beside_numpy) {
    result.rows.push_back({r.name, ours.of(r.ours), ours.of(r.limit), {}, r.wanted});
  }
  for (const named_row& r : beside_cpp) {
    result.rows.push_back({r.name, ours.of(r.ours), cpp.at(r.ours), {}, r.wanted});
  }
  for (const named_row& r : alone) {
    result.rows.push_back({r.name, ours.of(r.ours), {}, {}, r.wanted});
  }
  for (const named_row& r : beside_packages) {
    row line{r.name, ours.of(r.ours), {}, {}, r.wanted};
    const std::string name = r.ours;
    if (mpi4py.knows(name)) line.peers["mpi4py"] = mpi4py.of(name);
    if (mpi4py.knows(name + "_as_a_type")) {
      line.peers["mpi4py"] =
          std::min(mpi4py.of(name + "_as_a_type"), mpi4py.of(name + "_one_by_one"));
    }
    if (shmem4py.knows(name)) {
      const double ratio = line.ns / (line.peers["shmem4py"] = shmem4py.of(name));
      result.claims.push_back({fmt::format("{}: at most .1 of shmem4py's time", r.name),
                               fmt::format("{:.3f}", ratio), ratio <= .1});
    }
    result.rows.push_back(std::move(line));
  }
  result.rows.push_back({"import far, beyond import numpy",
                         imports.of("import_far") - imports.of("import_numpy"),
                         {},
                         {},
                         {.max_ns = 20e6}});
  return result;
}

report measure_python() {
  words remarks;
  if (!script::has("far", remarks)) return {.measured = "python: not measured", .remarks = remarks};
  script ours({(own_folder() / "far").string(), "run", "-n", "2"}, "with_far.py");
  script imports({}, "imports.py");
  const std::string oversubscribe = "--oversubscribe";
  script mpi4py(
      {"mpirun.openmpi", "--allow-run-as-root", oversubscribe, "--mca", "osc", "sm", "-n", "2"},
      "with_mpi4py.py");
  script shmem4py({"oshrun", "--allow-run-as-root", oversubscribe, "-n", "2"}, "with_shmem4py.py");
  std::vector<std::pair<const char*, script*>> all = {{"far", &ours}, {"import", &imports}};
  if (script::has("mpi4py", remarks)) all.emplace_back("mpi4py", &mpi4py);
  if (script::has("shmem4py", remarks)) all.emplace_back("shmem4py", &shmem4py);

  const auto cpp = measure_in_cpp();
  apps::progress_bar bar("python");
  std::size_t step = 0;
  for (int round = 0; round < python_rounds; ++round) {
    for (const auto& [name, which] : all) {
      bar.update(step++, python_rounds * all.size(), name);
      which->run(remarks);
    }
  }
  bar.finish();
  if (!ours.knows("rpc")) return {.measured = "python: not measured", .remarks = remarks};

  report result = rows_of(ours, imports, mpi4py, shmem4py, cpp);
  result.measured = fmt::format(
      "python: processor time of rank 0 of two, medians of {} runs. Limit: NumPy's l[i] in the "
      "same "
      "loop, or the\nsame batch in C++, in the next process. Peers: windows of mpi4py, the faster "
      "of "
      "Get one by one and of an indexed\ntype; OpenSHMEM by shmem4py. Elements are words, of the "
      "other rank or, in batches of 10^6, of both.",
      python_rounds);
  result.remarks = std::move(remarks);
  return result;
}

const benchmark registered_python("python", "the Python package, against NumPy, C++ and mpi4py",
                                  measure_python);

}  // namespace
}  // namespace far::bench
