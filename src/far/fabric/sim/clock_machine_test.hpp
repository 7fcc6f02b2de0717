#pragma once
// For tests of virtual time: a machine with round numbers, and blocking operations on it.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "far/fabric/job.hpp"

namespace far::fabric::clock_machine {

inline constexpr address word(0, symmetric_segment, 64);
inline constexpr address large(0, symmetric_segment, 4096);
inline constexpr std::size_t large_bytes = 1 << 20;

/// A profile in a file, with round numbers: one rank per node, two nodes per group.
class machine_file {
 public:
  explicit machine_file(const std::string& more = "")
      : path_(testing::TempDir() + "profile" + std::to_string(getpid())) {
    std::ofstream(path_) << R"({"ranks_per_node": 1, "nodes_per_group": 2,
      "outside": {"put": 10, "get": 20, "amo": 30, "send": 40},
      "links": {"group": {"latency": 1000, "kilobyte": 100},
                "machine": {"latency": 5000, "kilobyte": 100}},
      "completion": 3, "poll": 5, "put_service": 100, "get_service": 200, "swap_service": 300,
      "amo_service": 400, "handler": 50)"
                         << more << "}";
  }
  ~machine_file() { unlink(path_.c_str()); }
  machine_file(const machine_file&) = delete;
  machine_file& operator=(const machine_file&) = delete;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

using body = std::function<void(fabric& rank, context& c)>;

inline void run(int ranks, const machine_file& machine, const body& what, bool service = false) {
  job_options options;
  options.ranks = ranks;
  options.mode = job_mode::fibers;
  options.profile = machine.path();
  options.service = service;
  run_job(options, [&](fabric& rank) {
    const auto c = rank.open_context();
    rank.set_extent(symmetric_segment, 2 * large_bytes);
    rank.quiesce(*c);
    what(rank, *c);
    rank.quiesce(*c);
  });
}

inline void put(context& c, address to, const std::vector<std::byte>& bytes) {
  completion done;
  const put_part part{to, bytes.data(), bytes.size()};
  c.put({&part, 1}, &done);
  c.wait(done, {"put", to.rank(), to});
}

inline void get(context& c, address from, std::vector<std::byte>& bytes) {
  completion done;
  const get_part part{from, bytes.data(), bytes.size()};
  c.get({&part, 1}, &done);
  c.wait(done, {"get", from.rank(), from});
}

inline std::uint64_t update(context& c, address there, amo_op op) {
  std::uint64_t old = 0;
  completion done;
  c.amo({.word = there, .op = op, .operand = 1, .fetched = &old}, &done);
  c.wait(done, {"amo", there.rank(), there});
  return old;
}

}  // namespace far::fabric::clock_machine
