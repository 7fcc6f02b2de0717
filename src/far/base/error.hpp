#pragma once
// The exceptions of libfar. A message says what was asked, what is wrong, and what to do.

#include <stdexcept>
#include <string>

#include "far/base/language.hpp"

namespace far {

/// Root of everything libfar throws.
class error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An argument, option or file that cannot be used as given.
class bad_argument : public error {
  using error::error;
};

/// A heap or ring of stated size is full; the message names the option that raises it.
class out_of_memory : public error {
  using error::error;
};

/// A remote access that leaves the memory its address names.
class out_of_bounds : public error {
  using error::error;
};

/// The machinery below failed: a system call, a peer of another build, a broken link.
class fabric_error : public error {
  using error::error;
};

/// A simulated job in which nobody can go on; the message lists who waits for what, and the seed.
class deadlock : public error {
  using error::error;
};

/// A rank of the job ended before the job did. Every blocking call throws it from then on.
class rank_failed : public error {
 public:
  rank_failed(int rank, const std::string& message) : error(message), rank_(rank) {}

  /// The rank that failed first.
  [[nodiscard]] int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

}  // namespace far
