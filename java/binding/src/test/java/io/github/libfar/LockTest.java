package io.github.libfar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LockTest {
  private final Job job = Ranks.job();

  @Test
  void excludesOthers() {
    try (FarLock lock = new FarLock(job, job.size() - 1);
        FarLongArray sum = new FarLongArray(job, 1)) {
      for (int i = 0; i < 500; ++i) {
        try (FarLock.Hold hold = lock.acquire()) {
          assertNotNull(hold);
          sum.set(0, sum.get(0) + 1);
        }
      }
      job.barrier();
      assertEquals(500L * job.size(), sum.get(0));
    }
  }

  @Test
  void triesMayFail() {
    try (FarLock lock = new FarLock(job)) {
      if (job.rank() == 0) {
        try (FarLock.Hold hold = lock.acquire()) {
          assertNotNull(hold);
          assertThrows(IllegalArgumentException.class, lock::acquire);
          job.barrier();
          job.barrier();
        }
      } else {
        job.barrier();
        assertNull(lock.tryAcquire(Duration.ZERO));
        assertNull(lock.tryAcquire(Duration.ofMillis(2)));
        job.barrier();
      }
      try (FarLock.Hold hold = lock.tryAcquire(Duration.ofDays(1_000_000))) {
        assertNotNull(hold);
      }
    }
  }

  @Test
  void readersShare() {
    try (FarReadWriteLock lock = new FarReadWriteLock(job);
        FarLongArray words = new FarLongArray(job, 2)) {
      for (int i = 0; i < 200; ++i) {
        if (i % 5 == 0) {
          try (FarReadWriteLock.Hold hold = lock.write()) {
            assertNotNull(hold);
            words.set(0, words.get(0) + 1);
            words.set(1, words.get(1) + 1);
          }
        } else {
          try (FarReadWriteLock.Hold hold = lock.read()) {
            assertNotNull(hold);
            assertEquals(words.get(0), words.get(1));
          }
        }
      }
      job.barrier();
      assertEquals(40L * job.size(), words.get(0));
      job.barrier();
      try (FarReadWriteLock.Hold hold = lock.read()) {
        assertNotNull(hold);
        job.barrier();
        if (job.rank() > 0) assertNull(lockFromElsewhere(lock));
        job.barrier();
      }
    }
  }

  /** Another thread's try to write. */
  private FarReadWriteLock.Hold lockFromElsewhere(FarReadWriteLock lock) {
    FarReadWriteLock.Hold[] got = new FarReadWriteLock.Hold[1];
    Thread other =
        new Thread(
            () -> {
              try (Job.Attachment own = job.attach()) {
                assertNotNull(own);
                got[0] = lock.tryWrite(Duration.ZERO);
              }
            });
    other.start();
    try {
      other.join();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
    return got[0];
  }
}
