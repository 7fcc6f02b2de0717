#include "far/fabric/shm/rank_signals.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/crash_site.hpp"
#include "far/fabric/fork.hpp"
#include "far/fabric/interrupt.hpp"
#include "far/fabric/shm/crash_report.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/shm/fixed_text.hpp"
#include "far/fabric/shm/rank_process.hpp"
#include "far/fabric/shm/static_data.hpp"
#include "far/fabric/shm/wait_report.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define FAR_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAR_ADDRESS_SANITIZER 1
#endif
#endif

namespace far::fabric::shm {
namespace {

#ifdef FAR_ADDRESS_SANITIZER
constexpr bool sanitized = true;
#else
constexpr bool sanitized = under_thread_sanitizer;
#endif

constexpr std::size_t signal_stack_bytes = std::size_t{64} << 10;

std::atomic<const region*> process_job{nullptr};
std::atomic<int> process_rank{every_rank};
// What the program had when this library was loaded.
const std::terminate_handler standard_terminate = std::get_terminate();
std::terminate_handler terminate_before = standard_terminate;

// Signal handlers read it, so it must not be allocated at its first use.
[[gnu::tls_model("initial-exec")]] thread_local int thread_rank = every_rank;

// The main thread's signal stack, until the process ends. Untouched pages cost nothing.
alignas(16) std::array<std::byte, signal_stack_bytes> main_stack;

void use_signal_stack(std::byte* stack, int flags) noexcept {
  stack_t settings{};
  settings.ss_sp = stack;
  settings.ss_size = signal_stack_bytes;
  settings.ss_flags = flags;
  sigaltstack(&settings, nullptr);
}

/// Installs a handler unless the program has one.
void handle(int signal, void (*handler)(int, siginfo_t*, void*), bool even_ignored) noexcept {
  struct sigaction old {};
  sigaction(signal, nullptr, &old);
  const bool ignored = (old.sa_flags & SA_SIGINFO) == 0 && old.sa_handler == SIG_IGN;
  const bool standard = (old.sa_flags & SA_SIGINFO) == 0 && old.sa_handler == SIG_DFL;
  if (!standard && !(ignored && even_ignored)) return;
  struct sigaction mine {};
  mine.sa_sigaction = handler;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&mine.sa_mask);
  sigaction(signal, &mine, nullptr);
}

void on_quit(int, siginfo_t* info, void*) {
  // A terminal's Ctrl-\ reaches the launcher too, which reports for all ranks.
  if (info->si_code == SI_KERNEL) return;
  const int saved = errno;
  const region* const job = process_job.load(std::memory_order_acquire);
  fixed_text<512> text;
  if (job == nullptr) {
    text.add("far: rank {} (pid {}): has left the job\n",
             process_rank.load(std::memory_order_relaxed), getpid());
    text.write_to(STDERR_FILENO);
  } else {
    const int only = process_rank.load(std::memory_order_relaxed);
    const int begin = only == every_rank ? 0 : only;
    const int end = only == every_rank ? job->shape().ranks : only + 1;
    for (int rank = begin; rank < end; ++rank) {
      report_waits(*job, rank, [&](std::string_view line) {
        text.add("far: {}\n", line);
        text.write_to(STDERR_FILENO);
      });
    }
  }
  errno = saved;
}

/// A fork's access to the job's memory.
bool is_refused(const crash& crashed) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(crashed.info->si_addr);
  return is_fork() && crashed.signal == SIGSEGV && crashed.info->si_code > 0 &&
         address - crashed.shared_begin < crashed.shared_bytes;
}

void on_crash(int signal, siginfo_t* info, void* machine) {
  const int own = thread_rank;
  const region* const job = process_job.load(std::memory_order_acquire);
  crash crashed;
  crashed.rank = own != every_rank ? own : process_rank.load(std::memory_order_relaxed);
  const bool has_address = info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS);
  const crash_site site = crash_locator::find(has_address ? info->si_addr : nullptr);
  if (site.rank >= 0) crashed.rank = site.rank;
  crashed.full_stack = site.full_stack;
  crashed.signal = signal;
  crashed.info = info;
  crashed.machine = machine;
  if (job != nullptr) {
    crashed.shared_begin = reinterpret_cast<std::uintptr_t>(&job->header());
    crashed.shared_bytes = job->bytes();
  }
  crashed.forked = is_fork();
  if (is_refused(crashed)) {
    fixed_text<512> text;
    text.add("far: pid {}: {}\n", getpid(), fork_is_no_rank);
    text.write_to(STDERR_FILENO);
    _exit(EXIT_FAILURE);
  }
  report_crash_and_die(crashed);
}

/// An exception that nothing catches ends the process where it was thrown, without destructors.
[[noreturn]] void on_terminate() {
  const region* const job = process_job.load(std::memory_order_acquire);
  const std::exception_ptr thrown = std::current_exception();
  if (job == nullptr || thrown == nullptr || is_fork()) {
    terminate_before();
    std::abort();
  }
  const int of_process = process_rank.load(std::memory_order_relaxed);
  const int rank = of_process == every_rank ? std::max(thread_rank, 0) : of_process;
  std::string what = "an exception that is no std::exception";
  try {
    std::rethrow_exception(thrown);
  } catch (const interrupted& own) {
    what = own.what();
  } catch (const rank_failed&) {
    end_process(EXIT_FAILURE);  // the job knows
  } catch (const std::exception& own) {
    what = own.what();
  } catch (...) {
  }
  what = "threw what nothing catches: " + what;
  mark_failed(*job, rank, failure_kind::other, what);
  fmt::print(stderr, "far: rank {} (pid {}) {}\n", rank, getpid(), what);
  std::abort();
}

/// In a process that has just been forked. The job's memory is shared, so writing to it would act
/// for the rank.
void take_access() noexcept {
  const region* const job = process_job.load(std::memory_order_acquire);
  if (job == nullptr) return;
  keep_static_data_to_fork();  // before this writes to any
  forked_from_rank.store(true, std::memory_order_relaxed);
  the_interruption.requested.store(true, std::memory_order_relaxed);
  mprotect(&job->header(), job->bytes(), PROT_READ);
}

/// For far::interrupt, perhaps in a signal handler.
void wake_own_ranks() noexcept {
  const region* const job = process_job.load(std::memory_order_acquire);
  if (job == nullptr) return;
  const int only = process_rank.load(std::memory_order_relaxed);
  if (only == every_rank) return wake_all(*job);
  wake_rank(job->rank(only));
}

}  // namespace

void report_crashes() noexcept {
  if constexpr (!sanitized) {
    prepare_crash_reports();
    use_signal_stack(main_stack.data(), 0);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      handle(signal, on_crash, false);
    }
  }
}

void forget_forking() noexcept {
  forked_from_rank.store(false, std::memory_order_relaxed);
  the_interruption.requested.store(false, std::memory_order_relaxed);
}

process_ranks::process_ranks(const region& job, int rank) noexcept
    : job_before_(process_job.load(std::memory_order_relaxed)),
      rank_before_(process_rank.load(std::memory_order_relaxed)) {
  process_rank.store(rank, std::memory_order_relaxed);
  process_job.store(&job, std::memory_order_release);
  the_interruption.wake.store(wake_own_ranks, std::memory_order_release);
  static const int handles_forks = pthread_atfork(nullptr, nullptr, take_access);
  static_cast<void>(handles_forks);
}

process_ranks::~process_ranks() {
  process_job.store(job_before_, std::memory_order_release);
  if (job_before_ == nullptr) return;  // a crash report still names the rank
  process_rank.store(rank_before_, std::memory_order_relaxed);
}

rank_signals::rank_signals(const region& job, int rank) noexcept : known_(job, rank) {
  if (std::get_terminate() == standard_terminate) {
    terminate_before = std::set_terminate(on_terminate);
  }
  handle(SIGQUIT, on_quit, true);  // until here it is ignored, as the launcher set it
  report_crashes();
}

void report_exit(int status) noexcept {
  const region* const job = process_job.load(std::memory_order_acquire);
  if (job == nullptr) return;
  const int of_process = process_rank.load(std::memory_order_relaxed);
  const int of_threads = std::max(thread_rank, 0);
  mark_exit(*job, of_process == every_rank ? of_threads : of_process, status);
}

thread_signals::thread_signals(int rank) {
  thread_rank = rank;
  if constexpr (!sanitized) {
    stack_ = std::make_unique_for_overwrite<std::byte[]>(signal_stack_bytes);
    use_signal_stack(stack_.get(), 0);
  }
}

thread_signals::~thread_signals() {
  thread_rank = every_rank;
  if (stack_ != nullptr) use_signal_stack(stack_.get(), SS_DISABLE);
}

}  // namespace far::fabric::shm
