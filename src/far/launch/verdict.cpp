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
  if (failure.asked_status == 0) return {};
  const int end = failure.wait_status.value_or(0);
  const int signal = WIFSIGNALED(end) ? WTERMSIG(end) : 0;
  const int its_status = WIFEXITED(end) ? WEXITSTATUS(end) : 128 + signal;
  const int status = failure.asked_status.value_or(its_status) & 0xff;
  if (signal == SIGPIPE && around.output_broken) return {"", status};  // `far run ... | head`
  if (signal != 0 && signal == around.forwarded) return {"ended by " + name_of(signal), status};
  const std::string others = failure.others > 1    ? "; ended the other " + count_of(failure.others)
                             : failure.others == 1 ? "; ended the other rank"
                                                   : "";
  return {fmt::format("{} {}{}", around.who, failure.text, others),
          status != 0 ? status : launch_failed};
}

verdict verdict_of_output(const output_sink& sink) {
  const int error = sink.error();
  if (error == 0 || error == EPIPE || sink.lost() > 0) return {};
  return {fmt::format("cannot write the ranks' output: {}", std::strerror(error)), launch_failed};
}

verdict with_lost(verdict end, std::size_t bytes) {
  if (bytes == 0) return end;
  if (!end.line.empty()) end.line += "; ";
  end.line +=
      fmt::format("{} bytes or more of the ranks' output are lost, for nobody reads them", bytes);
  if (end.status == 0) end.status = launch_failed;
  return end;
}

verdict verdict_of_time(double seconds, int ranks) {
  if (ranks == 0) {
    return {fmt::format("the time limit of {} s has passed", seconds), launch_timed_out};
  }
  return {fmt::format("the time limit of {} s has passed; ended {}", seconds, count_of(ranks)),
          launch_timed_out};
}

verdict verdict_of_interrupts() { return {"ended by a second " + name_of(SIGINT), 128 + SIGINT}; }

}  // namespace far::launch
