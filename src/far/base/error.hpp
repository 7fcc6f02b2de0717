#pragma once
// The exceptions of libfar. A message says what was requested, what is wrong, and what to do. They
// are visible, so that libraries compiled with -fvisibility=hidden can catch each other's.

#include <stdexcept>
#include <string>

#include "far/base/language.hpp"

namespace far {

/// Base class of all exceptions that libfar throws.
class [[gnu::visibility("default")]] error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An argument, option or file that cannot be used as given.
class [[gnu::visibility("default")]] bad_argument : public error {
  using error::error;
};

/// A command line that cannot be used. far::run exits with status 2 then, as the `far` command
/// does.
class [[gnu::visibility("default")]] usage_error : public bad_argument {
  using bad_argument::bad_argument;
};

/// A heap or ring of fixed size is full. The message names the option that raises the limit.
class [[gnu::visibility("default")]] out_of_memory : public error {
  using error::error;
};

/// A remote access beyond the allocated memory at its address.
class [[gnu::visibility("default")]] out_of_bounds : public error {
  using error::error;
};

/// A failure below libfar: of a system call or a network link, or a peer of a different build.
class [[gnu::visibility("default")]] fabric_error : public error {
  using error::error;
};

/// A simulated job in which no rank can continue. The message lists what each rank waits for, and
/// the seed.
class [[gnu::visibility("default")]] deadlock : public error {
  using error::error;
};

/// A rank of the job ended before the job did. From then on every blocking call throws this.
class [[gnu::visibility("default")]] rank_failed : public error {
 public:
  rank_failed(int rank, const std::string& message) : error(message), rank_(rank) {}

  /// The rank that failed first.
  [[nodiscard]] int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

/// This rank has been told to stop waiting (far::interrupt). To libfar that is a failure of this
/// rank, which rank() names.
class [[gnu::visibility("default")]] interrupted : public rank_failed {
  using rank_failed::rank_failed;
};

}  // namespace far
