// A rank with a far::job in its main, for tests:
//
//   test-job say               one job
//   test-job several N         N jobs, one after the other; every other one by far::run
//   test-job throw | fail | exit STATUS | leave
//                              what rank 1 does while the others wait
//   test-job uncaught          rank 1 throws, and nothing catches it
//   test-job fork ACTION       rank 1 forks; the child does ACTION: barrier | put | return | crash
//   test-job interrupt         rank 1 gets SIGINT in a barrier, and its handler calls interrupt
//   test-job nested            a job inside a job
//   test-job less              two jobs; the last rank joins only the first

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include <far/far.hpp>

namespace {

/// Uses a structure, memory of the segments, and calls. All of them start fresh in each job.
void use(far::world& world, int number) {
  const int size = world.size();
  const auto words = far::allocate<int>(world, 1000);
  for (int i = 0; i < 1000; ++i) {
    if (far::get(world, words + i) != 0) throw std::runtime_error("memory is not zero");
  }
  far::barrier(world);
  const int next = (world.rank() + 1) % size;
  far::put(world, words.on(next), number * 100 + world.rank());
  far::barrier(world);
  const int got = far::get(world, words);
  const int before = (world.rank() + size - 1) % size;
  if (got != number * 100 + before) throw std::runtime_error("a put is missing");
  far::hash_map<int, int> map(world);
  map.insert(world.rank(), number);
  far::barrier(world);
  if (map.find(next) != number) throw std::runtime_error("an entry is missing");
  const int asked = far::rpc(
                        world, next, [](int n) { return 2 * n; }, number)
                        .get();
  const int sum = far::allreduce(world, asked);
  std::printf("job %d rank %d of %d sum %d\n", number, world.rank(), size, sum);
  std::fflush(stdout);
}

void wait_for_ever(far::world& world) {
  for (;;) far::barrier(world);  // rank 1 does not take part
}

void in_fork(far::world& world, far::ptr<int> word, const std::string& action) {
  try {
    if (action == "barrier") far::barrier(world);
    if (action == "put") far::put(world, word.on(0), 1);
  } catch (const far::bad_argument& refusal) {
    std::fprintf(stderr, "refused: %s\n", refusal.what());
    _exit(1);
  }
  if (action == "crash") std::abort();
}

/// Returns true in a child that is to return from main.
bool fork_and(far::world& world, const std::string& action) {
  const auto word = far::allocate<int>(world, 1);
  far::barrier(world);
  if (world.rank() == 1) {
    const pid_t child = fork();
    if (child == 0) {
      in_fork(world, word, action);
      if (action == "return") return true;
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("child %s\n", WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "went on" : "ended");
  }
  far::barrier(world);
  std::printf("rank %d word %d\n", world.rank(), far::get(world, word));
  std::fflush(stdout);
  return false;
}

void on_interrupt(int) { far::interrupt(); }

/// Rank 1 has an impatient user.
void wait_until_interrupted(far::world& world) {
  signal(SIGINT, on_interrupt);
  std::thread user;
  if (world.rank() == 1) {
    user = std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      kill(getpid(), SIGINT);
    });
  }
  const auto told = [&](const char* what) {
    if (user.joinable()) user.join();
    std::printf("rank %d %s\n", world.rank(), what);
    std::fflush(stdout);
  };
  try {
    if (world.rank() == 1) wait_for_ever(world);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    for (;;) far::barrier(world);
  } catch (const far::interrupted&) {
    told("interrupted");
    throw;
  } catch (const far::rank_failed&) {
    told("got rank_failed");
    throw;
  }
}

void act(const std::string& action, const char* value) {
  far::job job;
  far::world& world = job.world();
  std::printf("rank %d of %d in\n", world.rank(), world.size());
  std::fflush(stdout);
  if (action == "say") return use(world, 1);
  far::barrier(world);
  if (action == "nested") far::job();
  if (action == "alone") throw std::runtime_error("thrown alone");
  if (action == "fork") {
    fork_and(world, value);
    return;
  }
  if (action == "interrupt") wait_until_interrupted(world);
  if (world.rank() != 1) wait_for_ever(world);
  if (action == "throw") throw std::runtime_error("no such thing");
  if (action == "fail") job.fail(std::make_exception_ptr(far::bad_argument("no such vertex")));
  if (action == "exit") far::exit_job(std::atoi(value));
  if (action == "leave") std::exit(0);
}

void act_in_several(const std::string& action, const char* value) {
  int joined = action == "several" ? std::atoi(value) : 2;
  for (int number = 1; number <= joined; ++number) {
    if (number % 2 == 0 && action == "several") {
      far::run([&](far::world& world) { use(world, number); });
      continue;
    }
    far::job job;
    use(job.world(), number);
    if (action == "less" && job.world().rank() == job.world().size() - 1) joined = 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string action = argc > 1 ? argv[1] : "";
  const char* const value = argc > 2 ? argv[2] : "";
  if (action == "uncaught") {
    act("throw", value);
    return 0;
  }
  try {
    if (action == "several" || action == "less") {
      act_in_several(action, value);
    } else {
      act(action, value);
    }
  } catch (const std::exception& failure) {
    std::printf("caught: %s\n", failure.what());
    return 1;
  }
  return action == "fail" ? 3 : 0;
}
