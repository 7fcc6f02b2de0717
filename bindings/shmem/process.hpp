#pragma once
// The process's only runtime, and how often it was initialized.

#include <cstdint>
#include <memory>
#include <mutex>

#include "shmem/runtime.hpp"

namespace far::shmem {

struct process {
  std::recursive_mutex mutex;  ///< of init and finalize
  std::unique_ptr<runtime> only;
  int inits = 0;
  std::uint64_t runtimes = 0;  ///< that there were, this one too
  int provided = SHMEM_THREAD_SINGLE;
  bool ends_at_exit = false;

  [[nodiscard]] static process& here() noexcept;
};

}  // namespace far::shmem
