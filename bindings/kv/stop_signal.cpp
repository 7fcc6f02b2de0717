#include "bindings/kv/stop_signal.hpp"

#include <sys/eventfd.h>

#include <atomic>
#include <csignal>

#include "far/base/error.hpp"

namespace far::kv {
namespace {

// A handler knows nothing but globals.
std::atomic<int> caught_to{-1};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void tell_of_signal(int /*signal*/) {
  const int to = caught_to.load();
  if (to >= 0) eventfd_write(to, 1);
}

extern "C" void ignore_signal(int /*signal*/) {}

void handle_with(void (*handler)(int), unsigned flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESTART | flags);
  for (const int signal : {SIGTERM, SIGINT}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

stop_signal::stop_signal(bool catches) : told_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!told_.is_open()) throw fabric_error("cannot make a descriptor that stops a server");
  if (!catches) return;
  int nobody = -1;
  catches_ = caught_to.compare_exchange_strong(nobody, told_.number());
  if (catches_) handle_with(tell_of_signal, 0);
}

stop_signal::~stop_signal() {
  if (!catches_) return;
  // All ranks stop when one is told to, and a launcher tells each: its signal to this one may still
  // be on its way. A second signal ends a server that cannot stop.
  handle_with(ignore_signal, SA_RESETHAND);
  caught_to = -1;
}

void stop_signal::tell() const noexcept { eventfd_write(told_.number(), 1); }

}  // namespace far::kv
