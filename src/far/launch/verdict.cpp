#include "far/launch/verdict.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "far/launch/launch.hpp"

namespace far::launch {

std::string name_of(int signal) {
  const char* const name = sigdescr_np(signal);
  return fmt::format("signal {} ({})", signal, name == nullptr ? "unknown" : name);
}

std::string count_of(int ranks) { return fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s"); }

verdict verdict_of(const shm::job_failure& failure, const circumstances& around) {
  const int end = failure.wait_status.value_or(0);
  const int signal = WIFSIGNALED(end) ? WTERMSIG(end) : 0;
  const int status = WIFEXITED(end) ? WEXITSTATUS(end) : 128 + signal;
  if (signal == SIGPIPE && around.output_broken) return {"", status};  // `far run ... | head`
  if (signal != 0 && signal == around.forwarded) return {"ended by " + name_of(signal), status};
  const std::string others = failure.others > 1    ? "; ended the other " + count_of(failure.others)
                             : failure.others == 1 ? "; ended the other rank"
                                                   : "";
  return {fmt::format("{} {}{}", around.who, failure.text, others),
          status != 0 ? status : launch_failed};
}

verdict verdict_of_output(int error) {
  if (error == 0 || error == EPIPE) return {};
  return {fmt::format("cannot write the ranks' output: {}", std::strerror(error)), launch_failed};
}

verdict verdict_of_time(double seconds, int ranks) {
  return {fmt::format("the time limit of {} s has passed; ended {}", seconds, count_of(ranks)),
          launch_timed_out};
}

verdict verdict_of_interrupts() { return {"ended by a second " + name_of(SIGINT), 128 + SIGINT}; }

}  // namespace far::launch
