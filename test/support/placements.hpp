#pragma once
// Places ranks on machines in several ways, for tests of collectives.

#include <cstdint>
#include <functional>
#include <string>

#include "test/support/jobs.hpp"

namespace far::test {

/// As on_ranks, but simulated ranks all share one machine, then are one, two and three per machine.
/// Their heaps are small, so that collectives cut even short lists into many pieces.
class on_placed_ranks : public on_ranks {
 protected:
  on_placed_ranks() {
    options.local_bytes = small_heap;
    seeds = 8;
  }

  void run_placed(const std::function<void(world&)>& body) {
    if (options.mode != job_mode::fibers) return run(body);
    for (const int together : {0, 1, 2, 3}) {
      SCOPED_TRACE(::testing::Message() << together << " ranks per node (0: all)");
      options.ranks_per_node = together;
      run(body);
    }
  }

  /// For a body that must throw an Exception, under every seed: calls check(its text) each time.
  template <class Exception>
  void run_to_failure(const std::function<void(world&)>& body,
                      const std::function<void(const std::string&)>& check) {
    const auto once = [&](const auto& run_once) {
      try {
        run_once();
        ADD_FAILURE() << "nothing was thrown";
      } catch (const Exception& error) {
        check(error.what());
      }
    };
    if (!is_simulated()) return once([&] { run(body); });
    for (int together = 0; together < 3; ++together) {
      for (int seed = 1; seed <= seeds && !HasFailure(); ++seed) {
        SCOPED_TRACE(::testing::Message() << "seed " << seed << ", " << together << " per node");
        options.ranks_per_node = together;
        options.seed = static_cast<std::uint64_t>(seed);
        once([&] { far::run(options, body); });
      }
    }
  }

  [[nodiscard]] bool is_simulated() const { return options.mode == job_mode::fibers; }

  static constexpr std::uint64_t small_heap = 512 * 1024;
};

}  // namespace far::test
