#pragma once
// Files of UCX that ranks have left behind. UCX names a file in /dev/shm for the memory that it
// shares with other processes, and removes the name at once; a rank that is killed in between
// leaves it.

#include <string>

namespace far::fabric::shm {

/// Made before the ranks start. remove() is for the time when all of them have ended.
class leftovers {
 public:
  /// `folder`: for tests.
  explicit leftovers(std::string folder = "/dev/shm");

  /// Removes the files of UCX that this user has made since then and no process has open. Files of
  /// other jobs that start at the same time are open while they have a name.
  void remove() const noexcept;

 private:
  std::string folder_;
  double since_s_;  // of the system's clock
};

}  // namespace far::fabric::shm
