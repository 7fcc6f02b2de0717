#pragma once
// Alternatives to libfar's locks for processes of one machine: the system's locks and futexes.

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace far::bench::baseline {

/// A mutex that processes share, in memory that is initially zero. One process calls make.
class shared_mutex_of_system {
 public:
  void make() {
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&mutex_, &how);
    pthread_mutexattr_destroy(&how);
  }
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

/// The same for a readers-writer lock.
class shared_rwlock_of_system {
 public:
  void make() {
    pthread_rwlockattr_t how;
    pthread_rwlockattr_init(&how);
    pthread_rwlockattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&lock_, &how);
    pthread_rwlockattr_destroy(&how);
  }
  void lock() { pthread_rwlock_wrlock(&lock_); }
  void unlock() { pthread_rwlock_unlock(&lock_); }
  void lock_shared() { pthread_rwlock_rdlock(&lock_); }
  void unlock_shared() { pthread_rwlock_unlock(&lock_); }

 private:
  pthread_rwlock_t lock_;
};

/// A token that processes pass around; each process sleeps on its own word.
class sleeping_ring {
 public:
  static constexpr int max = 16;

  /// Waits for the token, and passes it to the next of `ranks` processes.
  void pass(int rank, int ranks) {
    std::atomic<std::uint32_t>& mine = places_[rank].has;
    while (mine.load(std::memory_order_acquire) == 0) {
      syscall(SYS_futex, &mine, FUTEX_WAIT, 0, nullptr, nullptr, 0);
    }
    mine.store(0, std::memory_order_relaxed);
    give((rank + 1) % ranks);
  }
  void give(int rank) {
    std::atomic<std::uint32_t>& next = places_[rank].has;
    next.store(1, std::memory_order_release);
    syscall(SYS_futex, &next, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }

 private:
  struct alignas(64) place {
    std::atomic<std::uint32_t> has;
  };
  place places_[max];
};

}  // namespace far::bench::baseline
