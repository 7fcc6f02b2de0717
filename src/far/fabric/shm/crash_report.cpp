#include "far/fabric/shm/crash_report.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "far/fabric/shm/fixed_text.hpp"

namespace far::fabric::shm {
namespace {

constexpr int max_frames = 64;
constexpr int patience_us = 300'000;

// The state of the one crash that is reported. Other threads that crash meanwhile are ignored.
std::atomic<int> reporting_thread{0};
std::array<void*, max_frames> frames;
fixed_text<32768> report;
siginfo_t first_info;

int thread_id() noexcept { return static_cast<int>(syscall(SYS_gettid)); }

/// Raises the signal again, with its information, for the default action: at once if it is not
/// blocked, else when the handler returns.
void reraise(int signal, siginfo_t* info) noexcept {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  syscall(SYS_rt_tgsigqueueinfo, getpid(), thread_id(), signal, info);
}

/// In a handler that has interrupted that of the crash, which blocks the crash's signal.
void die_of_first() noexcept {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, first_info.si_signo);
  reraise(first_info.si_signo, &first_info);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

void on_stuck(int) {
  report.add("far:   (the heap is locked, so the rest of the stack has no names)\n");
  report.write_to(STDERR_FILENO);
  die_of_first();
}

void limit_time() noexcept {
  struct sigaction action {};
  action.sa_handler = on_stuck;
  sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
  itimerval once{};
  once.it_value.tv_usec = patience_us;
  setitimer(ITIMER_REAL, &once, nullptr);
}

void add_headline(const crash& crashed) {
  if (crashed.forked) {
    report.add("far: a process (pid {}) that rank {} has forked", getpid(), crashed.rank);
  } else if (crashed.rank >= 0) {
    report.add("far: rank {} (pid {})", crashed.rank, getpid());
  } else {
    report.add("far: a thread of pid {}", getpid());
  }
  const char* const name = sigdescr_np(crashed.signal);
  report.add(" crashed: signal {} ({})", crashed.signal, name == nullptr ? "unknown" : name);
  const siginfo_t& info = *crashed.info;
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  if (info.si_code > 0) {
    report.add(" at address {:#x}", address);
  } else if (info.si_pid != getpid()) {
    report.add(" sent by pid {}", info.si_pid);
  }
  report.add("\n");
  if (crashed.full_stack > 0) {
    report.add("far: the rank's simulated stack of {} KB is full: raise FAR_SIM_STACK\n",
               crashed.full_stack / 1024);
  }
  // An access to the job's memory raises SIGBUS only if the machine is out of memory.
  if (crashed.signal == SIGBUS && info.si_code == BUS_ADRERR &&
      address - crashed.shared_begin < crashed.shared_bytes) {
    report.add(
        "far: the machine's memory is exhausted: no page is left for the job's shared memory; use "
        "less data, fewer ranks, or a machine with more memory\n");
  }
}

/// The frame in which the signal occurred; the frames before it are the handler's.
int first_frame(int count, const void* machine) noexcept {
#if defined(__x86_64__)
  const auto* const state = static_cast<const ucontext_t*>(machine);
  const auto struck = static_cast<std::uintptr_t>(state->uc_mcontext.gregs[REG_RIP]);
  for (int i = 0; i < count; ++i) {
    if (reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]) == struck) return i;
  }
#else
  static_cast<void>(count);
  static_cast<void>(machine);
#endif
  return 0;
}

void add_frame(int number, void* place) {
  Dl_info found{};
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  // A caller's frame has the address after the call, which may belong to the next function.
  if (number > 0) place = static_cast<std::byte*>(place) - 1;
  report.add("far:   #{:<2} ", number);
  if (dladdr(place, &found) == 0 || found.dli_fname == nullptr) {
    report.add("{:#x}\n", address);
    return;
  }
  if (found.dli_sname != nullptr) {
    int status = 0;
    char* const name = abi::__cxa_demangle(found.dli_sname, nullptr, nullptr, &status);
    report.add("{} ", name != nullptr ? name : found.dli_sname);
    std::free(name);
  }
  report.add("({}+{:#x})\n", found.dli_fname,
             address - reinterpret_cast<std::uintptr_t>(found.dli_fbase));
}

}  // namespace

void prepare_crash_reports() noexcept {
  // The first call loads the unwinder.
  std::array<void*, 1> frame;
  backtrace(frame.data(), 1);
}

void report_crash_and_die(const crash& crashed) noexcept {
  int no_rank = 0;
  const int self = thread_id();
  if (!reporting_thread.compare_exchange_strong(no_rank, self)) {
    if (no_rank == self) {
      // The report itself has crashed: so does malloc where the signal has interrupted it.
      report.write_to(STDERR_FILENO);
      return die_of_first();
    }
    for (;;) pause();  // the process is about to die
  }
  first_info = *crashed.info;
  add_headline(crashed);
  report.write_to(STDERR_FILENO);
  limit_time();
  const int count = backtrace(frames.data(), max_frames);
  const int first = first_frame(count, crashed.machine);
  for (int i = first; i < count; ++i) add_frame(i - first, frames[static_cast<std::size_t>(i)]);
  report.write_to(STDERR_FILENO);
  reraise(crashed.signal, crashed.info);
}

}  // namespace far::fabric::shm
