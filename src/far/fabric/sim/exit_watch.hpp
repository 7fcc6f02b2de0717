#pragma once

#include "far/base/language.hpp"

namespace far::fabric::sim {

/// While it exists, a call of std::exit, by whatever rank, fails: it says so in a line, and ends
/// the process with a status other than 0. Otherwise the process would end in the middle of its job
/// as if it had done all. Members of one process exist one at a time.
class exit_watch {
 public:
  exit_watch() noexcept;
  ~exit_watch();
  exit_watch(const exit_watch&) = delete;
  exit_watch& operator=(const exit_watch&) = delete;
};

}  // namespace far::fabric::sim
