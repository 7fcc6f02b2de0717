#pragma once
// Information about other processes, from /proc.

#include <sys/types.h>

#include <vector>

namespace far::fabric::shm {

/// The state of a process, such as 'T' for stopped (proc(5)); 0 if there is no such process.
char process_state(pid_t pid);

/// Whether `pid` is `ancestor` or descends from it.
bool descends_from(pid_t pid, pid_t ancestor);

/// While it exists, processes that descendants of this process orphan become children of this
/// process, so that it can find them.
class orphan_catcher {
 public:
  orphan_catcher();
  ~orphan_catcher();
  orphan_catcher(const orphan_catcher&) = delete;
  orphan_catcher& operator=(const orphan_catcher&) = delete;

  /// Kills all children that this process did not have before, and their descendants.
  void kill_all() const;

 private:
  std::vector<pid_t> others_;  // earlier children
};

}  // namespace far::fabric::shm
