#pragma once
// What stops a server, as something to read: a call, or SIGTERM and SIGINT.

#include "bindings/kv/listener.hpp"

namespace far::kv {

/// If it is to, it catches both signals during its lifetime. One object of a process does; others
/// see nothing, where ranks are threads of one process, and need not: the one stops all ranks.
class stop_signal {
 public:
  explicit stop_signal(bool catches);
  ~stop_signal();
  stop_signal(const stop_signal&) = delete;
  stop_signal& operator=(const stop_signal&) = delete;

  /// The same as a signal does. For any thread, and for handlers of signals.
  void tell() const noexcept;
  /// Readable once it was told.
  [[nodiscard]] int descriptor_number() const noexcept { return told_.number(); }

 private:
  descriptor told_;
  bool catches_ = false;
};

}  // namespace far::kv
