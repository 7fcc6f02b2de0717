#pragma once
// What /proc tells about other processes.

#include <sys/types.h>

#include <vector>

namespace far::fabric::shm {

/// 'T' for a stopped process and so on (proc(5)); 0 if there is none.
char process_state(pid_t pid);

/// Whether `pid` is `ancestor` or descends from it.
bool descends_from(pid_t pid, pid_t ancestor);

/// While it lives, what this process's descendants leave behind when they die becomes this
/// process's child, and so can be found.
class orphan_catcher {
 public:
  orphan_catcher();
  ~orphan_catcher();
  orphan_catcher(const orphan_catcher&) = delete;
  orphan_catcher& operator=(const orphan_catcher&) = delete;

  /// Kills all children that this process did not have before, and theirs.
  void kill_all() const;

 private:
  std::vector<pid_t> others_;  // children of before
};

}  // namespace far::fabric::shm
