// Messages that find no space in the queue of a stopped rank are sent once it runs again, though
// their sender has gone to sleep meanwhile. UCX keeps them, and no descriptor shows that.

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

/// Shared state of the ranks, outside their job.
struct board {
  std::atomic<pid_t> stopped{0};  // rank 2's process
  std::atomic<pid_t> sender{0};   // rank 1's, once it has sent to rank 2
  std::atomic<bool> full{false};
};

struct news {
  explicit news(rank_state&) {}
  bool come = false;
};

void tell(const world& world, int rank) {
  rpc_oneway(world, rank, [](rank_state& state) { state.get<news>().come = true; });
}

void wait_for_news(const world& world) {
  while (!world.state().get<news>().come) world.progress();
}

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

template <class Condition>
void await(Condition condition) {
  while (!condition()) nap();
}

char state_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  return text.at(text.rfind(')') + 2);
}

/// How many times the process's first thread has gone to sleep.
long sleeps_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  const std::string key = "voluntary_ctxt_switches:";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return std::stol(line.substr(key.size()));
  }
  ADD_FAILURE() << "this system does not tell how often a process sleeps";
  return 0;
}

/// Whether the process's first thread has slept for several milliseconds: longer than it would wait
/// for a lock that another thread holds.
bool sleeps(pid_t process) {
  const long before = sleeps_of(process);
  for (int i = 0; i < 5; ++i) {
    if (state_of(process) != 'S') return false;
    nap();
  }
  return state_of(process) == 'S' && sleeps_of(process) == before;
}

/// A page that forked processes share.
board& shared_board() {
  void* const page =
      mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(page, MAP_FAILED);
  return *new (page) board;
}

TEST(FullQueue, WhatFoundNoRoomGoesOutThoughItsSenderSleeps) {
  constexpr std::size_t bytes = 8 << 20;  // more than any queue holds
  setenv("UCX_TLS", "sysv,posix,self", 1);
  board& all = shared_board();
  run_options options;
  options.mode = job_mode::ucx;
  options.ranks = 3;
  options.ranks_per_node = 1;
  far::run(options, [&](world& world) {
    const auto block = allocate<char>(world, bytes);
    if (world.rank() == 2) {
      all.stopped = getpid();
      wait_for_news(world);
    } else if (world.rank() == 1) {
      tell(world, 0);  // connects them, so that no connecting between them wakes a sleeper later
      await([&] { return all.full.load(); });
      tell(world, 2);
      all.sender = getpid();
    } else {
      wait_for_news(world);
      await([&] { return all.stopped != 0; });
      const std::vector<char> data(bytes);
      put(world, block.on(2), std::span(data).first(1));  // connects the two ranks
      kill(all.stopped, SIGSTOP);
      await([&] { return state_of(all.stopped) == 'T'; });
      auto filling = put_async(world, block.on(2), std::span(data));
      all.full = true;
      await([&] { return all.sender != 0 && sleeps(all.sender); });
      kill(all.stopped, SIGCONT);
      filling.wait();
    }
  });
  munmap(&all, sizeof(all));
}

}  // namespace
}  // namespace far::fabric
