#include "test/support/jobs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/sim/rank_fabric.hpp"
#include "test/support/seed.hpp"

#if defined(__SANITIZE_THREAD__)
#define FAR_TEST_FIBERS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FAR_TEST_FIBERS 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FAR_TEST_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAR_TEST_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef FAR_TEST_FIBERS
#define FAR_TEST_FIBERS 1
#endif

namespace far::test {
namespace {

constexpr std::uint64_t max_operations_in_sim = 7000;
constexpr const char* failed_expectations = "expectations failed in a rank's body (see above)";

/// Counts failed expectations of this process, and reports the seed under which a test threw.
/// googletest calls it under its own lock. TestResult::Failed, instead of the count, would race
/// with ranks that fail at the same time.
class failure_watch : public ::testing::EmptyTestEventListener {
 public:
  static failure_watch& instance() {
    static auto* watch = [] {
      auto* made = new failure_watch;
      ::testing::UnitTest::GetInstance()->listeners().Append(made);  // takes ownership
      return made;
    }();
    return *watch;
  }

  [[nodiscard]] int failures() const noexcept { return failures_.load(); }
  /// Printed if the test fails by an exception; an exception that the test expects is no failure.
  void note_exception(std::string where) { thrown_ = std::move(where); }

 private:
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed()) failures_.fetch_add(1);
  }
  void OnTestEnd(const ::testing::TestInfo& test) override {
    if (test.result()->Failed() && !thrown_.empty()) {
      std::fprintf(stderr, "%s\n", thrown_.c_str());
    }
    thrown_.clear();
  }

  std::atomic<int> failures_{0};
  std::string thrown_;
};

/// How large the runs of a test on fibers are. 200 seeds cover few of the orders that are possible
/// in a large run, and take long. So a test fails if its runs are too large.
class run_sizes {
 public:
  explicit run_sizes(run_size allowed) : allowed_(allowed) {}
  ~run_sizes() {
    if (too_large_ == 0 || allowed_ == run_size::any) return;
    ADD_FAILURE() << fmt::format(
        "{} of {} runs do more than {} operations; the largest does {}, with {} ranks under seed "
        "{}: do less on many ranks (far::test::rounds_in_sim)",
        too_large_, runs_, max_operations_in_sim, max_, ranks_of_max_, seed_of_max_);
  }
  run_sizes(const run_sizes&) = delete;
  run_sizes& operator=(const run_sizes&) = delete;

  /// Call at the end of each rank's body: the last one sees all operations.
  void note(const fabric::fabric& rank) {
    const auto* const simulated = dynamic_cast<const fabric::sim::rank_fabric*>(&rank);
    if (simulated != nullptr) operations_ = simulated->job().counts.operations();
  }
  void end(const run_options& options) {
    ++runs_;
    const std::uint64_t operations = std::exchange(operations_, 0);
    if (operations > max_operations_in_sim) ++too_large_;
    if (operations <= max_) return;
    max_ = operations;
    ranks_of_max_ = options.ranks;
    seed_of_max_ = options.seed;
  }

 private:
  run_size allowed_;
  std::uint64_t operations_ = 0;  // of the current run
  int runs_ = 0;
  int too_large_ = 0;
  std::uint64_t max_ = 0;
  int ranks_of_max_ = 0;
  std::uint64_t seed_of_max_ = 0;
};

/// 1 to 64, small numbers more often: small jobs show most faults, and cost least.
int drawn_ranks(std::uint64_t seed) {
  constexpr std::uint64_t max_bits = 6;
  base::random random(base::mix(seed) ^ 0x72616e6b73);  // independent of what the job draws
  return static_cast<int>(1 + random.below(std::uint64_t{1} << random.below(max_bits + 1)));
}

std::uint64_t current_seed = 1;

struct seed_range {
  std::uint64_t first;
  std::uint64_t last;
};

/// FAR_TEST_SEEDS is "COUNT" or "FIRST-LAST".
seed_range seeds_to_try(int usual) {
  // With all orders, each seed would repeat the same ones.
  if (base::environment_text("FAR_SIM_DRIVER").starts_with("exhaustive")) return {1, 1};
  const char* text = std::getenv("FAR_TEST_SEEDS");
  if (text == nullptr) {
    const std::uint64_t only = base::environment_size("FAR_SIM_SEED", 0);  // `far sim explore`
    return only > 0 ? seed_range{only, only} : seed_range{1, static_cast<std::uint64_t>(usual)};
  }
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(text, &rest, 10);
  if (rest != text && *rest == '\0' && first > 0) return {1, first};
  if (rest != text && *rest == '-') {
    const char* second = rest + 1;
    const std::uint64_t last = std::strtoull(second, &rest, 10);
    if (rest != second && *rest == '\0' && last >= first) return {first, last};
  }
  throw bad_argument(
      fmt::format("FAR_TEST_SEEDS={}: want a count like 500 or a range like 17-17", text));
}

/// Whether this is a quick tier, or all seeds are wanted (docs/testing.md).
bool is_quick() { return base::environment_size("FAR_TEST_MAX_SEEDS", 0) != 0; }

/// In a quick tier, and under AddressSanitizer, which is slow, keeps every other count: the
/// largest, the third largest, ...
std::vector<int> counts_here(std::vector<int> counts) {
#ifdef FAR_TEST_ADDRESS_SANITIZER
  const bool few = true;
#else
  const bool few = is_quick();
#endif
  for (auto at = static_cast<std::ptrdiff_t>(counts.size()) - 2; few && at >= 0; at -= 2) {
    counts.erase(counts.begin() + at);
  }
  return counts;
}

/// Runs `job` once, or once per seed; stops at the first seed that fails.
void run_seeds(run_options options, int seeds, run_size allowed,
               const std::function<void(const run_options&, run_sizes&)>& job) {
  run_sizes sizes(allowed);
  const bool fibers = options.mode == job_mode::fibers;
  const seed_range range =
      fibers ? seeds_to_try(seeds_here(seeds)) : seed_range{options.seed, options.seed};
  failure_watch& watch = failure_watch::instance();
  const int before = watch.failures();
  const bool drawn = options.ranks == 0;
  for (options.seed = range.first; options.seed <= range.last; ++options.seed) {
    current_seed = options.seed;
    if (drawn) options.ranks = drawn_ranks(options.seed);
    std::string where = fmt::format("{} ranks", options.ranks);
    if (fibers) {
      where += fmt::format(", fibers, seed {0}: FAR_TEST_SEEDS={0}-{0} replays it", options.seed);
    }
    SCOPED_TRACE(where);
    std::fflush(nullptr);  // or forked ranks would print buffered text again
    try {
      job(options, sizes);
      if (fibers) sizes.end(options);
    } catch (const std::exception& error) {
      if (std::strcmp(error.what(), failed_expectations) != 0) {
        watch.note_exception(where);
        throw;
      }
      // Failures of ranks in this process are counted here; forked ranks have only printed theirs.
      if (watch.failures() == before) ADD_FAILURE() << error.what();
    }
    if (watch.failures() != before) return;
  }
}

/// Calls body(argument), then throws if any rank of this process has failed an expectation so far.
/// So the job ends instead of waiting for a rank that an ASSERT ended.
template <class Argument>
void checked(const std::function<void(Argument&)>& body, Argument& argument, int before) {
  body(argument);
  if (failure_watch::instance().failures() != before) {
    std::fflush(nullptr);
    throw error(failed_expectations);
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ranks& value) {
  constexpr const char* names[] = {"threads", "processes", "ucx", "fibers"};
  out << names[static_cast<int>(value.mode)];
  if (value.count > 0) out << '_' << value.count;
  return out;
}

std::vector<ranks> all_modes(const std::vector<int>& given) {
  const std::vector<int> counts = counts_here(given);
  std::vector<ranks> result;
  const auto add = [&](job_mode mode, const std::vector<int>& usual) {
    for (const int n : counts.empty() ? usual : counts) result.push_back({mode, n});
  };
  add(job_mode::threads, {1, 2, 5});
  add(job_mode::processes, {2, 5});
#ifdef FAR_TEST_UCX
  setenv("UCX_TLS", "tcp,self", 0);
  if (const std::uint64_t started = base::environment_size("OMPI_COMM_WORLD_SIZE", 0)) {
    return {{job_mode::ucx, static_cast<int>(started), 0}};  // mpirun has set their number
  }
  constexpr int max_apart = 3;
  const int max =
      is_quick() ? 5 : fabric::max_job_ranks;  // each of more takes long to connect on few cores
  for (const int n : counts.empty() ? std::vector<int>{2, 5} : counts) {
    if (n > 1 && n <= max) result.push_back({job_mode::ucx, n, n > max_apart ? 2 : 1});
  }
#endif
  if (FAR_TEST_FIBERS != 0) add(job_mode::fibers, {0});
  return result;
}

std::uint64_t seed() { return current_seed; }

std::string name_of(const ::testing::TestParamInfo<ranks>& info) {
  return ::testing::PrintToString(info.param);
}

int seeds_here(int usual) {
  const std::uint64_t max = base::environment_size("FAR_TEST_MAX_SEEDS", 0);
  return max == 0 ? usual : static_cast<int>(std::min(max, static_cast<std::uint64_t>(usual)));
}

int rounds_in_sim(const fabric::fabric& rank, int operations, int max) {
  constexpr int to_start_and_meet = 3000;  // collectives compare what ranks are in
  constexpr int all = static_cast<int>(max_operations_in_sim) - to_start_and_meet;
  return rank.simulated() ? std::clamp(all / (rank.size() * operations), 1, max) : max;
}

int rounds_in_sim(const world& world, int operations, int max) {
  return rounds_in_sim(world.fabric(), operations, max);
}

bool orders_threads_unseen(const run_options& options) {
  return fabric::under_thread_sanitizer && options.mode == job_mode::processes && options.ranks > 1;
}

void run(const run_options& options, const std::function<void(world&)>& body, int seeds,
         run_size allowed) {
  run_seeds(options, seeds, allowed, [&](const run_options& chosen, run_sizes& sizes) {
    const int before = failure_watch::instance().failures();
    far::run(chosen, [&](world& world) {
      checked(body, world, before);
      sizes.note(world.fabric());
    });
  });
}

void run_fabric(const run_options& options, const std::function<void(fabric::fabric&)>& body,
                int seeds) {
  run_seeds(options, seeds, run_size::limited, [&](const run_options& chosen, run_sizes& sizes) {
    const int before = failure_watch::instance().failures();
    fabric::run_job(chosen, [&](fabric::fabric& rank) {
      checked(body, rank, before);
      sizes.note(rank);
    });
  });
}

}  // namespace far::test
