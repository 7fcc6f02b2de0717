// The uplink over UCX: two ranks of one machine that communicate by TCP over loopback, compared
// with UCX's own benchmark program on the same transport.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/measure.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/surroundings.hpp"
#include "far/memory/memory.hpp"
#include "far/rma/rma.hpp"
#include "far/rpc/rpc.hpp"

namespace far::bench {
namespace {

constexpr std::size_t bulk = 4 << 20;
constexpr int at_once = 16;

/// Runs a test of ucx_perftest once; returns the mean in ns (of a ping-pong, one way).
std::optional<double> perftest_once(const char* test, std::size_t bytes, int count) {
  constexpr int limit_s = 60;
  constexpr const char* script =
      "ucx_perftest -p 13337 -t {0} -s {1} -n {2} > /dev/null 2>&1 & sleep 0.5; "
      "ucx_perftest -p 13337 localhost -t {0} -s {1} -n {2} -w 100; wait";
  const outcome ended = run_program({"sh", "-c", fmt::format(script, test, bytes, count)}, limit_s);
  // "Final: 10000 6.139 6.20 6.31 ...": iterations; in us the median, the latest mean, the mean.
  const auto line = ended.output.find("Final:");
  if (ended.status != 0 || line == std::string::npos) return std::nullopt;
  std::istringstream words(ended.output.substr(line + std::strlen("Final:")));
  double iterations = 0;
  double median_us = 0;
  double latest_us = 0;
  double mean_us = 0;
  if (!(words >> iterations >> median_us >> latest_us >> mean_us)) return std::nullopt;
  return mean_us * 1e3;
}

/// The best of several runs, because a limit is what can be reached.
std::optional<double> perftest(const char* test, std::size_t bytes, int count) {
  constexpr int runs = 5;
  std::optional<double> best;
  for (int i = 0; i < runs; ++i) {
    const auto mean = perftest_once(test, bytes, count);
    if (!mean) return std::nullopt;
    best = std::min(best.value_or(*mean), *mean);
  }
  return best;
}

/// Nanoseconds of a put and its flush, or of a get, by a loop of UCP's calls (peers/ucp_peer.cpp).
std::optional<double> baseline(const char* operation) {
  const auto program = own_folder() / "../libexec/far/ucp_peer";
  if (!std::filesystem::exists(program)) return std::nullopt;
  constexpr int limit_s = 60;
  const outcome ended = run_program({program, operation}, limit_s);
  if (ended.status != 0) throw error("UCP by hand failed: " + ended.complaint());
  return std::stod(ended.output);
}

/// A put that waits only until its source can be reused; the put may stay in flight for long.
void put_and_go_on(world& world, ptr<std::uint64_t> there) {
  static std::uint64_t value = 0;
  const put_part whole{there.address(), &value, sizeof(value)};
  fabric::completion source;
  world.context().put({&whole, 1}, nullptr, &source);
  world.context().wait(source, {"the source of a put", there.rank(), {}});
}

/// Operations of rank 0 on rank 1, which waits in the library meanwhile, or sleeps outside of it.
std::vector<subject> subjects_of(world& world) {
  const auto words = allocate<std::uint64_t>(world, at_once);
  const auto large = allocate<std::byte>(world, bulk);
  const auto ended = allocate<std::uint64_t>(world);
  barrier(world);
  const auto there = words.on(1);
  const auto bulk_there = large.on(1);
  const bool leads = world.rank() == 0;
  const auto asleep = [&world, leads](auto operation) {
    return [&world, leads, operation](std::int64_t count) {
      for (std::int64_t i = 0; leads && i < count; ++i) operation(world);
    };
  };
  // All subjects share one counter of rounds; the word `ended` notifies rank 1 of a round's end.
  const auto rounds = std::make_shared<std::uint64_t>(0);
  const auto waiting = [&world, leads, there, ended, rounds](auto operation) {
    return [&world, leads, there, ended, rounds, operation](std::int64_t count) {
      const std::uint64_t round = ++*rounds;
      if (!leads) {
        wait_signal(world, ended, at_least{round});
        return;
      }
      for (std::int64_t i = 0; i < count; ++i) operation(world);
      put(world, there, std::uint64_t{0}, signal_of(ended.on(1), round));
    };
  };
  static std::vector<std::byte> from(bulk);
  const auto together = [](auto start) {
    return [start](far::world& w) {
      using in_flight = decltype(start(w, 0));
      std::vector<in_flight> all;
      all.reserve(at_once);
      for (int i = 0; i < at_once; ++i) all.push_back(start(w, i));
      for (auto& one : all) one.wait();
    };
  };
  const auto get_one = [there](far::world& w) { keep(get(w, there)); };
  const auto add_one = [there](far::world& w) { keep(atomic_ref(w, there).fetch_add(1)); };
  return {
      {"put and flush", waiting([there](far::world& w) { put(w, there, std::uint64_t{1}); })},
      {"put", waiting([there](far::world& w) { put_and_go_on(w, there); })},
      {"get", waiting(get_one)},
      {"fetch-and-add", waiting(add_one)},
      {"compare-and-swap", waiting([there](far::world& w) {
         std::uint64_t found = 0;
         atomic_ref(w, there).compare_exchange(found, std::uint64_t{1});
       })},
      {"rpc", waiting([](far::world& w) {
         rpc(
             w, 1, [](int x) { return x; }, 1)
             .get();
       })},
      {"16 puts", waiting(together([there](far::world& w, int i) {
         return put_async(w, there + i, std::uint64_t{1});
       }))},
      {"16 gets",
       waiting(together([there](far::world& w, int i) { return get_async(w, there + i); }))},
      {"16 fetch-and-adds", waiting(together([there](far::world& w, int i) {
         return atomic_ref(w, there + i).fetch_add_async(1);
       }))},
      {"16 rpcs", waiting(together([](far::world& w, int i) {
         return rpc(
             w, 1, [](int x) { return x; }, i);
       }))},
      {"bulk put", waiting([bulk_there](far::world& w) { put(w, bulk_there, std::span(from)); })},
      {"bulk get", waiting([bulk_there](far::world& w) { get(w, bulk_there, std::span(from)); })},
      {"get, asleep", asleep(get_one)},
      {"fetch-and-add, asleep", asleep(add_one)},
  };
}

/// A row for `at_once` concurrent operations, which take `all` ns together; one alone takes `one`.
row together_row(const char* what, double one, double all, goal wanted) {
  return {what,   all / at_once,
          {},     {},
          wanted, fmt::format("{:.1f} times the rate of one at a time", one * at_once / all)};
}

/// The same for one-sided operations, with a goal of at least four times the rate.
row in_flight(const char* what, double one, double all) {
  return together_row(what, one, all, {.max_ns = one / 4});
}

report measure_ucx() {
  const surroundings around = tcp_on_one_machine();
  report result;
  result.measured =
      "ucx: two ranks of one machine as two nodes, TCP over loopback; the target waits in the "
      "library, or\nsleeps outside of it. Limit: ucx_perftest there, whose target spins; for put + "
      "flush and get\na loop of UCP's own calls.";
  const bool has_perftest = in_path("ucx_perftest");
  const auto limit = [&](const char* test, int count, double times, std::size_t bytes = 8) {
    std::optional<double> ns;
    if (has_perftest) ns = perftest(test, bytes, count);
    if (ns) *ns *= times;
    return ns;
  };
  const auto put_limit = limit("ucp_put_lat", 2000, 1);
  const auto add_limit = limit("ucp_fadd", 2000, 1);
  const auto swap_limit = limit("ucp_cswap", 2000, 1);
  const auto am_limit = limit("ucp_am_lat", 2000, 2);
  const auto bulk_limit = limit("ucp_put_bw", 200, 1, bulk);
  // Not perftest's get: its target polls only every millisecond.
  const auto baseline_put = baseline("put");
  const auto baseline_get = baseline("get");
  const auto ns = measure_on_processes(2, "ucx", subjects_of, {.rounds = 11, .round_ms = 50});

  constexpr double bar = 1.1;
  result.rows = {
      {"put 8 bytes + flush", ns[0], baseline_put, {}, {.max_ratio = bar}, ""},
      {"put 8 bytes, source free", ns[1], put_limit, {}, {}, "limit: one way, seen by a spinner"},
      {"get 8 bytes", ns[2], baseline_get, {}, {.max_ratio = bar}, ""},
      {"fetch-and-add", ns[3], add_limit, {}, {.max_ratio = bar}, ""},
      {"compare-and-swap", ns[4], swap_limit, {}, {.max_ratio = bar}, ""},
      {"far::rpc, there and back",
       ns[5],
       am_limit,
       {},
       {},
       "limit: active messages between spinners"},
      in_flight("put 8 bytes, 16 at once", ns[0], ns[6]),
      in_flight("get 8 bytes, 16 at once", ns[2], ns[7]),
      in_flight("fetch-and-add, 16 at once", ns[3], ns[8]),
      together_row("far::rpc, 16 at once", ns[5], ns[9], {}),
      {"put 4 MB",
       ns[10],
       bulk_limit,
       {},
       {.max_ratio = 1 / 0.95},
       fmt::format("{:.2f} GB/s", static_cast<double>(bulk) / ns[10])},
      {"get 4 MB",
       ns[11],
       {},
       {},
       {},
       fmt::format("{:.2f} GB/s", static_cast<double>(bulk) / ns[11])},
      {"get 8 bytes, target asleep", ns[12], {}, {}, {}, ""},
      {"fetch-and-add, target asleep", ns[13], {}, {}, {}, ""},
  };
  if (!has_perftest)
    result.remarks.emplace_back("Without most limits: no ucx_perftest (Debian: ucx-utils).");
  return result;
}

const benchmark registered("ucx", "put, get, atomics and rpc over UCX", measure_ucx);

}  // namespace
}  // namespace far::bench
