// A rank that does what its arguments say, for tests of the launcher:
//
//   test-act ACTION [RANK [VALUE]]
//
// RANK (-1: every rank) performs the action; the others wait forever for a word of RANK. Each rank
// first prints "ready RANK pid PID".

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include <far/far.hpp>

namespace {

[[noreturn]] void wait_for_ever(far::world& world, int on_rank) {
  const far::fabric::address word(on_rank, far::fabric::symmetric_segment, 64);
  world.context().wait([] { return false; }, far::fabric::never, {"a test's word", on_rank, word});
  std::abort();  // an exception ends the wait
}

[[noreturn]] void compute_for_ever() {
  for (volatile unsigned turns = 0;;) turns = turns + 1;
}

/// Prints the number of the signal, which ends the process.
void on_signal(int signal) {
  char text[] = "got signal 00\n";
  text[11] = static_cast<char>('0' + signal / 10);
  text[12] = static_cast<char>('0' + signal % 10);
  if (write(STDOUT_FILENO, text, std::strlen(text)) > 0) std::_Exit(0);
}

/// Reports on descriptor 9 where the standard descriptors lead.
void show_streams() {
  for (int stream = 0; stream < 3; ++stream) {
    char target[256] = "nothing";
    const std::string link = "/proc/self/fd/" + std::to_string(stream);
    if (readlink(link.c_str(), target, sizeof(target) - 1) < 0) std::strcpy(target, "nothing");
    dprintf(9, "%d is %s\n", stream, target);
  }
}

void act(far::world& world, const std::string& action, const char* value) {
  if (action == "wait") wait_for_ever(world, (world.rank() + 1) % world.size());
  if (action == "compute") compute_for_ever();
  if (action == "ignore-term") {
    signal(SIGTERM, SIG_IGN);
    compute_for_ever();
  }
  if (action == "exit") std::exit(std::atoi(value));
  if (action == "leave") _exit(std::atoi(value));
  if (action == "exit-job" || action == "end-job") far::exit_job(std::atoi(value));
  if (action == "throw") throw far::bad_argument(value);
  if (action == "throw-other") throw std::runtime_error(value);
  if (action == "throw-unknown") throw 42;  // NOLINT: what a user might do
  if (action == "raise") raise(std::atoi(value));
  if (action == "say") std::printf("%s\n", value);
  if (action == "show-streams") show_streams();
  if (action == "start" && std::system(value) != 0) std::exit(1);
  if (action == "environment") {
    const char* const text = std::getenv(value);
    std::printf("%s is %s\n", value, text == nullptr ? "not set" : text);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string action = argc > 1 ? argv[1] : "";
  const int actor = argc > 2 ? std::atoi(argv[2]) : -1;  // -1: all
  const char* const value = argc > 3 ? argv[3] : "";
  if (action == "catch-signals") {
    for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) signal(s, on_signal);
  }
  far::run([&](far::world& world) {
    std::printf("ready %d pid %d\n", world.rank(), getpid());
    std::fflush(stdout);
    if (action == "catch-signals") wait_for_ever(world, 0);
    if (actor < 0 || actor == world.rank()) {
      act(world, action, value);
    } else if (action == "end-job") {
      compute_for_ever();
    } else if (action != "say") {
      wait_for_ever(world, actor);
    }
  });
  if (action == "fail-later") return 7;
  if (action == "leave-later") _exit(0);
}
