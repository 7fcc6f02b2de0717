#pragma once
// SIGTERM and SIGINT, as something to read.

#include "apps/kv/listener.hpp"

namespace far::apps::kv {

/// Catches both signals during its lifetime. One object of a process does; others see nothing,
/// where ranks are threads of one process, and need not: the one stops all ranks.
class stop_signal {
 public:
  stop_signal();
  ~stop_signal();
  stop_signal(const stop_signal&) = delete;
  stop_signal& operator=(const stop_signal&) = delete;

  /// Readable once a signal has come.
  [[nodiscard]] int descriptor_number() const noexcept { return told_.number(); }

 private:
  descriptor told_;
  bool catches_ = false;
};

}  // namespace far::apps::kv
